#include "top/support/out_of_memory.h"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>

#include "top/support/console.h"

namespace heddle {

namespace {

std::atomic<bool> ran_out{false};

void note() {
  ran_out = true;
  throw std::bad_alloc();
}

[[noreturn]] void end() {
  if (ran_out) std::_Exit(static_cast<int>(report_no_memory()));
  std::abort();
}

}  // namespace

void expect_to_run_out_of_memory() {
  std::set_new_handler(&note);
  std::set_terminate(&end);
}

bool ran_out_of_memory() { return ran_out; }

ExitCode report_no_memory() {
  print_message("heddle: out of memory\n");
  return ExitCode::kOutOfMemory;
}

}  // namespace heddle
