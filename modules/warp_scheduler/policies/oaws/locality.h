#pragma once

#include <memory>
#include <vector>

#include "hw/storage/pipeline.h"
#include "hw/storage/register.h"
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
  /// A load has left the L1D. True when OCW changed: in ideal timing.
  bool looked_up(const LoadLookedUp& event);
  /// In hardware timing loads that have left go on, a stage a cycle: sets are counted, then compared with the
  /// accesses, then CNT and OCW change, which shows in the fourth cycle. True when OCW changed.
  bool update(hw::Cycle cycle) { return !stages_.empty() && advance(cycle); }
  /// When update() must be called again.
  std::uint64_t next_time(hw::Cycle cycle) const { return stages_.empty() ? kNever : cycle + 1; }

  GtoOrder order;
  OcwEstimator ocw;

  void report(StatSink& sink) const;
  void trace(WaveSink& sink) const;

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  /// A divergent load that has left.
  struct Left {
    hw::Cycle cycle = 0;
    std::uint64_t pc = 0;
    unsigned sets = 0;
    bool fully_cached = false;
    bool sensitive = false;
  };
  /// Registers of the hardware timing.
  struct Stages {
    explicit Stages(const hw::Owner& owner);

    hw::Register pc;       ///< of the load that has left
    hw::Pipeline counted;  ///< it is there, and fully cached; accesses and sets of its entry
    hw::Pipeline rated;    ///< it is there, fully cached, sensitive
  };

  bool advance(hw::Cycle cycle);

  DivergentLoadClassifier& classifier_;
  LoadWatch watch_;
  std::unique_ptr<Stages> parts_;
  std::vector<Left> stages_;
  std::uint64_t divergent_ = 0;
  std::uint64_t divergent_cached_ = 0;
  std::uint64_t sensitive_ = 0;
};

/// Tells the classifier of a coalesced load if it is divergent. True when that was not known.
bool classify(DivergentLoadClassifier& classifier, const LoadCoalesced& event);

}  // namespace heddle
