#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::test {

/// Choices drawn from bytes: the same bytes make the same choices. When they are used up, every choice is the
/// first one, so that generators which end on it end.
class ChoiceStream {
 public:
  explicit ChoiceStream(std::string_view bytes) : bytes_(bytes) {}

  bool used_up() const { return position_ >= bytes_.size(); }

  std::uint32_t byte() { return used_up() ? 0 : static_cast<unsigned char>(bytes_[position_++]); }
  std::uint32_t word() {
    std::uint32_t value = byte();
    for (unsigned i = 1; i < 4; ++i) value = value << 8U | byte();
    return value;
  }

  /// 0 .. count - 1, for 1 <= count <= 256.
  std::uint32_t below(std::size_t count) { return byte() % static_cast<std::uint32_t>(count); }
  /// low .. high, for at most 256 values.
  std::uint32_t between(std::uint32_t low, std::uint32_t high) { return low + below(high - low + 1); }
  /// In one of `n` cases; never when the bytes are used up.
  bool one_in(std::uint32_t n) { return below(n) == n - 1; }

  template <class List>
  const auto& one_of(const List& list) {
    return list[below(list.size())];
  }

 private:
  std::string_view bytes_;
  std::size_t position_ = 0;
};

}  // namespace heddle::test
