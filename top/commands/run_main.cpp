#include "top/commands/run_main.h"

#include <cstdlib>
#include <new>
#include <systemc>

#include "top/commands/run_command_line.h"
#include "top/support/output/console.h"
#include "top/support/output/unread_output.h"
#include "top/support/processes/out_of_memory.h"

namespace {

bool has_begun = false;  ///< sc_main()

}  // namespace

namespace heddle {

int run_main(int argc, char** argv) {
  expect_to_run_out_of_memory();
  occupy_standard_streams();
  outlive_failed_writes();
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);  // else SystemC's banner stands before every result
  setenv("SYSTEMC_MEMPOOL_DONT_USE", "1", 1);  // its own pool takes no note of memory that has run out
  const int code = sc_core::sc_elab_and_sim(argc, argv);
  // Before sc_main() SystemC does nothing but copy the arguments.
  return has_begun ? code : static_cast<int>(report_no_memory());
}

}  // namespace heddle

int sc_main(int argc, char** argv) {
  has_begun = true;
  try {
    return static_cast<int>(heddle::run_command_line({argv + 1, argv + argc}));
  } catch (const std::bad_alloc&) {  // of the arguments, or while another error was told
    return static_cast<int>(heddle::report_no_memory());
  }
}
