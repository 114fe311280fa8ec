#include "modules/warp_scheduler/policies/least_issued_order.h"

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

LeastIssuedOrder::LeastIssuedOrder(const hw::Owner& owner, const GpuConfig& gpu)
    : issued_(owner, "issued", counters(gpu)), comparators_(owner, "issued_tree", tree(gpu)) {}

unsigned LeastIssuedOrder::select(std::uint64_t cycle, WarpMask issuable) {
  unsigned least = lowest_warp(issuable);
  for (WarpMask left = issuable & (issuable - 1); left != 0; left &= left - 1) {
    const unsigned warp = lowest_warp(left);
    if (comparators_.less(cycle, issued_.value(warp), issued_.value(least))) least = warp;
  }
  return least;
}

}  // namespace heddle
