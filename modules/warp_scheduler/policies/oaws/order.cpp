#include "modules/warp_scheduler/policies/oaws/order.h"

#include <string>

namespace heddle {

GtoOrder::GtoOrder(const hw::Owner& owner, unsigned warps, unsigned schedulers, Use use)
    : schedulers_(schedulers) {
  hw::AgeOrderShape shape;
  shape.select_ports = 0;
  shape.rank_ports = use == Use::kRanks ? 1 : 0;
  shape.first_n = use == Use::kOldest;
  for (unsigned s = 0; s < schedulers; ++s) {
    shape.entries = s < warps ? (warps - s - 1) / schedulers + 1 : 1;
    orders_.emplace_back(owner, "gto_order" + std::to_string(s), shape);
    order_of_.push_back(&orders_.back());
  }
  owner.note("gto_order*",
             "GTO has to know who is older as well, in an order of its own; ranks are read from this one");
}

void GtoOrder::start(hw::Cycle cycle, unsigned warp) {
  ranked_ |= warp_bit(warp);
  order_of_[warp % schedulers_]->append(cycle, warp / schedulers_);
}

void GtoOrder::finish(unsigned warp) {
  ranked_ &= ~warp_bit(warp);
  order_of_[warp % schedulers_]->remove(warp / schedulers_);
}

unsigned GtoOrder::rank(hw::Cycle cycle, unsigned warp) {
  const unsigned scheduler = warp % schedulers_;
  return order_of_[scheduler]->rank(cycle, warp / schedulers_) * schedulers_ + scheduler;
}

WarpMask GtoOrder::oldest(unsigned count, WarpMask passed_over) {
  WarpMask result = 0;
  for (unsigned s = 0; s < schedulers_ && s < count; ++s) {
    std::uint64_t among = 0;
    for (WarpMask left = ranked_ & ~passed_over; left != 0; left &= left - 1) {
      const unsigned warp = lowest_warp(left);
      if (warp % schedulers_ == s) among |= std::uint64_t{1} << warp / schedulers_;
    }
    const unsigned own = (count - s + schedulers_ - 1) / schedulers_;
    for (std::uint64_t left = order_of_[s]->oldest_n(among, own); left != 0; left &= left - 1) {
      result |= warp_bit(lowest_warp(left) * schedulers_ + s);
    }
  }
  return result;
}

WarpMask GtoOrder::first(unsigned count, WarpMask passed_over) const {
  WarpMask result = 0;
  for (unsigned s = 0; s < schedulers_; ++s) {
    const hw::AgeOrder& order = *order_of_[s];
    unsigned rank = s;
    for (unsigned i = 0; i < order.size() && rank < count; ++i) {
      const WarpMask warp = warp_bit(order.at(i) * schedulers_ + s);
      if ((warp & passed_over) != 0) continue;
      result |= warp;
      rank += schedulers_;
    }
  }
  return result;
}

}  // namespace heddle
