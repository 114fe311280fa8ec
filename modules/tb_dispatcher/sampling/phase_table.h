#pragma once

#include <cstddef>
#include <vector>

#include "workloads/launch/functional_tb.h"

namespace heddle {

/// Tells phases of a launch apart by what its TBs execute: how many warp instructions, and which parts of the
/// program (TBPoint clusters TBs likewise, by counts of instructions). Phases are numbered from 0 in the
/// order of their first sight.
class PhaseTable {
 public:
  static constexpr std::size_t kMost = 16;
  /// Parts of the program differ: half the sum of the differences of their shares.
  static constexpr double kMixDistance = 0.05;
  /// The warp instructions of a TB differ, over the larger.
  static constexpr double kSizeDistance = 0.25;

  static constexpr std::size_t kNone = ~std::size_t{0};

  /// The phase that such TBs belong to, kNone when they are of none. `work` is of one TB at least. When the
  /// table is full, the nearest.
  std::size_t find(const TbWork& work) const;
  /// A new phase, of which `work` is an example.
  std::size_t add(const TbWork& work);
  std::size_t size() const { return examples_.size(); }

 private:
  std::vector<TbWork> examples_;
};

}  // namespace heddle
