#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace heddle {

/// What a text is laid out for.
struct TextLayout {
  std::size_t width = 0;  ///< columns of the terminal; 0: no limit
  bool colour = false;
};

enum class ColourChoice : std::uint8_t { kAuto, kAlways, kNever };

/// Of a terminal: its width by the environment variable COLUMNS or by what it says itself (80 when neither
/// does), and colour unless NO_COLOR is set or TERM is "dumb". Of anything else: no limit, no colour. A
/// choice other than kAuto is followed whatever there is.
TextLayout layout_of(std::FILE* stream, ColourChoice choice);

/// What --color says, for stdout_layout(); kAuto at first.
void choose_colour(ColourChoice choice);
TextLayout stdout_layout();

enum class Ink : std::uint8_t { kPlain, kBold, kFaint, kGood, kBad, kAccent };
/// `text` in a colour, when there are colours.
std::string inked(std::string_view text, Ink ink, bool colour);

}  // namespace heddle
