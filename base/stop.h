#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace heddle {

/// Why this process is to end its work.
enum class StopCause : std::uint8_t { kNone, kInterrupt, kMemory, kTime };

/// What throw_if_stopped() throws. No std::exception, so that nobody who handles errors takes it for one.
class Stopped {
 public:
  explicit Stopped(StopCause cause) : cause_(cause) {}
  StopCause cause() const { return cause_; }

 private:
  StopCause cause_;
};

namespace detail {
inline std::atomic<StopCause> stop_cause{StopCause::kNone};
inline std::atomic<bool> stop_heard{false};
[[noreturn]] void throw_stopped();
}  // namespace detail

/// Asks everybody to end. The first cause counts, or kInterrupt. May be called by a signal's handler.
void request_stop(StopCause cause) noexcept;
/// Nobody is asked to end any more.
void clear_stop() noexcept;
/// Whether somebody has taken notice of the request. May be called by a signal's handler.
bool stop_was_heard() noexcept;

/// Why to end; kNone: go on. Whoever gets another answer ends what it does.
inline StopCause stop_cause() noexcept {
  const StopCause cause = detail::stop_cause.load(std::memory_order_relaxed);
  if (cause != StopCause::kNone) detail::stop_heard.store(true, std::memory_order_relaxed);
  return cause;
}

/// For work that lasts: to be called every millisecond or so, or at each step when steps are small.
inline void throw_if_stopped() {
  if (detail::stop_cause.load(std::memory_order_relaxed) != StopCause::kNone) detail::throw_stopped();
}

}  // namespace heddle
