#pragma once

#include "hw/pricing/part.h"

namespace heddle::hw {

/// The number of set bits of up to 64 inputs, of several such at once. Combinational; it takes cycles() (0 in
/// ideal timing).
class PopulationCount final : public Part {
 public:
  /// `inputs` 1 to 64, `count` such counts, 1 to 64. Throws std::invalid_argument otherwise.
  PopulationCount(const Owner& owner, std::string_view name, unsigned inputs, unsigned count = 1);

  /// The same count is made `times` times.
  unsigned count(std::uint64_t bits, std::uint64_t times = 1) {
    activity_.adds += times;
    return static_cast<unsigned>(__builtin_popcountll(bits));
  }

  Structure structure() const override;

 private:
  unsigned inputs_;
  unsigned count_;
};

}  // namespace heddle::hw
