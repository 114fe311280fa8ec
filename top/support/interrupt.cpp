#include "top/support/interrupt.h"

#include <csignal>

namespace heddle {

namespace {

volatile std::sig_atomic_t interrupted = 0;

void note(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupted = 0;
  std::signal(SIGINT, &note);
  std::signal(SIGTERM, &note);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::requested() { return interrupted != 0; }

}  // namespace heddle
