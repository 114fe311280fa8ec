#include "modules/warp_scheduler/policies/basic/least_issued_order.h"

#include "hw/pricing/gates.h"

namespace heddle {

hw::CounterArrayShape LeastIssuedOrder::counters(const GpuConfig& gpu) {
  hw::CounterArrayShape shape;
  shape.entries = gpu.core.warps;
  shape.bits = kCounterBits;
  shape.read_ports = 0;
  shape.write_ports = 0;
  shape.adders = 0;
  shape.clear = true;
  shape.amount_bits = 1;
  shape.counts_in_place = true;
  return shape;
}

hw::MinimumTreeShape LeastIssuedOrder::tree(const GpuConfig& gpu) {
  hw::MinimumTreeShape shape;
  shape.inputs = (gpu.core.warps + gpu.core.schedulers - 1) / gpu.core.schedulers;
  shape.bits = kCounterBits;
  shape.count = gpu.core.schedulers;
  return shape;
}

hw::ComparatorShape LeastIssuedOrder::behind_tree(const GpuConfig& gpu) {
  hw::ComparatorShape shape;
  shape.bits = kCounterBits;
  shape.count = gpu.core.warps;
  shape.cycles = 1;  // a stage of its own
  return shape;
}

LeastIssuedOrder::LeastIssuedOrder(const hw::Owner& owner, const GpuConfig& gpu)
    : issued_(owner, "issued", counters(gpu)),
      tree_(owner, "issued_tree", tree(gpu)),
      behind_tree_(owner, "issued_behind_tree", behind_tree(gpu)),
      choices_(gpu.core.schedulers) {
  owner.declare_path("from ready to passed over",
                     choice_path()
                         .through("to each warp", hw::gates::fan_out_fo4(tree(gpu).inputs))
                         .then(behind_tree_.structure().path)
                         .through("one is there, stale", 2 * hw::gates::kGateFo4));
}

unsigned LeastIssuedOrder::select(std::uint64_t cycle, WarpMask issuable) {
  unsigned least = lowest_warp(issuable);
  Choice& choice = choices_[least % choices_.size()];
  if (choice.cycle != cycle) choice = {cycle, 0};
  if (++choice.times == 1) return tree_.least(cycle, issuable, issued_.values());
  for (WarpMask left = issuable & (issuable - 1); left != 0; left &= left - 1) {
    const unsigned warp = lowest_warp(left);
    // From the third time on everything has been compared.
    const bool fewer = choice.times > 2 ? issued_.value(warp) < issued_.value(least)
                                        : behind_tree_.less(cycle, issued_.value(warp), issued_.value(least));
    if (fewer) least = warp;
  }
  return least;
}

}  // namespace heddle
