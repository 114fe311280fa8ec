#include "top/support/output/console.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "top/support/output/unread_output.h"

namespace heddle {

void print_message(std::string_view text) {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The wrong way round: reading or writing is an error, as with a closed one.
    if (fcntl(stream, F_GETFD) < 0) {
      static_cast<void>(open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    }
  }
}

void finish_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  if (!output_is_read()) throw UnreadOutput("standard output: nobody reads it");
  throw OutputError(errno == 0 ? "standard output: can't write all of it"
                               : fmt::format("standard output: can't write: {}", std::strerror(errno)));
}

}  // namespace heddle
