#include "top/text/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace heddle {

namespace {

constexpr std::size_t kUsualWidth = 80;

/// Set and not empty.
const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

std::size_t terminal_width(int descriptor) {
  if (const char* columns = variable("COLUMNS"); columns != nullptr) {
    std::size_t width = 0;
    const char* end = columns + std::strlen(columns);
    const auto [stop, error] = std::from_chars(columns, end, width);
    if (error == std::errc() && stop == end && width != 0) return width;
  }
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : kUsualWidth;
}

bool wants_colour() {
  const char* terminal = variable("TERM");
  return variable("NO_COLOR") == nullptr && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

ColourChoice& chosen() {
  static ColourChoice choice = ColourChoice::kAuto;
  return choice;
}

const char* code_of(Ink ink) {
  switch (ink) {
    case Ink::kBold:
      return "1";
    case Ink::kFaint:
      return "2";
    case Ink::kGood:
      return "32";
    case Ink::kBad:
      return "31";
    case Ink::kAccent:
      return "36";
    default:
      return "0";
  }
}

}  // namespace

TextLayout layout_of(std::FILE* stream, ColourChoice choice) {
  const int descriptor = fileno(stream);
  const bool terminal = isatty(descriptor) != 0;
  return {terminal ? terminal_width(descriptor) : 0,
          choice == ColourChoice::kAlways || (choice == ColourChoice::kAuto && terminal && wants_colour())};
}

void choose_colour(ColourChoice choice) { chosen() = choice; }

TextLayout stdout_layout() { return layout_of(stdout, chosen()); }

std::string inked(std::string_view text, Ink ink, bool colour) {
  if (!colour || ink == Ink::kPlain || text.empty()) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", code_of(ink), text);
}

}  // namespace heddle
