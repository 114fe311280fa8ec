#include "modules/warp_scheduler/policies/basic/least_issued_order.h"

#include <algorithm>

namespace heddle {

hw::CounterArrayShape LeastIssuedOrder::counters(const GpuConfig& gpu) {
  hw::CounterArrayShape shape;
  shape.entries = gpu.core.warps;
  shape.read_ports = 0;
  shape.write_ports = 0;
  shape.adders = 0;
  shape.clear = true;
  shape.amount_bits = 1;
  shape.counts_in_place = true;
  return shape;
}

hw::ComparatorShape LeastIssuedOrder::tree(const GpuConfig& gpu) {
  hw::ComparatorShape shape;
  // A tree over n warps has n - 1 comparators; it is cut into stages that work in every cycle.
  shape.count = std::max(1U, gpu.core.warps - std::min(gpu.core.warps, gpu.core.schedulers));
  shape.cycles = 1;
  return shape;
}

hw::ComparatorShape LeastIssuedOrder::behind_tree(const GpuConfig& gpu) {
  hw::ComparatorShape shape = tree(gpu);
  shape.count = gpu.core.warps;
  return shape;
}

LeastIssuedOrder::LeastIssuedOrder(const hw::Owner& owner, const GpuConfig& gpu)
    : issued_(owner, "issued", counters(gpu)),
      comparators_(owner, "issued_tree", tree(gpu)),
      behind_tree_(owner, "issued_behind_tree", behind_tree(gpu)),
      choices_(gpu.core.schedulers) {}

unsigned LeastIssuedOrder::select(std::uint64_t cycle, WarpMask issuable) {
  unsigned least = lowest_warp(issuable);
  Choice& choice = choices_[least % choices_.size()];
  if (choice.cycle != cycle) choice = {cycle, 0};
  ++choice.times;
  for (WarpMask left = issuable & (issuable - 1); left != 0; left &= left - 1) {
    const unsigned warp = lowest_warp(left);
    // From the third time on everything has been compared.
    const bool fewer = choice.times > 2 ? issued_.value(warp) < issued_.value(least)
                       : choice.times == 2
                           ? behind_tree_.less(cycle, issued_.value(warp), issued_.value(least))
                           : comparators_.less(cycle, issued_.value(warp), issued_.value(least));
    if (fewer) least = warp;
  }
  return least;
}

}  // namespace heddle
