#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/stop.h"
#include "top/support/processes/exit_code.h"
#include "top/support/processes/interrupt.h"

namespace heddle {

/// What a command may take.
struct Budget {
  std::uint64_t memory_bytes = 0;  ///< resident, of all its processes; 0: three quarters of the machine's
  std::uint64_t seconds = 0;       ///< of wall-clock time; 0: no limit
};

/// Holds this process to a budget, and catches SIGINT and SIGTERM, while it lives. When a budget is used up
/// or a signal has come, all work is asked to end (base/stop.h). Who does not hear of it in time, or takes a
/// quarter more memory, is ended with a message and the exit code of the cause. Looks every 20 ms, by
/// SIGALRM. One at a time.
class BudgetGuard {
 public:
  explicit BudgetGuard(const Budget& budget);
  ~BudgetGuard();
  BudgetGuard(const BudgetGuard&) = delete;
  BudgetGuard& operator=(const BudgetGuard&) = delete;

 private:
  const InterruptGuard interrupts_;
};

/// The least budget of memory that is taken.
constexpr std::uint64_t kLeastMemoryBytes = std::uint64_t{64} << 20U;

/// The options that give each of `processes` that run side by side its share of the budget of this one.
std::vector<std::string> budget_arguments(unsigned processes);

/// "interrupted", or which budget is used up, as one line; `where` ("at core cycle 5") is told too. Not for
/// kNone.
std::string stop_text(StopCause cause, const std::string& where = "");
/// Not for kNone.
ExitCode exit_code_of(StopCause cause);

}  // namespace heddle
