#pragma once

#include <cstdint>

#include "hw/logic/priority_selector.h"
#include "hw/pricing/bits.h"
#include "hw/pricing/part.h"

namespace heddle::hw {

struct MinimumTreeShape {
  unsigned inputs = 24;  ///< 1 to 64: so many keys are wired, any of them
  unsigned bits = 32;    ///< of a key, 1 to 64
  unsigned count = 1;    ///< trees: one selection each per cycle
};

/// Finds the least of up to 64 keys, of equal keys the one of the lower index. A tree of two-input nodes,
/// log2(inputs) levels one after the other. A node compares its two keys and passes on the lesser one, its
/// index and whether there is one: a comparator, a multiplexer of key and index, and three gates.
///
/// Combinational: a selection takes cycles() (0 in ideal timing), and a tree that is cut into so many stages
/// begins one in every cycle.
class MinimumTree final : public Part {
 public:
  /// Throws std::invalid_argument for sizes outside the ranges of the shape.
  MinimumTree(const Owner& owner, std::string_view name, const MinimumTreeShape& shape);

  /// The input of `valid` whose key, keys[input] cut to the width, is the least; kNoInput when none is valid.
  unsigned least(Cycle cycle, std::uint64_t valid, const std::uint64_t* keys);

  Structure structure() const override;

 private:
  MinimumTreeShape shape_;
  std::uint64_t key_mask_;
  Ports trees_;
};

}  // namespace heddle::hw
