#pragma once

#include <list>

#include "hw/order/age_order.h"
#include "modules/warp_scheduler/policy_events.h"

namespace heddle {

/// GTO's order of an SM's unfinished warps by age, as OAWS ranks them: an age order per scheduler, since each
/// scheduler has its own GTO. Rank r of scheduler s counts as r x schedulers + s, so that the first n ranks
/// are shared out evenly (OAWS 4.3.1: "each warp scheduler needs at least one active warp"). Plain C++.
class GtoOrder {
 public:
  enum class Use : std::uint8_t { kRanks, kOldest };  ///< rank() or oldest()

  GtoOrder(const hw::Owner& owner, unsigned warps, unsigned schedulers, Use use);

  void start(hw::Cycle cycle, unsigned warp);
  void finish(unsigned warp);

  /// Warps that have a rank.
  WarpMask ranked() const { return ranked_; }
  unsigned rank(hw::Cycle cycle, unsigned warp);
  /// From a warp to its rank.
  hw::TimingPath rank_path() const { return orders_.front().rank_path(); }
  /// The warps of rank below `count`, when those of `passed_over` have none.
  WarpMask oldest(unsigned count, WarpMask passed_over);
  /// The same, for inspection.
  WarpMask first(unsigned count, WarpMask passed_over) const;

 private:
  unsigned schedulers_;
  std::list<hw::AgeOrder> orders_;  ///< of warp slots / schedulers
  std::vector<hw::AgeOrder*> order_of_;
  WarpMask ranked_ = 0;
};

}  // namespace heddle
