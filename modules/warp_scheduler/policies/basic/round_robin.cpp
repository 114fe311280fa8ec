#include "modules/warp_scheduler/policies/basic/round_robin.h"

namespace heddle {

namespace {

hw::RegisterShape start_shape(const OwnWarps& warps) {
  hw::RegisterShape shape;
  shape.bits = hw::index_bits(warps.count());
  return shape;
}

}  // namespace

RoundRobin::RoundRobin(const hw::Owner& owner, const std::string& suffix, const OwnWarps& warps)
    : warps_(warps),
      selector_(owner, "selector" + suffix, warps.count(), hw::SelectorForm::kRotating, warps.count()),
      start_(owner_of_number(owner, warps.count()), "start" + suffix, start_shape(warps)) {
  owner.note("start*", kBaselineNote);
}

}  // namespace heddle
