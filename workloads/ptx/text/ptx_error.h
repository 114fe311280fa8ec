#pragma once

#include <stdexcept>
#include <string>

namespace heddle::ptx {

/// PTX that can't be read or is not supported. what() is "FILE:LINE:COLUMN: message" with the instruction or
/// token found and what was expected.
class PtxError : public std::runtime_error {
 public:
  PtxError(const std::string& file, unsigned line, unsigned column, const std::string& message);
  unsigned line() const { return line_; }
  unsigned column() const { return column_; }

 private:
  unsigned line_;
  unsigned column_;
};

}  // namespace heddle::ptx
