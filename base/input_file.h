#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace heddle {

/// A file that can't be read as input. what() is "PATH: " and problem().
class InputFileError : public std::runtime_error {
 public:
  InputFileError(const std::string& path, const std::string& problem)
      : std::runtime_error(path + ": " + problem), problem_(problem) {}
  const std::string& problem() const { return problem_; }

 private:
  std::string problem_;
};

/// A regular file, open for reading. What is none (a folder, device, pipe or socket) is neither opened nor
/// waited for. Reading ends when it is asked to (base/stop.h).
class InputFile {
 public:
  /// Throws InputFileError.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::uint64_t bytes() const { return bytes_; }
  /// From its beginning to its end; throws InputFileError when that is more than `most_bytes`.
  std::string text(std::uint64_t most_bytes);
  /// The next bytes; throws InputFileError when there are fewer.
  void read(std::uint8_t* target, std::uint64_t bytes);

 private:
  /// At most `bytes`; 0 at the end.
  std::uint64_t read_some(char* target, std::uint64_t bytes);

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t bytes_ = 0;
};

/// InputFile(path).text(most_bytes)
std::string read_input_file(const std::string& path, std::uint64_t most_bytes);

}  // namespace heddle
