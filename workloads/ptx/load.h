#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "workloads/ptx/operation.h"

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

/// Parses PTX text (versions 3.0 to 9.x, clang's and nvcc's) and lowers every .entry: device functions are
/// inlined, branches get their immediate post-dominator, virtual registers get numbers by liveness.
/// `file` is used in messages. Throws PtxError.
Module load_text(std::string_view text, const std::string& file);

/// Reads the file and calls load_text. Throws PtxError (line 0) when it can't be read.
Module load_file(const std::string& path);

}  // namespace heddle::ptx
