#include "top/support/output/output_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>
#include <vector>

#include "top/support/output/console.h"
#include "top/support/output/file_lock.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

constexpr int kLockMode = 0666;
constexpr unsigned kMostNames = 99;
constexpr std::size_t kLongestLabel = 120;
constexpr std::string_view kBufferPrefix = "buffer-";
constexpr std::string_view kBufferSuffix = ".bin";
constexpr std::chrono::seconds kShortWait{3};
constexpr std::chrono::milliseconds kRetryInterval{10};

/// What a run may leave, the file first that says that the others are there.
constexpr std::array<const char*, 17> kResults{
    "stats.json",      "point.json",   "run.json",      "cost.json",    "speed.json", "thread_blocks.json",
    "predictions.csv", "waves.vcd",    "waves.fst",     "waves.gtkw",   "alone.json", "intervals.sqlite",
    "timeline.json",   "profile.json", "lockstep.json", "lockstep.vcd", "vectors.txt"};

/// Another process has the folder.
class FolderInUse : public OutputError {
 public:
  using OutputError::OutputError;
};

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  throw OutputError(fmt::format("{}: {}: {}", path, what, std::strerror(error)));
}

void remove_file(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT)
    fail(path, "can't remove what an earlier run left", errno);
}

/// The lock is on the file that stands at `path`, and not on one that its last holder has removed.
bool still_there(int descriptor, const std::string& path) {
  struct stat held {};
  struct stat named {};
  return fstat(descriptor, &held) == 0 && stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino &&
         held.st_dev == named.st_dev;
}

/// The process that has locked the file, as it says there; 0: it has not yet.
pid_t holder(const std::string& lock_path) {
  pid_t process = 0;
  std::ifstream(lock_path) >> process;
  return process;
}

/// A lock may outlive its process for a moment: in a process that it was starting when it was killed, until
/// the new program runs.
bool has_ended(pid_t process) { return process > 0 && kill(process, 0) != 0 && errno == ESRCH; }

/// Creates and locks the file: a descriptor, or -1 when another process has locked it. Where the file system
/// offers no locks it is made alone, as of a job of a cluster, whose folders nobody else takes.
int take_lock(const std::string& folder, const std::string& path) {
  for (;;) {
    const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, kLockMode);
    if (descriptor < 0) fail(folder, "can't write", errno);
    const FileLock lock = try_lock(descriptor);
    if (lock == FileLock::kFailed) {
      const int error = errno;
      close(descriptor);
      fail(folder, "can't be locked, as a folder of results must be", error);
    }
    if (lock == FileLock::kOfAnother) {
      close(descriptor);
      return -1;
    }
    if (still_there(descriptor, path)) return descriptor;
    close(descriptor);
  }
}

