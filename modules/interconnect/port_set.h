#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

/// A set of port numbers below a size fixed at construction, as words of bits.
class PortSet {
 public:
  static constexpr unsigned kWordBits = 64;

  explicit PortSet(unsigned size = 0) : words_((size + kWordBits - 1) / kWordBits, 0) {}

  void set(unsigned port) { words_[port / kWordBits] |= bit(port); }
  void clear(unsigned port) { words_[port / kWordBits] &= ~bit(port); }
  bool test(unsigned port) const { return (words_[port / kWordBits] & bit(port)) != 0; }
  bool any() const {
    for (const std::uint64_t word : words_) {
      if (word != 0) return true;
    }
    return false;
  }
  /// Two members or more.
  bool several() const {
    std::uint64_t found = 0;
    for (const std::uint64_t word : words_) {
      if ((word & (word - 1)) != 0 || (word != 0 && found != 0)) return true;
      found |= word;
    }
    return false;
  }
  /// Calls visit(port) in ascending order; visit may clear ports, and sets made by it below the present port
  /// or in the present word are not visited.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1) {
        visit(static_cast<unsigned>(w * kWordBits) + static_cast<unsigned>(__builtin_ctzll(left)));
      }
    }
  }
  /// The first member at or after `from`, wrapping round; the set must not be empty.
  unsigned next_from(unsigned from) const {
    std::size_t w = from / kWordBits;
    std::uint64_t word = words_[w] & (~std::uint64_t{0} << (from % kWordBits));
    while (word == 0) {
      w = w + 1 == words_.size() ? 0 : w + 1;
      word = words_[w];
    }
    return static_cast<unsigned>(w * kWordBits) + static_cast<unsigned>(__builtin_ctzll(word));
  }

  std::size_t words() const { return words_.size(); }
  /// Word w holds the ports from w * kWordBits on.
  std::uint64_t& word(std::size_t w) { return words_[w]; }

  static std::uint64_t bit(unsigned port) { return std::uint64_t{1} << (port % kWordBits); }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace heddle
