#include "base/stop.h"

namespace heddle {

namespace detail {

void throw_stopped() { throw Stopped(heddle::stop_cause()); }

}  // namespace detail

void request_stop(StopCause cause) noexcept {
  StopCause none = StopCause::kNone;
  if (cause == StopCause::kInterrupt) {
    detail::stop_cause = cause;
  } else {
    detail::stop_cause.compare_exchange_strong(none, cause);
  }
}

void clear_stop() noexcept {
  detail::stop_cause = StopCause::kNone;
  detail::stop_heard = false;
}

bool stop_was_heard() noexcept { return detail::stop_heard; }

}  // namespace heddle
