#include "top/support/processes/budget_guard.h"

#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include "base/memory_budget.h"
#include "top/support/processes/machine_memory.h"

namespace heddle {

namespace {

constexpr suseconds_t kLookMicroseconds = 20'000;
/// From a request until who has not heard of it is ended.
constexpr std::int64_t kInterruptPatienceMs = 700;
constexpr std::int64_t kTimePatienceMs = 3'000;
/// Beyond the budget, to end in order and write what there is.
constexpr std::uint64_t kLeastMarginBytes = std::uint64_t{256} << 20U;

// What the signal's handler reads; written before the first look.
std::int64_t ends_at_ms = 0;  ///< 0: never
std::int64_t asked_at_ms = 0;
std::uint64_t budget_seconds = 0;
std::uint64_t most_bytes = 0;  ///< 0: no budget
char last_words[3][128];       ///< by cause

std::int64_t now_ms() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

std::size_t index_of(StopCause cause) { return static_cast<std::size_t>(cause) - 1; }

[[noreturn]] void end_process(StopCause cause) {
  const char* const words = last_words[index_of(cause)];
  if (write(STDERR_FILENO, words, std::strlen(words)) < 0) _exit(static_cast<int>(exit_code_of(cause)));
  _exit(static_cast<int>(exit_code_of(cause)));
}

/// Calls nothing that a signal's handler may not.
void look(int /*signal*/) {
  const int error = errno;
  const std::int64_t now = now_ms();
  if (ends_at_ms != 0 && now >= ends_at_ms) request_stop(StopCause::kTime);
  const std::uint64_t budget = memory_budget();
  const std::uint64_t resident = budget == 0 ? 0 : resident_bytes();
  if (budget != 0 && resident > budget) request_stop(StopCause::kMemory);
  if (budget != 0 && resident > most_bytes) end_process(StopCause::kMemory);
  const StopCause cause = detail::stop_cause;
  if (cause != StopCause::kNone && !stop_was_heard()) {
    if (asked_at_ms == 0) asked_at_ms = now;
    const std::int64_t waited = now - asked_at_ms;
    if (cause == StopCause::kInterrupt && waited >= kInterruptPatienceMs) end_process(cause);
    if (cause == StopCause::kTime && waited >= kTimePatienceMs) end_process(cause);
  }
  errno = error;
}

void set_timer(suseconds_t microseconds) {
  itimerval timer{};
  timer.it_interval.tv_usec = microseconds;
  timer.it_value.tv_usec = microseconds;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

std::string stop_text(StopCause cause, const std::string& where) {
  const std::string place = where.empty() ? "" : " " + where;
  switch (cause) {
    case StopCause::kMemory:
      return fmt::format("stopped{}: the memory budget of {} is used up (--max-memory)", place,
                         memory_text(memory_budget()));
    case StopCause::kTime:
      return fmt::format("stopped{}: {} s have passed, the limit of --max-seconds", place, budget_seconds);
    default:
      return "interrupted" + place;
  }
}

ExitCode exit_code_of(StopCause cause) {
  switch (cause) {
    case StopCause::kMemory:
      return ExitCode::kMemoryLimit;
    case StopCause::kTime:
      return ExitCode::kTimeLimit;
    default:
      return ExitCode::kInterrupted;
  }
}

BudgetGuard::BudgetGuard(const Budget& budget) {
  const std::uint64_t bytes = budget.memory_bytes != 0 ? budget.memory_bytes : machine_memory_bytes() / 4 * 3;
  set_memory_budget(bytes);
  most_bytes = bytes + std::max(bytes / 4, kLeastMarginBytes);
  budget_seconds = budget.seconds;
  ends_at_ms = budget.seconds == 0 ? 0 : now_ms() + static_cast<std::int64_t>(budget.seconds) * 1000;
  asked_at_ms = 0;
  for (const StopCause cause : {StopCause::kInterrupt, StopCause::kMemory, StopCause::kTime}) {
    const std::string words = fmt::format("heddle: {}\n", stop_text(cause));
    char* const place = last_words[index_of(cause)];
    place[words.copy(place, sizeof(last_words[0]) - 1)] = '\0';
  }
  struct sigaction action {};
  action.sa_handler = &look;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  set_timer(kLookMicroseconds);
}

BudgetGuard::~BudgetGuard() {
  set_timer(0);
  std::signal(SIGALRM, SIG_IGN);
  set_memory_budget(0);
}

std::vector<std::string> budget_arguments(unsigned processes) {
  if (memory_budget() == 0) return {};
  const std::uint64_t share = std::max(memory_budget() / processes, kLeastMemoryBytes);
  return {"--max-memory", std::to_string(share)};
}

}  // namespace heddle
