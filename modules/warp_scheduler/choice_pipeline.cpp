#include "modules/warp_scheduler/choice_pipeline.h"

#include <string>

namespace heddle {

namespace {

unsigned warps_of(WarpMask mask) { return static_cast<unsigned>(__builtin_popcountll(mask)); }

hw::PipelineShape stages_shape(WarpMask supervised, unsigned cycles) {
  const unsigned warps = warps_of(supervised);
  return {warps + hw::index_bits(warps) + 1, cycles - 1};
}

}  // namespace

ChoicePipeline::ChoicePipeline(const hw::Owner& owner, unsigned scheduler, WarpMask supervised,
                               unsigned cycles)
    : cycles_(cycles),
      stages_(owner, "stages" + std::to_string(scheduler), stages_shape(supervised, cycles)),
      under_way_(owner, "under_way" + std::to_string(scheduler), hw::Wires{supervised}),
      can_issue_(owner, "can_issue" + std::to_string(scheduler), {warps_of(supervised), 1, 1}) {
  for (const char* part : {"stages*", "under_way*"}) {
    owner.note(part, "a choice that takes several cycles; the papers' take none");
  }
  entries_.reserve(cycles);
}

ChoicePipeline::Choice ChoicePipeline::arrive(std::uint64_t cycle) {
  if (entries_.empty() || entries_.front().arrives > cycle) return {};
  const Choice choice = entries_.front().choice;
  entries_.erase(entries_.begin());
  under_way_.clear_bits(choice.passed_over | warp_bit_if_any(choice.warp));
  can_issue_.read(cycle);
  return choice;
}

void ChoicePipeline::begin(std::uint64_t cycle, const Choice& choice) {
  const WarpMask warps = choice.passed_over | warp_bit_if_any(choice.warp);
  if (warps == 0) return;
  stages_.enter(cycle);
  under_way_.set_bits(warps);
  entries_.push_back({cycle + cycles_ - 1, choice});
}

void ChoicePipeline::report(StatSink& sink) const {
  const StatScope scope(sink, "choice");
  sink.level("cycles", cycles_, "cycles", "from what a warp is chosen by to its issue, both included");
  sink.count("issued", issued_, "choices", "chosen warps that issued");
  sink.count("lost", lost_, "choices", "chosen warps that could not issue any more when they arrived");
}

}  // namespace heddle
