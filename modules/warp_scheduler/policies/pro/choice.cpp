#include "modules/warp_scheduler/policies/pro/choice.h"

#include "hw/pricing/gates.h"

namespace heddle {

namespace {

std::string of_scheduler(const char* part, const PolicyContext& context) {
  return part + std::to_string(context.scheduler);
}

hw::ComparatorShape passed_over(unsigned bits, unsigned count) {
  hw::ComparatorShape shape;
  shape.bits = bits;
  shape.count = count;
  return shape;
}

}  // namespace

Pro::Pro(const PolicyContext& context)
    : shared_(context.shared_as<ProPolicy>()),
      requests_(context.hardware.child("pro"), of_scheduler("tb_requests", context),
                {context.gpu.core.tb_slots, own_warps(context), false}),
      tb_selector_(context.hardware.child("pro"), of_scheduler("tb_selector", context),
                   {context.gpu.core.tb_slots, hw::index_bits(context.gpu.core.tb_slots), 1}),
      warp_selector_(context.hardware.child("pro"), of_scheduler("warp_selector", context),
                     {own_warps(context), hw::index_bits(context.gpu.core.warps), 1}),
      tbs_passed_over_(context.hardware.child("pro"), of_scheduler("tbs_passed_over", context),
                       passed_over(hw::index_bits(context.gpu.core.tb_slots), context.gpu.core.tb_slots)),
      warps_passed_over_(context.hardware.child("pro"), of_scheduler("warps_passed_over", context),
                         passed_over(hw::index_bits(context.gpu.core.warps), own_warps(context))),
      tb_slots_(context.gpu.core.tb_slots) {
  context.hardware.child("pro").declare_path(
      "from ready to passed over", choice_path()
                                       .through("to each warp", hw::gates::fan_out_fo4(own_warps(context)))
                                       .then(warps_passed_over_.structure().path)
                                       .through("of that TB, stale", 2 * hw::gates::kGateFo4));
}

unsigned Pro::select(std::uint64_t cycle, WarpMask issuable) {
  const ProOrder& order = shared_.order();
  const ProBlocks& blocks = shared_.blocks();
  issuable &= ~order.arriving();
  if (cycle != asked_at_) {
    asked_at_ = cycle;
    passed_ = false;
    const std::uint64_t requests =
        requests_.with_any(issuable, [&blocks](unsigned slot) { return blocks.warps(slot); });
    const unsigned slot = tb_selector_.least(cycle, requests & blocks.resident(), order.tb_ranks());
    if (slot == hw::kNoInput) return kNoWarp;
    return warp_selector_.least(cycle, issuable & blocks.warps(slot), order.warp_ranks());
  }
  // Behind a stale warp: the lines of those that come before the choice.
  for (unsigned i = 0; i < order.num_tbs(); ++i) {
    const unsigned slot = order.tbs()[i];
    const WarpMask among = issuable & blocks.warps(slot);
    if (among == 0) continue;
    unsigned first = lowest_warp(among);
    for (WarpMask left = among; left != 0; left &= left - 1) {
      const unsigned warp = lowest_warp(left);
      const std::uint64_t rank = order.warp_ranks()[warp];
      const std::uint64_t least = order.warp_ranks()[first];
      if (passed_ ? rank < least : warps_passed_over_.less(cycle, rank, least)) first = warp;
    }
    for (unsigned tb = 0; tb < order.num_tbs() && !passed_; ++tb) {
      static_cast<void>(tbs_passed_over_.less(cycle, order.tb_ranks()[order.tbs()[tb]], i));
    }
    passed_ = true;
    return first;
  }
  return kNoWarp;
}

hw::TimingPath Pro::choice_path() const {
  hw::TimingPath of_tb;
  of_tb.through("warps of the TB", hw::gates::equality_fo4(hw::index_bits(tb_slots_)) + hw::gates::kGateFo4);
  return hw::TimingPath()
      .then(requests_.structure().path)
      .then(tb_selector_.structure().path)
      .then(of_tb)
      .then(warp_selector_.structure().path);
}

}  // namespace heddle
