#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/observe.h"
#include "modules/warp_scheduler/policies/ipaws/issue_pattern.h"

namespace heddle {

enum class IpawsPhase : std::uint8_t {
  kAdapt,          ///< greedy, until the first warp finishes
  kJudge,          ///< greedy, the pattern is being judged
  kRecover,        ///< fewest issued instructions first
  kExecuteGreedy,  ///< concave
  kExecuteFair,    ///< convex
};
constexpr unsigned kNumIpawsPhases = 5;

/// Which phase iPAWS is in on an SM, and what its statistics and waves show of it.
class IpawsRecord {
 public:
  IpawsPhase phase() const { return static_cast<IpawsPhase>(wave_.phase); }
  /// A kernel begins, at `cycle`.
  void begin(std::uint64_t cycle);
  /// From `cycle` on, which may be the next one, cycles are those of `phase`. Whether the SM is empty in a
  /// cycle is not known before that has come: nothing is charged ahead.
  void enter(IpawsPhase phase, std::uint64_t cycle);
  /// The SM is empty from `cycle` on: its cycles are charged to no phase until begin() or resume().
  void pause(std::uint64_t cycle);
  void resume(std::uint64_t cycle);
  /// Charges the cycles up to and including `cycle`.
  void settle(std::uint64_t cycle) { charge(cycle + 1); }

  /// Warps of the kernel, the oldest first, and their instructions, until the pattern is judged.
  void start(unsigned warp);
  void count_issue(unsigned warp) { ++adapt_issued_[warp]; }
  /// The warp of the kernel that started first; kNoWarp before that.
  unsigned oldest() const { return num_warps_ == 0 ? kNoWarp : warps_[0]; }

  void judged(const IssuePattern& pattern, const IssuePattern::Verdict& verdict);
  void decided(bool convex);

  const IssuePattern::Verdict& last_verdict() const { return last_; }
  /// Charged so far (settle()).
  std::uint64_t cycles(IpawsPhase phase) const { return cycles_[static_cast<unsigned>(phase)]; }

  void report(StatSink& sink) const;
  void trace(WaveSink& sink);

 private:
  struct Wave {
    std::uint64_t phase = 0;
    std::uint64_t woi = 0;  ///< members of interest
    std::uint64_t score_sum = 0;
    std::uint64_t score_max = 0;
    std::uint64_t decision = 0;
  };
  enum Decision : std::uint8_t { kOpen, kConcave, kConvex };

  void charge(std::uint64_t cycle);

  std::array<std::uint8_t, kMaxWarps> warps_{};
  unsigned num_warps_ = 0;
  std::array<std::uint64_t, kMaxWarps> adapt_issued_{};  ///< by slot, of the present kernel
  Wave wave_;
  bool running_ = false;
  std::uint64_t since_ = 0;   ///< first cycle that is not charged
  std::uint64_t from_ = 0;    ///< first cycle of the present phase
  std::uint64_t before_ = 0;  ///< phase of those before it that are not charged
  std::array<std::uint64_t, kNumIpawsPhases> cycles_{};
  std::uint64_t kernels_ = 0, judgements_ = 0, convex_ = 0, concave_ = 0;
  std::uint64_t members_ = 0, of_interest_ = 0, score_sum_ = 0, half_sum_ = 0;
  IssuePattern::Verdict last_;
  std::array<std::uint64_t, kMaxWarps> issued_{};  ///< by age, all judgements added up
  std::array<std::uint64_t, kMaxWarps> scores_{};  ///< likewise
  std::array<std::uint64_t, kMaxWarps> stalls_{};  ///< likewise
};

}  // namespace heddle
