#include "top/support/processes/out_of_memory.h"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "top/support/output/console.h"

namespace heddle {

namespace {

std::atomic<bool> ran_out{false};

void note() {
  ran_out = true;
  throw std::bad_alloc();
}

/// An exception that nobody caught, or that left what must not throw.
void tell_uncaught() {
  const std::exception_ptr thrown = std::current_exception();
  if (!thrown) return;
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    print_message("heddle: ended by an exception: " + std::string(error.what()) + "\n");
  } catch (...) {
    print_message("heddle: ended by an exception\n");
  }
}

[[noreturn]] void end() {
  if (ran_out) std::_Exit(static_cast<int>(report_no_memory()));
  tell_uncaught();
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
