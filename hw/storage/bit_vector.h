#pragma once

#include "hw/pricing/bits.h"
#include "hw/pricing/part.h"

namespace heddle::hw {

/// Which bits of a mask a vector has, the others being 0 for ever.
struct Wires {
  std::uint64_t mask = 0;
};

/// A register of single bits, each with a set and a clear line of its own: any number of bits may change in a
/// cycle, and all are visible as wires.
class BitVector final : public Part {
 public:
  /// `bits` 1 to 64, all 0 at first. Throws std::invalid_argument otherwise.
  BitVector(const Owner& owner, std::string_view name, unsigned bits, PaperCount paper = PaperCount::kNot);
  /// As many bits as are wired, at their places in the masks.
  BitVector(const Owner& owner, std::string_view name, Wires wires, PaperCount paper = PaperCount::kNot);

  std::uint64_t value() const { return value_; }
  bool test(unsigned index) const { return (value_ >> index & 1U) != 0; }
  /// Sets, clears or loads all bits of `mask`; bits beyond the width are cut off. One access each.
  void set_bits(std::uint64_t mask) { change(value_ | mask); }
  void clear_bits(std::uint64_t mask) { change(value_ & ~mask); }
  void load(std::uint64_t mask) { change(mask); }

  Structure structure() const override;
  void trace(WaveSink& sink) const override;

 private:
  unsigned bits() const { return static_cast<unsigned>(__builtin_popcountll(mask_)); }
  unsigned index_of_last() const { return 63U - static_cast<unsigned>(__builtin_clzll(mask_)); }
  void change(std::uint64_t value) {
    ++activity_.writes;
    value_ = value & mask_;
  }

  std::uint64_t mask_;
  std::uint64_t value_ = 0;
};

}  // namespace heddle::hw
