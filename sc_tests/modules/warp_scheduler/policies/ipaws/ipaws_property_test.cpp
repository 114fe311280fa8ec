// What must hold whatever happens on an SM under iPAWS.
#include <gtest/gtest.h>

#include <random>

#include "modules/warp_scheduler/policies/ipaws/parameters.h"
#include "sc_tests/modules/warp_scheduler/policies/ipaws/ipaws_rig.h"

namespace heddle {
namespace {

using testing::IpawsSm;

struct Variant {
  const char* name;
  IpawsCounters counters;
  bool recover;
  bool warps_of_interest;
  IpawsDecider decider;
  hw::Timing timing;
  IpawsStallOf stall_of = IpawsStallOf::kFirstTried;
  IpawsStallScope stall_scope = IpawsStallScope::kScheduler;
};

/// TBs of four warps in four slots; each warp has its own number of instructions, some of them barriers.
class RandomSm {
 public:
  RandomSm(const GpuConfig& config, PolicyBoard& board, unsigned sm, unsigned seed)
      : sm_(config, board, sm, true), random_(seed) {}

  /// Returns false when all TBs have ended.
  bool step(std::uint64_t cycle) {
    sm_.begin(cycle);
    for (unsigned slot = 0; slot < kSlots; ++slot) {
      if (left_[slot] == 0 && tbs_ < kTbs && chance(3)) start(slot);
    }
    const IpawsPhase before = sm_.phase();
    for (unsigned s = 0; s < 2; ++s) issue(s);
    release();
    check(before);
    return tbs_ < kTbs || running_ != 0;
  }
  IpawsSm& sm() { return sm_; }
  std::uint64_t idle_cycles_with_ready() const { return wasted_; }

 private:
  static constexpr unsigned kSlots = 4;
  static constexpr unsigned kTbWarps = 4;
  static constexpr unsigned kTbs = 24;

  bool chance(unsigned one_in) { return random_() % one_in == 0; }

  void start(unsigned slot) {
    std::vector<unsigned> warps;
    for (unsigned i = 0; i < kTbWarps; ++i) {
      const unsigned w = slot * kTbWarps + i;
      warps.push_back(w);
      instructions_[w] = 5 + static_cast<unsigned>(random_() % 40);
      running_ |= warp_bit(w);
    }
    left_[slot] = kTbWarps;
    // Three kernels one after the other, as the TBs come.
    sm_.start_tb(slot, 1 + tbs_ / (kTbs / 3), warps);
    ++tbs_;
  }

  void issue(unsigned scheduler) {
    WarpMask own = 0;
    for (unsigned w = scheduler; w < kSlots * kTbWarps; w += 2) own |= warp_bit(w);
    const WarpMask passed = own & running_ & ~waiting_ & random_() & random_();
    const WarpMask issuable = chance(3) ? 0 : passed;
    const unsigned w = issuable == 0 ? kNoWarp : sm_.select(issuable, scheduler);
    if (w == kNoWarp) {
      wasted_ += issuable != 0;
      sm_.stall(scheduler, own & running_ & ~waiting_, passed);
      return;
    }
    ASSERT_NE(issuable & warp_bit(w), 0U) << "selected a warp that may not issue";
    if (--instructions_[w] == 0) {
      sm_.finish(w);
      running_ &= ~warp_bit(w);
      if (--left_[w / kTbWarps] == 0) end(w / kTbWarps);
    } else if (instructions_[w] % 8 == 0) {
      sm_.arrive(w);
      waiting_ |= warp_bit(w);
    } else {
      sm_.issue(w);
    }
  }

  void end(unsigned slot) { sm_.retire_tb(slot, {slot * 4, slot * 4 + 1, slot * 4 + 2, slot * 4 + 3}); }

  void release() {
    for (unsigned slot = 0; slot < kSlots; ++slot) {
      const WarpMask tb = WarpMask{0xf} << slot * kTbWarps;
      if ((waiting_ & tb) == 0 || (waiting_ & tb) != (running_ & tb)) continue;
      sm_.release(waiting_ & tb);
      waiting_ &= ~tb;
    }
  }

