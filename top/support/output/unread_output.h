#pragma once

#include "top/support/output/atomic_file.h"

namespace heddle {

/// Whoever read stdout, a pipe, has gone away, as `head -1` does when it has its line.
class UnreadOutput : public OutputError {
 public:
  using OutputError::OutputError;
};

/// Writing to a pipe that nobody reads, or beyond the limit of a file's size, is an error of the call and
/// does not end the program. At its start; programs that it starts are as ever.
void outlive_failed_writes();

/// False when stdout is a pipe that nobody reads any more.
bool output_is_read();

}  // namespace heddle
