#pragma once

#include "modules/warp_scheduler/known_loads.h"
#include "modules/warp_scheduler/policies/ccws/cutoff.h"
#include "modules/warp_scheduler/policies/ccws/detector.h"
#include "modules/warp_scheduler/policies/ccws/scoring.h"
#include "modules/warp_scheduler/shared_policy.h"

namespace heddle {

/// Cache-conscious wavefront scheduling (scheduler-details.md, "CCWS"): warps that lose locality in the L1D
/// gain a score, and the warps at the end of the order of scores may not issue global or local loads until
/// the scores have decayed. What else they do is not restricted.
///
/// In hardware timing what the L1D does in a cycle is looked up in it; a hit is known in the next one,
/// counted and heard by the scoring two cycles later.
class Ccws final : public SharedPolicy {
 public:
  /// Throws std::invalid_argument for parameters out of range.
  explicit Ccws(const SmContext& context);

  void on_kernel_start(const KernelEvent& event) override;
  void on_warp_start(const WarpEvent& event) override;
  void on_warp_finish(const WarpEvent& event) override;
  void on_issue(const IssueEvent& event) override;
  void on_l1d_access(const L1dAccess& event) override;
  void on_eviction(const L1dEviction& event) override;
  void on_store(const L1dStore& event) override;
  /// In ideal timing nothing but scores counts.
  bool calls_for_run() override { return hardware_ || cutoff_.unsorted(); }
  std::uint64_t update(std::uint64_t cycle) override;
  bool restless(std::uint64_t cycle) const override {
    return next() != kNever || cycle <= last_step_ + 1 || cutoff_.restless(cycle);
  }
  void settle(std::uint64_t cycle) override;
  void report(StatSink& sink) const override;
  void trace(WaveSink& sink) override;
  void trace_state(WaveSink& sink) override;

  /// `issuable` without the loads of warps that are not eligible.
  WarpMask qualify(WarpMask issuable) {
    const WarpMask held = issuable & ~cutoff_.eligible();
    return held == 0 ? issuable : issuable & ~loads_.of(table_, held);
  }
  const CcwsCutoff& cutoff() const { return cutoff_; }
  const CcwsDetector& detector() const { return detector_; }
  const CcwsScoring& scoring() const { return scoring_; }
  std::uint64_t victim_tag_hits() const { return vta_hits_; }

 private:
  void lost_locality(std::uint64_t cycle, unsigned warp);
  /// Hardware timing: when something happens next by itself.
  std::uint64_t next() const;
  /// Hardware timing: makes up what has happened by the begin of `cycle`.
  void advance(std::uint64_t cycle);
  void charge(std::uint64_t until);

  const WarpTable& table_;
  KnownLoads loads_;
  ServedWarps served_;
  const bool hardware_;
  hw::Owner owner_;
  CcwsDetector detector_;
  CcwsCutoff cutoff_;
  CcwsScoring scoring_;

  // Hardware timing.
  std::uint64_t found_at_ = kNever;    ///< a hit is counted by the begin of this cycle
  unsigned found_warp_ = 0;            ///< of this warp
  std::uint64_t last_step_ = 0;        ///< when something last happened by itself
  std::uint64_t cleared_at_ = kNever;  ///< when what was counted is 0, a hit of the same cycle included

  std::uint64_t vta_hits_ = 0;
  std::uint64_t vta_insertions_ = 0;
  std::uint64_t probes_ = 0;
  std::uint64_t throttled_cycles_ = 0;
  std::uint64_t throttled_warp_cycles_ = 0;
  std::uint64_t charged_until_ = 0;  ///< last cycle charged
  bool traced_ = false;
  bool shows_state_ = false;  ///< scores are shown whenever they are settled
};

}  // namespace heddle
