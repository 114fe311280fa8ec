#include "modules/warp_scheduler/policies/basic/greedy_oldest.h"

#include <string>

namespace heddle {

namespace {

hw::RegisterShape last_shape(const OwnWarps& own) {
  hw::RegisterShape shape;
  shape.bits = hw::index_bits(own.count());
  return shape;
}

}  // namespace

GreedyOldest::GreedyOldest(const hw::Owner& owner, const PolicyContext& context)
    : own_(context),
      last_(owner, "last_issued" + std::to_string(context.scheduler), last_shape(own_)),
      runs_(owner, "last_runs" + std::to_string(context.scheduler), 1),
      ages_(owner, context),
      either_(owner, "either" + std::to_string(context.scheduler), {2, own_.count(), 1}) {
  owner.note("last_issued*", kBaselineNote);
  owner.note("last_runs*", kBaselineNote);
}

void GreedyOldest::trace(WaveSink& sink) const {
  ages_.trace(sink);
  last_.trace(sink);
  runs_.trace(sink);
}

}  // namespace heddle
