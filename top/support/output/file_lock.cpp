#include "top/support/output/file_lock.h"

#include <sys/file.h>

#include <cerrno>

namespace heddle {

FileLock try_lock(int descriptor) {
  while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    switch (errno) {
      case EINTR:
        continue;
      case EWOULDBLOCK:
        return FileLock::kOfAnother;
      case ENOLCK:
      case ENOSYS:
      case EOPNOTSUPP:
        return FileLock::kNotOffered;
      default:
        return FileLock::kFailed;
    }
  }
  return FileLock::kTaken;
}

}  // namespace heddle
