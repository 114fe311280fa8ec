#pragma once

#include <vector>

#include "hw/logic/comparator.h"
#include "hw/logic/minimum_tree.h"
#include "hw/storage/counter_array.h"
#include "modules/warp_scheduler/policy.h"

namespace heddle {

/// Orders the warps of an SM by the instructions that they have issued, fewest first. Its parts are a counter
/// per warp and, per scheduler, a tree that finds the least. A scheduler may meet warps with stale I-buffers,
/// empty these and go on in the same cycle; a comparator per warp, after the tree, finds which warps come
/// before the one that it ends at.
class LeastIssuedOrder {
 public:
  static constexpr unsigned kCounterBits = 32;  ///< of a counter, which wraps

  /// `owner` gets the parts.
  LeastIssuedOrder(const hw::Owner& owner, const GpuConfig& gpu);

  void start(unsigned warp) { issued_.clear(warp); }
  void count_issue(unsigned warp) { issued_.count(warp); }
  /// Instructions since the warp started.
  std::uint64_t issued(unsigned warp) const { return issued_.value(warp); }

  /// The warp of `issuable` (not empty) with the fewest instructions; of equals the lowest slot.
  unsigned select(std::uint64_t cycle, WarpMask issuable);

  hw::TimingPath choice_path() const { return tree_.structure().path; }
  void trace(WaveSink& sink) const { issued_.trace(sink); }

 private:
  static hw::CounterArrayShape counters(const GpuConfig& gpu);
  static hw::MinimumTreeShape tree(const GpuConfig& gpu);
  static hw::ComparatorShape behind_tree(const GpuConfig& gpu);

  hw::CounterArray issued_;
  hw::MinimumTree tree_;
  hw::Comparator behind_tree_;
  struct Choice {
    std::uint64_t cycle = ~std::uint64_t{0};
    unsigned times = 0;  ///< that the scheduler has asked in `cycle`
  };
  std::vector<Choice> choices_;  ///< by scheduler
};

}  // namespace heddle
