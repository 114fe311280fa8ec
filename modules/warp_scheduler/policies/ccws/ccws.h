#pragma once

#include "hw/logic/priority_selector.h"
#include "hw/logic/ratio_unit.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/counter_array.h"
#include "modules/warp_scheduler/policies/ccws/cutoff.h"
#include "modules/warp_scheduler/policies/ccws/detector.h"
#include "modules/warp_scheduler/shared_policy.h"

namespace heddle {

/// Cache-conscious wavefront scheduling (scheduler-details.md, "CCWS"): warps that lose locality in the L1D
/// gain a score, and the warps at the end of the order of scores may not issue global or local loads until
/// the scores have decayed. What else they do is not restricted.
///
/// A hit in a warp's victim tags sets its score to victim tag hits x k_throttle x cutoff / instructions
/// issued, both counted since the last kernel launch, in a unit that in hardware timing takes a step per bit;
/// warps whose hits come meanwhile wait, each once, the lowest first.
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
  std::uint64_t update(std::uint64_t cycle) override;
  void settle(std::uint64_t cycle) override;
  void report(StatSink& sink) const override;
  void trace(WaveSink& sink) override;
  void trace_state(WaveSink& sink) override;

  /// `issuable` without the loads of warps that are not eligible.
  WarpMask qualify(WarpMask issuable) const {
    const WarpMask held = issuable & ~cutoff_.eligible();
    return held == 0 ? issuable : issuable & ~table_.l1d_loads(held);
  }
  const CcwsCutoff& cutoff() const { return cutoff_; }
  std::uint64_t victim_tag_hits() const { return vta_hits_; }

 private:
  void lost_locality(std::uint64_t cycle, unsigned warp);
  void serve_hits(std::uint64_t cycle);
  void start_scoring(std::uint64_t cycle);
  void charge(std::uint64_t until);

  std::uint64_t instructions(std::uint64_t cycle);

  const WarpTable& table_;
  ServedWarps served_;
  const unsigned schedulers_;
  const std::uint64_t k_throttle_;
  hw::Owner owner_;
  CcwsDetector detector_;
  CcwsCutoff cutoff_;
  hw::CounterArray hits_;    ///< one: victim tag hits of this kernel
  hw::CounterArray issued_;  ///< by scheduler: instructions of this kernel
  hw::Adder issued_sum_;
  hw::BitVector hit_;  ///< warps whose score is to be set
  hw::PrioritySelector next_hit_;
  hw::RatioUnit ratio_;

  std::uint64_t scored_at_ = kNever;  ///< when the unit has the score of scored_warp_
  unsigned scored_warp_ = 0;
  std::uint64_t score_ = 0;

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
