#include "top/support/processes/interrupt.h"

#include <csignal>

#include "base/stop.h"

namespace heddle {

namespace {

unsigned guards = 0;

void note(int signal) {
  request_stop(StopCause::kInterrupt);
  std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  if (guards++ != 0) return;
  clear_stop();
  std::signal(SIGINT, &note);
  std::signal(SIGTERM, &note);
}

InterruptGuard::~InterruptGuard() {
  if (--guards != 0) return;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  clear_stop();
}

bool InterruptGuard::requested() { return stop_cause() != StopCause::kNone; }

}  // namespace heddle
