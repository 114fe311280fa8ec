#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace heddle {

/// Writes `text` to stderr, after what is still to be written to stdout. That there is no one to tell it to
/// (stderr is closed, or a file on a full disk) is no error.
void print_message(std::string_view text);

template <typename... Values>
void tell(fmt::format_string<Values...> format, Values&&... values) {
  print_message(fmt::format(format, std::forward<Values>(values)...));
}

/// Descriptors 0 to 2 that are closed, so that no file is opened as one of them: what is written to stdout
/// then fails. At the start of the program.
void occupy_standard_streams();

/// Writes out what stands in stdout's buffer. Throws OutputError when some of the output could not be
/// written, UnreadOutput when nobody reads it.
void finish_output();

}  // namespace heddle
