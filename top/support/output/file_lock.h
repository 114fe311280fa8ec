#pragma once

namespace heddle {

/// What came of asking for the lock of a file (flock), which ends with the process.
enum class FileLock {
  kTaken,
  kOfAnother,
  kNotOffered,  ///< the file system has no locks, as NFS without its lock service, or Lustre mounted so
  kFailed,      ///< errno says why
};

/// Without waiting.
FileLock try_lock(int descriptor);

}  // namespace heddle
