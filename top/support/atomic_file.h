#pragma once

#include <stdexcept>
#include <string>

namespace heddle {

/// A result that can't be written. what() names the path and the reason.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes `text` to a temporary file beside `path` and renames it: the file is complete or as it was before.
/// Throws OutputError, and then leaves no temporary file.
void write_file_atomically(const std::string& path, const std::string& text);

/// Creates the folder (and those above it) and proves that files can be written in it; throws OutputError.
void make_output_folder(const std::string& path);

}  // namespace heddle
