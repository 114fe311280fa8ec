#pragma once

#include <vector>

#include "base/observe.h"
#include "hw/logic/multiplexer.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/pipeline.h"
#include "modules/warp_scheduler/warp_table.h"

namespace heddle {

/// A scheduler's choice of a warp that takes several cycles: one is begun in every cycle, by what can issue
/// then, and takes effect `cycles` - 1 cycles later. A warp that has been chosen is not chosen again while it
/// is on its way. When it arrives and can't issue, the slot is lost.
///
/// What stages cost: between two of them the warps that are still in question and the number that has been
/// found so far; a bit per warp for those on their way; the bit of the arriving warp out of those that can
/// issue. Plain C++.
class ChoicePipeline {
 public:
  struct Choice {
    unsigned warp = kNoWarp;
    WarpMask passed_over = 0;  ///< come before it, and have a stale I-buffer
  };

  /// Of `scheduler`, which supervises so many warps; `cycles` 2 to 64. `owner` gets the parts.
  ChoicePipeline(const hw::Owner& owner, unsigned scheduler, WarpMask supervised, unsigned cycles);

  unsigned cycles() const { return cycles_; }
  /// Warps of choices that have not taken effect.
  WarpMask under_way() const { return under_way_.value(); }
  /// What was chosen `cycles` - 1 cycles before `cycle`: taken out. To be called in every cycle in which
  /// something is under way.
  Choice arrive(std::uint64_t cycle);
  /// What is chosen in `cycle`, at most once in it.
  void begin(std::uint64_t cycle, const Choice& choice);
  /// The arriving warp could issue, or not.
  void used() { ++issued_; }
  void lost() { ++lost_; }

  void report(StatSink& sink) const;

 private:
  struct Entry {
    std::uint64_t arrives;
    Choice choice;
  };

  unsigned cycles_;
  hw::Pipeline stages_;
  hw::BitVector under_way_;
  hw::Multiplexer can_issue_;
  std::vector<Entry> entries_;  ///< the oldest first
  std::uint64_t issued_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace heddle