/// Without what a file name can't have, or nearly can't.
std::string in_file_name(std::string_view label) {
  std::string name;
  for (const char c : label.substr(0, kLongestLabel)) {
    const bool kept = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                      std::string_view("+_.=-").find(c) != std::string_view::npos;
    name += kept ? c : '-';
  }
  return name;
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// What buffer_file() gives, or that while it is written.
bool is_buffer_file(const std::string& name) {
  return name.compare(0, kBufferPrefix.size(), kBufferPrefix) == 0 &&
         (ends_with(name, kBufferSuffix) || ends_with(name, std::string(kBufferSuffix) + ".tmp"));
}

/// "12" or "12-atax-gto".
bool is_run_folder(const std::string& name) {
  const auto end =
      std::find_if_not(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  return end != name.begin() && (end == name.end() || *end == '-');
}

}  // namespace

OutputFolder::OutputFolder(const std::string& path, Wait wait) : path_(path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw OutputError(fmt::format("{}: can't create the output folder: {}", path, error.message()));
  const auto until = std::chrono::steady_clock::now() + kShortWait;
  while ((lock_ = take_lock(path, lock_path())) < 0) {
    const pid_t process = holder(lock_path());
    const bool is_brief = wait == Wait::kShort || has_ended(process);
    if (!is_brief || std::chrono::steady_clock::now() >= until) {
      throw FolderInUse(fmt::format("{}: another process of heddle{} has this folder for its results", path,
                                    process > 0 ? fmt::format(" (process {})", process) : ""));
    }
    std::this_thread::sleep_for(kRetryInterval);
  }
  int problem = ftruncate(lock_, 0) == 0 ? 0 : errno;
  if (problem == 0) problem = write_all(lock_, std::to_string(getpid()) + "\n");
  if (problem == 0) return;
  unlink(lock_path().c_str());
  close(lock_);
  fail(path, "can't write", problem);
}

OutputFolder OutputFolder::open(const std::string& command, const std::string& given,
                                const std::string& otherwise) {
  if (!given.empty()) return OutputFolder(given);
  for (unsigned number = 1;; ++number) {
    const std::string path = number == 1 ? otherwise : fmt::format("{}#{}", otherwise, number);
    try {
      OutputFolder folder(path);
      if (number > 1) tell("heddle {}: {} is in use: results go to {}\n", command, otherwise, path);
      return folder;
    } catch (const FolderInUse&) {
      if (number == kMostNames) throw;
    }
  }
}

std::optional<OutputFolder> OutputFolder::try_open(const std::string& path) {
  constexpr unsigned kTrials = 10;
  for (unsigned trial = 1;; ++trial) {
    try {
      return OutputFolder(path);
    } catch (const FolderInUse&) {
      return std::nullopt;
    } catch (const OutputError&) {
      std::error_code ignored;
      if (fs::exists(path, ignored) || trial == kTrials) throw;
    }
  }
}

OutputFolder::OutputFolder(OutputFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

OutputFolder::~OutputFolder() {
  if (lock_ < 0) return;
  unlink(lock_path().c_str());
  close(lock_);
}

std::string OutputFolder::path_of(const std::string& file) const { return (fs::path(path_) / file).string(); }

std::string OutputFolder::folder_of_run(std::size_t place, std::string_view label) const {
  std::string path = path_of(fmt::format("{:02}-{}", place + 1, in_file_name(label)));
  if (std::error_code ignored; fs::is_symlink(path, ignored)) {
    throw OutputError(fmt::format("{}: expected a folder, found a symbolic link", path));
  }
  return path;
}

std::string OutputFolder::buffer_file(std::string_view buffer) {
  return fmt::format("{}{}{}", kBufferPrefix, in_file_name(buffer), kBufferSuffix);
}

void OutputFolder::clear() const {
  for (const char* const file : kResults) {
    remove_file(path_of(file));
    remove_file(path_of(file) + ".tmp");
  }
  std::error_code error;
  std::vector<std::string> buffers;
  for (fs::directory_iterator entry(path_, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    const bool is_folder = fs::is_directory(entry->symlink_status(gone));
    if (!is_folder && is_buffer_file(entry->path().filename().string()))
      buffers.push_back(entry->path().string());
  }
  if (error) throw OutputError(fmt::format("{}: can't be read: {}", path_, error.message()));
  for (const std::string& path : buffers) remove_file(path);
}

void OutputFolder::clear_run(const std::string& path) {
  if (std::error_code ignored; !fs::is_directory(path, ignored)) return;
  {
    const OutputFolder folder(path, Wait::kShort);
    folder.clear();
    remove_file(folder.path_of(kMessagesFile));
  }
  rmdir(path.c_str());  // one in which something else lies stays
}

void OutputFolder::clear_runs(const std::vector<std::string>& kept) const {
  std::error_code error;
  std::vector<fs::path> folders;
  for (fs::directory_iterator entry(path_, error), end; !error && entry != end; entry.increment(error)) {
    const fs::file_status status = entry->symlink_status();
    const bool is_kept = std::find(kept.begin(), kept.end(), entry->path().string()) != kept.end();
    if (!is_kept && fs::is_directory(status) && is_run_folder(entry->path().filename().string())) {
      folders.push_back(entry->path());
    }
  }
  if (error) throw OutputError(fmt::format("{}: can't be read: {}", path_, error.message()));
  for (const fs::path& path : folders) clear_run(path.string());
}

void OutputFolder::write(const std::string& file, std::string_view text) const {
  write_file_atomically(path_of(file), text);
}

}  // namespace heddle
