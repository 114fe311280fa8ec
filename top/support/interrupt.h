#pragma once

namespace heddle {

/// Catches SIGINT and SIGTERM while it lives, so that a run can end cleanly; a second signal ends the process
/// as if it were not caught. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// A signal has come.
  static bool requested();
};

}  // namespace heddle
