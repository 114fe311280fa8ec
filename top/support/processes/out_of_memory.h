#pragma once

#include "top/support/processes/exit_code.h"

namespace heddle {

/// From here on memory that runs out is told as such also where no exception may go (the program then ends
/// with kOutOfMemory), and where libraries make something else of it: SystemC another exception, a stream of
/// the standard library a text that can't be read as a number. ran_out_of_memory() tells then.
void expect_to_run_out_of_memory();
bool ran_out_of_memory();

/// Says it, without memory for a text.
ExitCode report_no_memory();

}  // namespace heddle