  /// The phases follow each other as the paper says.
  void check(IpawsPhase before) {
    const IpawsPhase now = sm_.phase();
    if (before != now) {
      EXPECT_EQ(now, IpawsPhase::kJudge) << "phases change between cycles, but for judging";
    }
    const IssuePattern::Verdict& verdict = sm_.policy->record().last_verdict();
    EXPECT_LE(verdict.of_interest, verdict.members);
    EXPECT_EQ(verdict.convex, verdict.members != 0 && 2 * verdict.score_sum >= verdict.half_sum);
    EXPECT_LE(verdict.score_max, verdict.score_sum);
  }

  IpawsSm sm_;
  std::mt19937 random_;
  std::array<unsigned, kMaxWarps> instructions_{};
  std::array<unsigned, kSlots> left_{};
  WarpMask running_ = 0;
  WarpMask waiting_ = 0;
  unsigned tbs_ = 0;
  std::uint64_t wasted_ = 0;
};

class IpawsPropertyTest : public ::testing::TestWithParam<Variant> {};

TEST_P(IpawsPropertyTest, RandomKernelsEndAndDecisionsAgree) {
  GpuConfig config;
  config.core.warps = 16;
  config.core.tb_slots = 4;
  config.scheduler.timing = GetParam().timing;
  IpawsParameters& ipaws = config.scheduler.settings.edit(ipaws_parameters);
  ipaws.convex_eighths = kEighthsOfOne;
  ipaws.counters = GetParam().counters;
  ipaws.recover = GetParam().recover;
  ipaws.warps_of_interest = GetParam().warps_of_interest;
  ipaws.decider = GetParam().decider;
  ipaws.stall_of = GetParam().stall_of;
  ipaws.stall_when = IpawsStallWhen::kNoneIssues;
  ipaws.stall_scope = GetParam().stall_scope;
  unsigned judged = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    PolicyBoard board(1);
    RandomSm sm(config, board, 0, seed);
    std::uint64_t cycle = 1;
    while (sm.step(cycle)) {
      ASSERT_LT(++cycle, 100000U) << "seed " << seed << ": some warp starves";
    }
    EXPECT_EQ(sm.idle_cycles_with_ready(), 0U) << "GTO, RR and least issued leave no ready cycle unused";
    judged += sm.sm().policy->record().last_verdict().members != 0;
  }
  EXPECT_EQ(judged, 40U);
}

INSTANTIATE_TEST_SUITE_P(
    Variants, IpawsPropertyTest,
    ::testing::Values(
        Variant{"plain", IpawsCounters::kWarp, true, true, IpawsDecider::kFirstSm, hw::Timing::kIdeal},
        Variant{"tb", IpawsCounters::kTb, true, true, IpawsDecider::kFirstSm, hw::Timing::kIdeal},
        Variant{"no_recover", IpawsCounters::kWarp, false, true, IpawsDecider::kFirstSm, hw::Timing::kIdeal},
        Variant{"no_woi", IpawsCounters::kWarp, true, false, IpawsDecider::kFirstSm, hw::Timing::kIdeal},
        Variant{"each_sm", IpawsCounters::kWarp, true, true, IpawsDecider::kEachSm, hw::Timing::kIdeal},
        Variant{"hardware", IpawsCounters::kWarp, false, true, IpawsDecider::kFirstSm, hw::Timing::kHardware},
        Variant{"sm", IpawsCounters::kWarp, true, true, IpawsDecider::kFirstSm, hw::Timing::kIdeal,
                IpawsStallOf::kFirstTried, IpawsStallScope::kSm},
        Variant{"oldest_ready", IpawsCounters::kWarp, true, true, IpawsDecider::kFirstSm,
                hw::Timing::kHardware, IpawsStallOf::kOldestReady, IpawsStallScope::kScheduler}),
    [](const auto& variant) { return std::string(variant.param.name); });

}  // namespace
}  // namespace heddle
