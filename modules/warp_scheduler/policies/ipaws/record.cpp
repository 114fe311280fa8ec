#include "modules/warp_scheduler/policies/ipaws/record.h"

#include <algorithm>

namespace heddle {

void IpawsRecord::begin(std::uint64_t cycle) {
  enter(IpawsPhase::kAdapt, cycle);
  charge(cycle);
  running_ = true;
  ++kernels_;
  num_warps_ = 0;
  adapt_issued_.fill(0);
  wave_.woi = 0;
  wave_.score_sum = 0;
  wave_.score_max = 0;
  wave_.decision = kOpen;
}

/// One that had its slot before is forgotten.
void IpawsRecord::start(unsigned warp) {
  auto* const end = warps_.begin() + num_warps_;
  num_warps_ = static_cast<unsigned>(std::remove(warps_.begin(), end, warp) - warps_.begin());
  warps_[num_warps_++] = static_cast<std::uint8_t>(warp);
  adapt_issued_[warp] = 0;
}

void IpawsRecord::enter(IpawsPhase phase, std::uint64_t cycle) {
  if (from_ <= cycle) {
    charge(from_);
    before_ = wave_.phase;
  }
  from_ = cycle;
  wave_.phase = static_cast<std::uint64_t>(phase);
}

void IpawsRecord::pause(std::uint64_t cycle) {
  charge(cycle);
  running_ = false;
}

void IpawsRecord::resume(std::uint64_t cycle) {
  charge(cycle);
  running_ = true;
}

void IpawsRecord::charge(std::uint64_t cycle) {
  if (cycle <= since_) return;
  const std::uint64_t changes = std::clamp(from_, since_, cycle);
  if (running_) {
    cycles_[before_] += changes - since_;
    cycles_[wave_.phase] += cycle - changes;
  }
  since_ = cycle;
}

void IpawsRecord::judged(const IssuePattern& pattern, const IssuePattern::Verdict& verdict) {
  last_ = verdict;
  ++judgements_;
  members_ += verdict.members;
  of_interest_ += verdict.of_interest;
  score_sum_ += verdict.score_sum;
  half_sum_ += verdict.half_sum;
  for (unsigned position = 0; position < num_warps_; ++position) {
    issued_[position] += adapt_issued_[warps_[position]];
  }
  for (unsigned position = 0; position < verdict.members; ++position) {
    scores_[position] += pattern.score(pattern.member_at(position));
    stalls_[position] += pattern.stalls(pattern.member_at(position));
    if (position < verdict.of_interest) wave_.woi |= std::uint64_t{1} << pattern.member_at(position);
  }
  wave_.score_sum = verdict.score_sum;
  wave_.score_max = verdict.score_max;
}

void IpawsRecord::decided(bool convex) {
  ++(convex ? convex_ : concave_);
  wave_.decision = convex ? kConvex : kConcave;
}

void IpawsRecord::report(StatSink& sink) const {
  sink.count("kernels", kernels_, "kernels", "kernels that began on the SM");
  sink.count("judgements", judgements_, "kernels", "of these, judged by the SM itself");
  sink.count("convex", convex_, "kernels", "of the kernels, decided to be convex: fair scheduler");
  sink.count("concave", concave_, "kernels", "of the kernels, decided to be concave: greedy scheduler");
  sink.count("members", members_, "counters", "counters in use at the judgements: warps, or TBs");
  sink.count("of_interest", of_interest_, "counters", "of these, of interest (WOI)");
  sink.count("score_sum", score_sum_, "instructions", "scores of those of interest at the judgements");
  sink.count("twice_threshold", half_sum_, "instructions", "WOI times the highest of these scores");
  sink.level("degree_of_convexity",
             last_.half_sum == 0
                 ? 0
                 : 2 * static_cast<double>(last_.score_sum) / static_cast<double>(last_.half_sum),
             "1", "sum of the scores over the threshold, at the last judgement; at least 1: convex");
  const auto phase = [this](IpawsPhase p) { return cycles_[static_cast<unsigned>(p)]; };
  sink.count("cycles_adapt", phase(IpawsPhase::kAdapt), "cycles", "in the Adapt phase, with TBs on the SM");
  sink.count("cycles_judge", phase(IpawsPhase::kJudge), "cycles", "greedy, while the pattern is judged");
  sink.count("cycles_recover", phase(IpawsPhase::kRecover), "cycles", "in the Recover phase");
  sink.count("cycles_execute_greedy", phase(IpawsPhase::kExecuteGreedy), "cycles", "concave kernels");
  sink.count("cycles_execute_fair", phase(IpawsPhase::kExecuteFair), "cycles", "convex kernels");
  for (unsigned position = 0; position < kMaxWarps; ++position) {
    const StatScope scope(sink, "age" + std::to_string(position));
    sink.count("issued", issued_[position], "instructions",
               "issued at the judgements by the warp of this place in the order of age, 0 the oldest");
    sink.count("iscore", scores_[position], "instructions",
               "instruction-issue score at the judgements of the warp, or TB, of this place");
    sink.count("stall", stalls_[position], "cycles",
               "stall counter at the judgements of the warp, or TB, of this place");
  }
}

void IpawsRecord::trace(WaveSink& sink) {
  sink.enumeration(wave_.phase, "phase", {"adapt", "judge", "recover", "execute_greedy", "execute_fair"});
  sink.enumeration(wave_.decision, "decision", {"open", "concave", "convex"});
  sink.mask(wave_.woi, kMaxWarps, "woi");
  sink.signal(wave_.score_sum, 39, "score_sum");
  sink.signal(wave_.score_max, 32, "score_max");
}

}  // namespace heddle
