#include "modules/warp_scheduler/policies/oaws/locality.h"

#include "modules/warp_scheduler/policies/oaws/parameters.h"

namespace heddle {

LocalityWarps::LocalityWarps(const SmContext& context, DivergentLoadClassifier& classifier, GtoOrder::Use use)
    : order(context.hardware, context.gpu.core.warps, context.gpu.core.schedulers, use),
      ocw(context.hardware, context.values_of(oaws_parameters), context.gpu.core.warps,
          context.gpu.core.schedulers),
      classifier_(classifier),
      watch_(context.hardware, context.gpu) {}

void LocalityWarps::access(const L1dAccess& event) {
  if (event.outcome == L1dOutcome::kRefused || event.outcome == L1dOutcome::kQueued) return;
  watch_.access(event.cycle, event);
}

bool LocalityWarps::looked_up(const LoadLookedUp& event) {
  watch_.complete(event.cycle, classifier_.diverges(event.cycle, event.lines));
  if (!watch_.divergent()) return false;
  const bool sensitive = classifier_.record_sets(event.cycle, event.pc, watch_.sets());
  ++divergent_;
  divergent_cached_ += watch_.fully_cached();
  sensitive_ += sensitive;
  return ocw.load_done(event.cycle, watch_.fully_cached(), sensitive);
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
  if (event.bypasses_l1d || !classifier.diverges(event.cycle, event.lines)) return false;
  return classifier.record(event.cycle, event.pc, event.lines);
}

}  // namespace heddle
