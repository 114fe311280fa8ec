#include "top/support/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace heddle {

namespace {

constexpr int kFileMode = 0666;

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

WholeFile::WholeFile(const std::string& path) : path_(path), temporary_(path + ".tmp") {
  // What a killed process left goes first: the file is a new one, and no link that leads elsewhere is
  // followed.
  unlink(temporary_.c_str());
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kFileMode);
  if (descriptor_ < 0) error_ = errno;
}

WholeFile::~WholeFile() {
  if (descriptor_ >= 0) fail(ECANCELED);
}

/// Closes the file and leaves nothing of it.
void WholeFile::fail(int error) {
  if (error_ == 0) error_ = error;
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
  unlink(temporary_.c_str());
}

void WholeFile::write(std::string_view text) {
  if (descriptor_ < 0) return;
  if (const int error = write_all(descriptor_, text); error != 0) fail(error);
}

bool WholeFile::finish() {
  if (descriptor_ < 0) return false;
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (close(descriptor) != 0 || rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
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
