#include "top/support/atomic_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace heddle {

namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw OutputError(fmt::format("{}: can't write: {}", path, std::strerror(error)));
}

}  // namespace

void write_file_atomically(const std::string& path, const std::string& text) {
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  std::FILE* file = std::fopen(temporary.c_str(), "wbe");
  if (file == nullptr) {
    fail(path, errno);
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int write_error = errno;
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed || std::rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = written ? errno : write_error;
    std::remove(temporary.c_str());
    fail(path, error);
  }
}

void make_output_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw OutputError(fmt::format("{}: can't create the output folder: {}", path, error.message()));
  }
  const std::string probe = (std::filesystem::path(path) / fmt::format(".heddle-{}", getpid())).string();
  std::FILE* file = std::fopen(probe.c_str(), "we");
  if (file == nullptr) {
    fail(path, errno);
  }
  std::fclose(file);
  std::remove(probe.c_str());
}

}  // namespace heddle
