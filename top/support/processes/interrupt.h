#pragma once

namespace heddle {

/// Catches SIGINT and SIGTERM while it lives, and asks all work to end (base/stop.h), so that a run can end
/// cleanly; a second signal ends the process as if it were not caught. Of several at a time the first counts.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// A signal has come, or a budget is used up: work is to end.
  static bool requested();
};

}  // namespace heddle
