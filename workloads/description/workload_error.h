#pragma once

#include <stdexcept>
#include <string>

namespace heddle {

/// Where a value stands in a workload file: 1-based line and column, 0 when unknown.
struct SourceMark {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;

  /// "FILE:LINE:COLUMN", or "FILE" when the line is unknown.
  std::string text() const {
    return line == 0 ? file : file + ":" + std::to_string(line) + ":" + std::to_string(column);
  }
};

/// A workload that can't be used. what() is "FILE:LINE:COLUMN: message".
class WorkloadError : public std::runtime_error {
 public:
  WorkloadError(const SourceMark& mark, const std::string& message)
      : std::runtime_error(mark.text() + ": " + message) {}
};

}  // namespace heddle
