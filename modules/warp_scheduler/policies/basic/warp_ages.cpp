#include "modules/warp_scheduler/policies/basic/warp_ages.h"

#include <string>

#include "modules/warp_scheduler/policies/basic/own_warps.h"

namespace heddle {

namespace {

hw::AgeOrderShape shape(const PolicyContext& context) {
  const OwnWarps own(context);
  hw::AgeOrderShape result;
  result.entries = own.count();
  result.first = own.warp(0);
  result.stride = own.stride();
  result.passes_over = true;
  return result;
}

}  // namespace

WarpAges::WarpAges(const hw::Owner& owner, const PolicyContext& context)
    : order_(owner, "age_order" + std::to_string(context.scheduler), shape(context)) {
  owner.note("age_order*", kBaselineNote);
}

}  // namespace heddle
