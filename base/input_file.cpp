#include "base/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/stop.h"

namespace heddle {

namespace {

constexpr std::uint64_t kBlockBytes = 1 << 20;

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  if (S_ISFIFO(mode)) return "a pipe";
  return S_ISSOCK(mode) ? "a socket" : "no regular file";
}

}  // namespace

InputFile::InputFile(const std::string& path) : path_(path) {
  struct stat status {};
  // Looked at first: to open a device or a pipe may do something.
  if (stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
    descriptor_ = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor_ >= 0 && fstat(descriptor_, &status) != 0) status = {};
  } else if (status.st_mode != 0) {
    throw InputFileError(path, fmt::format("expected a regular file, found {}", kind_of(status.st_mode)));
  }
  if (descriptor_ < 0) throw InputFileError(path, fmt::format("can't be read: {}", std::strerror(errno)));
  if (!S_ISREG(status.st_mode)) {
    close(descriptor_);
    throw InputFileError(path, fmt::format("expected a regular file, found {}", kind_of(status.st_mode)));
  }
  bytes_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() { close(descriptor_); }

std::uint64_t InputFile::read_some(char* target, std::uint64_t bytes) {
  throw_if_stopped();
  while (true) {
    const ssize_t count = ::read(descriptor_, target, std::min(bytes, kBlockBytes));
    if (count >= 0) return static_cast<std::uint64_t>(count);
    if (errno != EINTR) throw InputFileError(path_, fmt::format("can't be read: {}", std::strerror(errno)));
  }
}

std::string InputFile::text(std::uint64_t most_bytes) {
  const auto fail = [&](const std::string& found) {
    throw InputFileError(path_, fmt::format("expected at most {} bytes, found {}", most_bytes, found));
  };
  if (bytes_ > most_bytes) fail(std::to_string(bytes_));
  std::string text;
  std::uint64_t filled = 0;
  // Files of /proc have more than they say.
  text.resize(bytes_ + 1);
  while (const std::uint64_t count = read_some(text.data() + filled, text.size() - filled)) {
    filled += count;
    if (filled > most_bytes) fail("more");
    if (filled == text.size()) text.resize(std::min(2 * text.size(), most_bytes + 1));
  }
  text.resize(filled);
  return text;
}

void InputFile::read(std::uint8_t* target, std::uint64_t bytes) {
  for (std::uint64_t filled = 0; filled < bytes;) {
    const std::uint64_t count = read_some(reinterpret_cast<char*>(target) + filled, bytes - filled);
    if (count == 0) {
      throw InputFileError(path_, fmt::format("ends after {} bytes, expected {}", filled, bytes));
    }
    filled += count;
  }
}

std::string read_input_file(const std::string& path, std::uint64_t most_bytes) {
  return InputFile(path).text(most_bytes);
}

}  // namespace heddle
