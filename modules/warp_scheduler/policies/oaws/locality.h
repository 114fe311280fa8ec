#pragma once

#include "modules/warp_scheduler/policies/oaws/classifier.h"
#include "modules/warp_scheduler/policies/oaws/ocw.h"
#include "modules/warp_scheduler/policies/oaws/order.h"
#include "modules/warp_scheduler/policies/oaws/watch.h"
#include "modules/warp_scheduler/shared_policy.h"

namespace heddle {

/// Learns which warps are locality warps (OAWS 4.3.1): the GTO order, OCW, and the registers that watch the
/// loads at the L1D's exit. Plain C++.
class LocalityWarps {
 public:
  LocalityWarps(const SmContext& context, DivergentLoadClassifier& classifier, GtoOrder::Use use);

  void access(const L1dAccess& event);
  /// A load has left the L1D. True when OCW changed.
  bool looked_up(const LoadLookedUp& event);

  GtoOrder order;
  OcwEstimator ocw;

  void report(StatSink& sink) const;
  void trace(WaveSink& sink) const;

 private:
  DivergentLoadClassifier& classifier_;
  LoadWatch watch_;
  std::uint64_t divergent_ = 0;
  std::uint64_t divergent_cached_ = 0;
  std::uint64_t sensitive_ = 0;
};

/// Tells the classifier of a coalesced load if it is divergent. True when that was not known.
bool classify(DivergentLoadClassifier& classifier, const LoadCoalesced& event);

}  // namespace heddle
