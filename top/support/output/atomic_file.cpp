#include "top/support/output/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "top/support/output/file_lock.h"

namespace heddle {

namespace {

constexpr int kFileMode = 0666;
/// Writers of one file at the same time.
constexpr unsigned kMostWriters = 99;

/// A device, or what stands in /dev or for a process's open file (/dev/stdout): it is written, never
/// replaced.
bool is_device(const std::string& path) {
  struct stat there {};
  if (lstat(path.c_str(), &there) != 0) return false;
  if (S_ISCHR(there.st_mode) || S_ISBLK(there.st_mode)) return true;
  std::error_code unknown;
  const std::filesystem::path folder =
      std::filesystem::canonical(std::filesystem::absolute(path, unknown).parent_path(), unknown);
  return folder == "/dev" || folder.string().rfind("/proc/", 0) == 0;
}

bool is_of_another(int descriptor) { return try_lock(descriptor) == FileLock::kOfAnother; }

/// `name` is the file that was opened, and no other one that has come in its place.
bool is_still(int descriptor, const std::string& name) {
  struct stat held {};
  struct stat named {};
  return fstat(descriptor, &held) == 0 && lstat(name.c_str(), &named) == 0 && held.st_ino == named.st_ino &&
         held.st_dev == named.st_dev;
}

/// Closes the file, if there is one, and leaves the error: -1.
int close_for(int descriptor, int error) {
  if (descriptor >= 0) close(descriptor);
  errno = error;
  return -1;
}

/// A new file, locked where files can be; what a killed process has left there goes first. No link that leads
/// elsewhere is followed. -1: errno says why, EBUSY that somebody writes the file of this name.
int create_locked(const std::string& name) {
  constexpr unsigned kTries = 100;  // others may come and go
  for (unsigned i = 0; i < kTries; ++i) {
    const int created = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kFileMode);
    if (created >= 0) {
      if (!is_of_another(created) && is_still(created, name)) return created;
      close(created);  // somebody took it for one that was left
      continue;
    }
    if (errno != EEXIST) return -1;
    const int left = open(name.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    const bool is_written = left >= 0 && is_of_another(left);
    const bool is_gone = left >= 0 && !is_written && !is_still(left, name);
    if (!is_written && !is_gone && unlink(name.c_str()) != 0 && errno != ENOENT)
      return close_for(left, errno);
    close_for(left, 0);
    if (is_written) return close_for(-1, EBUSY);
  }
  return -1;
}

}  // namespace

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0) {
      return ENOSPC;
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

WholeFile::WholeFile(const std::string& path) : path_(path) {
  if (is_device(path)) {
    descriptor_ = open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (descriptor_ < 0) error_ = errno;
    return;
  }
  for (unsigned writer = 1; writer <= kMostWriters; ++writer) {
    temporary_ = path + (writer == 1 ? ".tmp" : fmt::format(".{}.tmp", writer));
    descriptor_ = create_locked(temporary_);
    error_ = descriptor_ < 0 ? errno : 0;
    if (error_ != EBUSY) return;
  }
}

WholeFile::~WholeFile() {
  if (descriptor_ >= 0) fail(ECANCELED);
}

/// Closes the file and leaves nothing of it.
void WholeFile::fail(int error) {
  if (error_ == 0) error_ = error;
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void WholeFile::write(std::string_view text) {
  if (descriptor_ < 0) return;
  if (const int error = write_all(descriptor_, text); error != 0) fail(error);
}

bool WholeFile::finish() {
  if (descriptor_ < 0) return false;
  const int descriptor = descriptor_;
  descriptor_ = -1;
  // What close() says counts before the file gets its name; a copy holds the lock until it has.
  const int lock_holder = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  const bool is_written = close(descriptor) == 0;
  const bool is_named = temporary_.empty() || (is_written && rename(temporary_.c_str(), path_.c_str()) == 0);
  if (!is_written || !is_named) fail(errno);
  if (lock_holder >= 0) close(lock_holder);
  return error_ == 0;
}

std::string WholeFile::problem() const {
  return fmt::format("{}: can't write: {}", path_, std::strerror(error_));
}

void write_file_atomically(const std::string& path, std::string_view text) {
  WholeFile file(path);
  file.write(text);
  if (!file.finish()) throw OutputError(file.problem());
}

}  // namespace heddle
