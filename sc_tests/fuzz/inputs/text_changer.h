#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sc_tests/fuzz/target.h"

namespace heddle::fuzz {

/// Changes an input of a target whose inputs are text, so that a good part of what it makes is loaded: it
/// moves, copies and drops lines, exchanges names for others of the text and numbers for awkward ones, and
/// takes a fresh text now and then. The same seed makes the same change.
class TextChanger {
 public:
  /// Changes text byte by byte, to at most so many bytes.
  using ByteChanger = std::function<std::string(const std::string& text, std::size_t most_bytes)>;

  TextChanger(const Target& target, ByteChanger change_bytes, std::uint32_t seed)
      : target_(target), change_bytes_(std::move(change_bytes)), random_(seed) {}

  std::string change(std::string_view input, std::size_t most_bytes);

 private:
  std::uint32_t below(std::size_t count);
  std::string drawn_bytes(std::size_t count);
  std::string fresh();
  std::string change_once(std::string text);
  std::string change_lines(const std::string& text);
  std::string change_word(const std::string& text);

  const Target& target_;
  ByteChanger change_bytes_;
  std::mt19937 random_;
};

}  // namespace heddle::fuzz
