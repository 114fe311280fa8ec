#include "modules/warp_scheduler/policies/oaws/locality.h"

#include <algorithm>

#include "modules/warp_scheduler/policies/oaws/parameters.h"

namespace heddle {

namespace {

constexpr unsigned kAmountBits = 10;  // of accesses, and of sets

/// The lines of a load as OAWS's hardware has them: more than lanes are as many as lanes. Lanes that load 16
/// bytes each from local memory have four lines each.
unsigned told_lines(unsigned lines) { return std::min(lines, kWarpSize); }

}  // namespace

LocalityWarps::Stages::Stages(const hw::Owner& owner)
    : pc(owner, "learn_pc", {DivergentLoadClassifier::kPcBits}),
      counted(owner, "learn_counted", {2 + 2 * kAmountBits, 1}),
      rated(owner, "learn_rated", {3, 1}) {}

LocalityWarps::LocalityWarps(const SmContext& context, DivergentLoadClassifier& classifier, GtoOrder::Use use)
    : order(context.hardware, context.gpu.core.warps, context.gpu.core.schedulers, use),
      ocw(context.hardware, context.values_of(oaws_parameters), context.gpu.core.warps,
          context.gpu.core.schedulers),
      classifier_(classifier),
      watch_(context.hardware, context.gpu) {
  if (context.hardware.timing != hw::Timing::kHardware) return;
  parts_ = std::make_unique<Stages>(context.hardware);
  context.hardware.declare_path("learn", classifier.count_path());
  for (const char* part : {"learn_pc", "learn_counted", "learn_rated"}) {
    context.hardware.note(part,
                          "a register of the hardware timing, in which a load is learnt from in stages");
  }
}

void LocalityWarps::access(const L1dAccess& event) {
  if (event.outcome == L1dOutcome::kRefused || event.outcome == L1dOutcome::kQueued) return;
  watch_.access(event.cycle, event);
}

bool LocalityWarps::looked_up(const LoadLookedUp& event) {
  watch_.complete(event.cycle, classifier_.diverges(event.cycle, told_lines(event.lines)));
  if (!watch_.divergent()) return false;
  const Left left{event.cycle, event.pc, watch_.sets(), watch_.fully_cached(), false};
  ++divergent_;
  divergent_cached_ += left.fully_cached;
  if (parts_) {
    parts_->pc.write(event.cycle, event.pc);
    stages_.push_back(left);
    return false;
  }
  const bool sensitive = classifier_.record_sets(event.cycle, event.pc, left.sets);
  sensitive_ += sensitive;
  return ocw.load_done(event.cycle, left.fully_cached, sensitive);
}

bool LocalityWarps::advance(hw::Cycle cycle) {
  constexpr hw::Cycle kCount = 1, kRate = 2, kDone = 4;
  bool changed = false;
  std::size_t done = 0;
  for (Left& left : stages_) {  // the first to leave first
    if (cycle == left.cycle + kCount) {
      classifier_.count_sets(cycle, left.pc, left.sets);
      parts_->counted.enter(cycle);
    } else if (cycle == left.cycle + kRate) {
      left.sensitive = classifier_.sensitive(cycle);
      sensitive_ += left.sensitive;
      parts_->rated.enter(cycle);
    } else if (cycle == left.cycle + kDone) {
      changed |= ocw.load_done(cycle - 1, left.fully_cached, left.sensitive);
      ++done;
    }
  }
  stages_.erase(stages_.begin(), stages_.begin() + static_cast<std::ptrdiff_t>(done));
  return changed;
}

void LocalityWarps::report(StatSink& sink) const {
  ocw.report(sink);
  sink.count("divergent_loads", divergent_, "instructions", "divergent loads that OCW learnt from");
  sink.count("divergent_loads_fully_cached", divergent_cached_, "instructions",
             "of these, loads that hit with every access");
  sink.count("divergent_loads_associativity_sensitive", sensitive_, "instructions",
             "of these, loads whose accesses are more than 1.5 x the sets that they touch");
}

void LocalityWarps::trace(WaveSink& sink) const {
  ocw.trace(sink);
  watch_.trace(sink);
}

bool classify(DivergentLoadClassifier& classifier, const LoadCoalesced& event) {
  const unsigned lines = told_lines(event.lines);
  if (event.bypasses_l1d || !classifier.diverges(event.cycle, lines)) return false;
  return classifier.record(event.cycle, event.pc, lines);
}

}  // namespace heddle
