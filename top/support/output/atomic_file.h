#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace heddle {

/// A result that can't be written. what() names the path and the reason.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes all of `text`, by as many calls as that takes: 0, or the error (errno).
int write_all(int descriptor, std::string_view text);

/// A file that is there whole, or as it was before: it is written under another name, PATH.tmp, and renamed
/// at its end. Of several that are written to one path at the same time each is whole, and the one that is
/// finished last stays. Devices are written as they are. What goes wrong is kept until the end, so that a
/// simulation can write.
class WholeFile {
 public:
  explicit WholeFile(const std::string& path);
  /// Without finish() nothing is left.
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(std::string_view text);
  /// Puts the file in its place; whether everything could be written.
  bool finish();

  bool failed() const { return error_ != 0; }
  /// What went wrong: "PATH: can't write: REASON".
  std::string problem() const;

 private:
  void fail(int error);

  const std::string path_;
  std::string temporary_;
  int descriptor_ = -1;  ///< locked, by which others see that somebody writes the file
  int error_ = 0;        ///< the first that happened (errno)
};

/// Writes `text` as a WholeFile; throws OutputError.
void write_file_atomically(const std::string& path, std::string_view text);

}  // namespace heddle
