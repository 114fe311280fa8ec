#include "top/support/output/unread_output.h"

#include <poll.h>
#include <unistd.h>

#include <csignal>

namespace heddle {

namespace {

void go_on(int /*signal*/) {}

}  // namespace

void outlive_failed_writes() {
  // Handlers end with exec(); SIG_IGN would be handed on to programs that are started.
  std::signal(SIGPIPE, &go_on);
  std::signal(SIGXFSZ, &go_on);
}

bool output_is_read() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return poll(&output, 1, 0) <= 0 || (output.revents & POLLERR) == 0;
}

}  // namespace heddle
