#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

/// A set of port numbers below a size fixed at construction, as words of bits. The first word, of most
/// machines the only one, is in the set itself, beside what else its owner needs.
class PortSet {
 public:
  static constexpr unsigned kWordBits = 64;

  explicit PortSet(unsigned size = 0) : more_(size <= kWordBits ? 0 : (size - 1) / kWordBits, 0) {}

  void set(unsigned port) { word(port / kWordBits) |= bit(port); }
  void clear(unsigned port) { word(port / kWordBits) &= ~bit(port); }
  bool test(unsigned port) const { return (word(port / kWordBits) & bit(port)) != 0; }
  bool any() const {
    if (first_ != 0) return true;
    for (const std::uint64_t word : more_) {
      if (word != 0) return true;
    }
    return false;
  }
  /// Two members or more.
  bool several() const {
    if ((first_ & (first_ - 1)) != 0) return true;
    std::uint64_t found = first_;
    for (const std::uint64_t word : more_) {
      if ((word & (word - 1)) != 0 || (word != 0 && found != 0)) return true;
      found |= word;
    }
    return false;
  }
  /// Calls visit(port) in ascending order; visit may clear ports, and sets made by it below the present port
  /// or in the present word are not visited.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint64_t left = first_; left != 0; left &= left - 1) visit(lowest(left));
    for (std::size_t w = 0; w < more_.size(); ++w) {
      const auto first = static_cast<unsigned>((w + 1) * kWordBits);
      for (std::uint64_t left = more_[w]; left != 0; left &= left - 1) visit(first + lowest(left));
    }
  }
  /// The first member at or after `from`, wrapping round; the set must not be empty.
  unsigned next_from(unsigned from) const {
    std::size_t w = from / kWordBits;
    std::uint64_t found = word(w) & (~std::uint64_t{0} << (from % kWordBits));
    while (found == 0) {
      w = w + 1 == words() ? 0 : w + 1;
      found = word(w);
    }
    return static_cast<unsigned>(w * kWordBits) + lowest(found);
  }

  std::size_t words() const { return 1 + more_.size(); }
  /// Word w holds the ports from w * kWordBits on.
  std::uint64_t& word(std::size_t w) { return w == 0 ? first_ : more_[w - 1]; }
  const std::uint64_t& word(std::size_t w) const { return w == 0 ? first_ : more_[w - 1]; }

  static std::uint64_t bit(unsigned port) { return std::uint64_t{1} << (port % kWordBits); }
  static unsigned lowest(std::uint64_t word) { return static_cast<unsigned>(__builtin_ctzll(word)); }

 private:
  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> more_;
};

}  // namespace heddle
