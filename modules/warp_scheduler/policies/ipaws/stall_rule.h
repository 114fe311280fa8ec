#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "hw/logic/multiplexer.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/register.h"
#include "modules/config/gpu_config.h"
#include "modules/warp_scheduler/policies/ipaws/parameters.h"
#include "modules/warp_scheduler/policy_events.h"

namespace heddle {

/// Among which warps the oldest is charged for a cycle in which nothing issued. iPAWS 3.2 counts "the number
/// of times each warp is stalled even though it is the oldest warp", which can be read in several ways
/// (scheduler-details.md, "iPAWS").
class StallRule {
 public:
  /// `owner` gets the parts. Throws SettingError for kOldestReady with another time than
  /// kNoneIssues, which would charge nothing.
  StallRule(const hw::Owner& owner, const GpuConfig& gpu);

  /// Tells which warp issued. Of several of an SM in a cycle the first counts, in hardware timing that of the
  /// lowest scheduler. `running`: warps that count. Of a pair of SMs others are passed over, of an SM that
  /// decides by itself they are tried, too.
  void issued(std::uint64_t cycle, unsigned warp, WarpMask running);
  /// Its exit has issued: it is tried no more.
  void finished(unsigned warp);
  /// The one to be charged for `stall`, of an SM, is found without looking for the oldest of some warps: it
  /// is the one that is tried first, or the oldest of all.
  bool charges_first_or_oldest() const {
    return per_sm_ && (of_ == IpawsStallOf::kFirstTried || of_ == IpawsStallOf::kOldest);
  }
  /// The warps among which the oldest is charged for the cycles of `stall`; none: nothing is charged. Those
  /// of a scheduler, or of the SM when `stall` is that of the last of its schedulers. `running`: warps that
  /// count.
  WarpMask candidates(const StallEvent& stall, WarpMask running);

  void trace(WaveSink& sink) const;

 private:
  /// What has been told of the SM's schedulers that stalled from `first_cycle` on.
  struct Span {
    std::uint64_t first_cycle = 0;
    unsigned schedulers = 0;
    WarpMask valid = 0;
    WarpMask passed = 0;
  };

  unsigned place_of(unsigned scheduler) const { return per_sm_ ? 0 : scheduler; }
  WarpMask choose(unsigned place, WarpMask valid, WarpMask passed, WarpMask running) const;

  const IpawsStallOf of_;
  const IpawsStallWhen when_;
  const bool per_sm_;
  /// Stalls are those of the warps that count: the SM has another kernel's, too, which has nothing to do with
  /// the decision (iPAWS 4.3).
  const bool of_kernel_alone_;
  const unsigned schedulers_;
  std::array<WarpMask, kMaxSchedulers> own_{};  ///< the warps of each scheduler
  std::array<WarpMask, kMaxSchedulers>
      last_{};  ///< for kFirstTried, by scheduler or of the SM: issued last, runs
  std::uint64_t issued_at_ = ~std::uint64_t{0};  ///< cycle of the last issue that counted
  Span span_;                                    ///< of the SM
  // What last_ says, but for the warp when several schedulers issue in a cycle and the lowest one runs last.
  std::deque<hw::Register> tried_;
  std::deque<hw::BitVector> runs_;
  std::deque<hw::Multiplexer> counts_;  ///< whether the one that is tried first is of the kernel
  hw::BitVector charged_;               ///< who is charged, in the cycle behind the stall
  const bool hardware_;
  unsigned lowest_ = 0;  ///< of the SM, hardware timing: scheduler of the last issue that counted
};

}  // namespace heddle
