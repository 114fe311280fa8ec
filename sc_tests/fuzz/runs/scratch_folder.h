#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace heddle::fuzz {

/// The process's own folder below the one for temporary files (TMPDIR), for readers that read files.
class ScratchFolder {
 public:
  static ScratchFolder& get() {
    static ScratchFolder folder;
    return folder;
  }

  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string path() const { return path_.string(); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  /// Where it was written.
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream stream(path_ / name, std::ios::binary);
    stream << text;
    return file(name);
  }

 private:
  ScratchFolder()
      : path_(std::filesystem::temp_directory_path() / ("heddle_fuzz." + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }

  std::filesystem::path path_;
};

}  // namespace heddle::fuzz
