#include "top/support/output/durable_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <system_error>

#include "top/support/output/atomic_file.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw OutputError(fmt::format("{}: can't write: {}", path.string(), reason));
}

void check(const fs::path& path, const std::error_code& error) {
  if (error) fail(path, error.message());
}

/// Makes the folder; what is new is in folders that are on the disk.
void make_folders(const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return;
  make_folders(folder.parent_path());
  fs::create_directory(folder, error);
  check(folder, error);
  sync_to_disk(folder.parent_path());
}

}  // namespace

void sync_to_disk(const fs::path& path) {
  const int descriptor = open(path.empty() ? "." : path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, std::strerror(errno));
  // Some file systems can't sync folders, and say that it makes no sense.
  const int error = fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
  close(descriptor);
  if (error != 0) fail(path, std::strerror(error));
}

void move_durably(const fs::path& from, const fs::path& to) {
  make_folders(to.parent_path());
  sync_to_disk(from);
  std::error_code error;
  fs::rename(from, to, error);
  if (error == std::errc::cross_device_link) {
    const fs::path copy = to.string() + ".tmp";
    fs::copy_file(from, copy, fs::copy_options::overwrite_existing, error);
    check(copy, error);
    sync_to_disk(copy);
    fs::rename(copy, to, error);
  }
  check(to, error);
  sync_to_disk(to.parent_path());
}

bool has_contents(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  return !error && bytes != 0;
}

bool written_since_start(const fs::path& path) {
  struct stat file {};
  timespec now{};
  timespec up{};
  if (stat(path.c_str(), &file) != 0 || clock_gettime(CLOCK_REALTIME, &now) != 0 ||
      clock_gettime(CLOCK_BOOTTIME, &up) != 0)
    return false;
  return file.st_mtim.tv_sec >= now.tv_sec - up.tv_sec;
}

}  // namespace heddle
