#include "modules/warp_scheduler/policies/ipaws/issue_pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "hw/pricing/inventory.h"
#include "modules/warp_scheduler/policies/ipaws/parameters.h"

namespace heddle {
namespace {

/// Warps 0, 1, ... of one SM; two schedulers; TB slot w / 6.
class IssuePatternTest : public ::testing::Test {
 protected:
  IssuePatternTest() {
    config_.scheduler.settings.edit(ipaws_parameters).convex_eighths = kEighthsOfOne;
    for (unsigned w = 0; w < kMaxWarps; ++w) table_.tb_slot[w] = static_cast<std::uint16_t>(w / 6);
  }
  IssuePattern& make(hw::Timing timing = hw::Timing::kIdeal, bool strict = true) {
    hw::Owner owner;
    owner.inventory = &inventory_;
    owner.path = "sm0/ipaws";
    owner.timing = timing;
    owner.strict = strict;
    pattern_.reset();
    pattern_ = std::make_unique<IssuePattern>(owner, config_);
    return *pattern_;
  }
  /// Warp i, the i-th oldest, has issued issued[i] instructions and was stalled stalls[i] times.
  IssuePattern::Verdict judge(const std::vector<unsigned>& issued, const std::vector<unsigned>& stalls = {}) {
    pattern_->clear();
    for (unsigned w = 0; w < issued.size(); ++w)
      pattern_->start(cycle_, WarpSlot(w), TbSlot(table_.tb_slot[w]));
    for (unsigned w = 0; w < issued.size(); ++w) {
      for (unsigned i = 0; i < issued[w]; ++i) pattern_->count_issue(WarpSlot(w), TbSlot(table_.tb_slot[w]));
    }
    for (unsigned w = 0; w < stalls.size(); ++w) {
      if (config_.scheduler.settings.of(ipaws_parameters).counters == IpawsCounters::kWarp) {
        pattern_->charge(WarpSlot(w), stalls[w]);
      } else if (stalls[w] != 0) {
        pattern_->count_stall(cycle_ += stalls[w], stalls[w], warp_bit(w), table_);
      }
    }
    const IssuePattern::Verdict verdict = pattern_->judge(cycle_ += 100);
    cycle_ += verdict.time_cycles + 100;
    return verdict;
  }

  GpuConfig config_;
  WarpTable table_;
  hw::Inventory inventory_;
  std::unique_ptr<IssuePattern> pattern_;
  std::uint64_t cycle_ = 0;
};

TEST_F(IssuePatternTest, FewInstructionsBehindTheOldestAreConcave) {
  make();
  const IssuePattern::Verdict verdict = judge({8, 1, 1, 1});
  EXPECT_FALSE(verdict.convex);
  EXPECT_EQ(verdict.members, 4U);
  EXPECT_EQ(verdict.of_interest, 4U);
  EXPECT_EQ(verdict.score_sum, 11U);
  EXPECT_EQ(verdict.score_max, 8U);
  EXPECT_EQ(verdict.half_sum, 32U);
}

TEST_F(IssuePatternTest, ManyInstructionsBehindTheOldestAreConvex) {
  make();
  const IssuePattern::Verdict verdict = judge({8, 6, 5, 4});
  EXPECT_TRUE(verdict.convex);
  EXPECT_EQ(verdict.score_sum, 23U);
}

TEST_F(IssuePatternTest, TheTriangleItselfIsConvex) {
  make();
  EXPECT_TRUE(judge({8, 4, 2, 2}).convex);   // 16 = 4 x 8 / 2
  EXPECT_FALSE(judge({8, 4, 2, 1}).convex);  // 15
  EXPECT_TRUE(judge({7, 3, 1}).convex);      // 11 against 10.5
  EXPECT_FALSE(judge({7, 2, 1}).convex);     // 10
}

// 4 x 8 / 2 is 16; at 10 eighths 20, at 13 eighths 26.
TEST_F(IssuePatternTest, AHigherDegreeOfConvexityMayBeAskedFor) {
  config_.scheduler.settings.edit(ipaws_parameters).convex_eighths = 10;
  make();
  EXPECT_TRUE(judge({8, 8, 2, 2}).convex);
  EXPECT_FALSE(judge({8, 8, 2, 1}).convex);
  config_.scheduler.settings.edit(ipaws_parameters).convex_eighths = 13;
  make();
  EXPECT_TRUE(judge({8, 8, 8, 2}).convex);
  EXPECT_FALSE(judge({8, 8, 8, 1}).convex);
}

TEST_F(IssuePatternTest, AHigherDegreeOfConvexityTakesAnAdditionPerBit) {
  const auto time = [this](unsigned eighths) {
    config_.scheduler.settings.edit(ipaws_parameters).convex_eighths = eighths;
    make(hw::Timing::kHardware);
    return judge({5, 5, 5, 5}, {0, 9, 0, 0}).time_cycles;
  };
  const std::uint64_t plain = time(8);
  std::uint64_t adder = 0;
  for (const hw::Inventory::BlockPath& path : inventory_.paths()) {
    if (path.name == "addition of a step") adder = path.path.cycles(hw::Owner::kDefaultClockFo4);
  }
  ASSERT_GT(adder, 0U);
  EXPECT_EQ(time(12), plain + adder);
  EXPECT_EQ(time(11), plain + 2 * adder);
  EXPECT_EQ(time(15), plain + 3 * adder);
}

TEST_F(IssuePatternTest, AWarpInTheSlotOfAnEndedOneIsTheYoungestAndStartsOver) {
  IssuePattern& pattern = make();
  for (const unsigned w : {0U, 1U, 2U}) pattern.start(0, WarpSlot(w), TbSlot(0));
  pattern.count_issue(WarpSlot(1), TbSlot(0));
  pattern.count_stall(5, 4, warp_bit(1), table_);
  pattern.start(6, WarpSlot(1), TbSlot(0));
  EXPECT_EQ(pattern.members(), 3U);
  EXPECT_EQ(pattern.member_at(2), 1U);
  EXPECT_EQ(pattern.score(1), 0U);
  EXPECT_EQ(pattern.stalls(1), 0U);
}

TEST_F(IssuePatternTest, ATbInTheSlotOfAnEndedOneStartsOver) {
  config_.scheduler.settings.edit(ipaws_parameters).counters = IpawsCounters::kTb;
  IssuePattern& pattern = make();
  for (unsigned slot = 0; slot < 2; ++slot) {
    pattern.start_tb(TbSlot(slot));
    pattern.start(slot, WarpSlot(6 * slot), TbSlot(slot));
  }
  pattern.count_issue(WarpSlot(0), TbSlot(0));
  pattern.start(5, WarpSlot(1), TbSlot(0));  // a further warp of the TB
  EXPECT_EQ(pattern.score(0), 1U);
  EXPECT_EQ(pattern.member_at(0), 0U);
  pattern.start_tb(TbSlot(0));
  pattern.start(6, WarpSlot(0), TbSlot(0));
  EXPECT_EQ(pattern.score(0), 0U);
  EXPECT_EQ(pattern.member_at(1), 0U);
}

TEST_F(IssuePatternTest, TheHighestScoreNeedNotBeTheOldests) {
  make();
  EXPECT_EQ(judge({3, 9, 2}).score_max, 9U);
}

TEST_F(IssuePatternTest, ALongTailCountsOnlyWithoutWarpsOfInterest) {
  const std::vector<unsigned> issued{10, 9, 9, 8, 0, 0, 1, 0};
  const std::vector<unsigned> stalls{3, 0, 2, 7, 1, 0, 6, 0};
  make();
  const IssuePattern::Verdict verdict = judge(issued, stalls);
  EXPECT_EQ(verdict.of_interest, 4U);
  EXPECT_EQ(verdict.score_sum, 36U);
  EXPECT_EQ(verdict.half_sum, 40U);
  EXPECT_TRUE(verdict.convex);
  config_.scheduler.settings.edit(ipaws_parameters).warps_of_interest = false;
  make();
  const IssuePattern::Verdict all = judge(issued, stalls);
  EXPECT_EQ(all.of_interest, 8U);
  EXPECT_EQ(all.score_sum, 37U);
  EXPECT_EQ(all.half_sum, 80U);
  EXPECT_FALSE(all.convex);
}

TEST_F(IssuePatternTest, OfEqualStallsTheOldestIsTheLimit) {
  make();
  EXPECT_EQ(judge({5, 5, 5, 5}, {0, 4, 4, 1}).of_interest, 2U);
  EXPECT_EQ(judge({5, 5, 5, 5}, {4, 4, 0, 4}).of_interest, 1U);
}

TEST_F(IssuePatternTest, WithoutStallsAllWarpsAreOfInterest) {
  make();
  EXPECT_EQ(judge({5, 1, 0}, {0, 0, 0}).of_interest, 3U);
}

TEST_F(IssuePatternTest, AgeIsTheOrderOfLaunchNotTheSlot) {
  IssuePattern& pattern = make();
  for (const unsigned w : {5U, 2U, 9U}) pattern.start(0, WarpSlot(w), TbSlot(0));
  pattern.count_stall(10, 4, warp_bit(2), table_);
  pattern.count_stall(13, 1, warp_bit(2) | warp_bit(5) | warp_bit(9), table_);  // the oldest: 5
  EXPECT_EQ(pattern.stalls(5), 1U);
  EXPECT_EQ(pattern.stalls(2), 4U);
  const IssuePattern::Verdict verdict = pattern.judge(20);
  EXPECT_EQ(verdict.of_interest, 2U);
  EXPECT_EQ(pattern.member_at(0), 5U);
  EXPECT_EQ(pattern.member_at(1), 2U);
}

TEST_F(IssuePatternTest, WaitingAtABarrierCountsLikeIssuing) {
  IssuePattern& pattern = make();
  for (const unsigned w : {0U, 1U, 2U}) pattern.start(0, WarpSlot(w), TbSlot(0));
  pattern.count_issue(WarpSlot(0), TbSlot(0));
  for (unsigned i = 0; i < 6; ++i) pattern.count_barrier(warp_bit(0) | warp_bit(2), table_);
  EXPECT_EQ(pattern.score(0), 7U);
  EXPECT_EQ(pattern.score(1), 0U);
  EXPECT_EQ(pattern.score(2), 6U);
}

TEST_F(IssuePatternTest, WarpsOfATbShareItsCounters) {
  config_.scheduler.settings.edit(ipaws_parameters).counters = IpawsCounters::kTb;
  IssuePattern& pattern = make();
  for (unsigned w = 0; w < 18; ++w) pattern.start(w, WarpSlot(w), TbSlot(w / 6));
  EXPECT_EQ(pattern.members(), 3U);
  for (unsigned w = 0; w < 12; ++w) pattern.count_issue(WarpSlot(w), TbSlot(w / 6));
  pattern.count_barrier(warp_bit(13) | warp_bit(17) | warp_bit(2), table_);
  EXPECT_EQ(pattern.score(0), 7U);
  EXPECT_EQ(pattern.score(1), 6U);
  EXPECT_EQ(pattern.score(2), 2U);
  pattern.count_stall(30, 5, warp_bit(8) | warp_bit(15), table_);
  EXPECT_EQ(pattern.stalls(1), 5U);
  const IssuePattern::Verdict verdict = pattern.judge(40);
  EXPECT_EQ(verdict.of_interest, 2U);
  EXPECT_EQ(verdict.half_sum, 14U);
  EXPECT_TRUE(verdict.convex);
}

TEST_F(IssuePatternTest, CountersTakeThePapersStorage) {
  const auto paper_bytes = [this] {
    std::uint64_t bits = 0;
    for (const hw::Part* part : inventory_.parts()) bits += part->structure().paper_bits(part->paper_count());
    return bits / 8;
  };
  make();
  EXPECT_EQ(paper_bytes(), 384U);  // iPAWS 3.5
  config_.scheduler.settings.edit(ipaws_parameters).counters = IpawsCounters::kTb;
  make();
  EXPECT_EQ(paper_bytes(), 64U);  // divided by 6
}

// A step reads what the next one works on, so that a walk takes a step more than it has members.
TEST_F(IssuePatternTest, JudgingTakesAStepPerMemberAndPerMemberOfInterest) {
  make(hw::Timing::kHardware);
  const auto cycles_of = [this](const char* name) -> std::uint64_t {
    for (const hw::Inventory::BlockPath& path : inventory_.paths()) {
      if (path.name == name) return path.path.cycles(hw::Owner::kDefaultClockFo4);
    }
    return 0;
  };
  const std::uint64_t read = cycles_of("read of a step");
  const std::uint64_t add = cycles_of("addition of a step");
  const std::uint64_t compare = cycles_of("comparison of a step");
  ASSERT_GT(read, compare);
  ASSERT_GT(compare, 0U);
  const std::uint64_t score_step = std::max(read, add);
  const std::uint64_t product = 6 * add;  // 48 warps at most
  EXPECT_EQ(judge({5, 5, 5, 5}, {0, 9, 0, 0}).time_cycles, 5 * read + 3 * score_step + product + compare);
  EXPECT_EQ(judge({5, 5, 5, 5, 5}, {0, 0, 9, 0, 0}).time_cycles,
            6 * read + 4 * score_step + product + compare);
  config_.scheduler.settings.edit(ipaws_parameters).warps_of_interest = false;
  make(hw::Timing::kHardware);
  EXPECT_EQ(judge({5, 5, 5}).time_cycles, 4 * score_step + product + compare);
}

// One a cycle, from the cycle after their start on; who has not entered when the pattern is judged is no
// member.
TEST_F(IssuePatternTest, InHardwareTimingWarpsEnterTheOrderOneACycle) {
  const auto members = [this](std::uint64_t judged_at) {
    IssuePattern& pattern = make(hw::Timing::kHardware);
    for (const unsigned w : {4U, 2U, 7U}) pattern.start(10, WarpSlot(w), TbSlot(0));
    const unsigned count = pattern.judge(judged_at).members;
    if (count == 3) {
      EXPECT_EQ(pattern.member_at(0), 2U) << "the lowest slot of those that wait is next";
      EXPECT_EQ(pattern.member_at(2), 7U);
    }
    return count;
  };
  EXPECT_EQ(members(10), 0U);
  EXPECT_EQ(members(11), 1U);
  EXPECT_EQ(members(12), 2U);
  EXPECT_EQ(members(13), 3U);
  EXPECT_EQ(members(14), 3U);
}

// Warps 0 to 3 start in cycle 10 and enter one a cycle. Whether spans of stalls are told whole, of one
// scheduler after the other, or cycle by cycle does not show.
TEST_F(IssuePatternTest, InHardwareTimingAWarpIsNotChargedBeforeItHasEntered) {
  config_.scheduler.settings.edit(ipaws_parameters).stall_scope = IpawsStallScope::kScheduler;
  const auto stalls = [this](bool whole) {
    IssuePattern& pattern = make(hw::Timing::kHardware, false);
    for (unsigned w = 0; w < 4; ++w) pattern.start(10, WarpSlot(w), TbSlot(0));
    constexpr WarpMask kOf[] = {0b0101, 0b1010};
    for (unsigned cycle = 11; !whole && cycle <= 40; ++cycle) {
      for (const WarpMask own : kOf) pattern.count_stall(cycle, 1, own, table_);
    }
    for (unsigned s = 0; whole && s < 2; ++s) pattern.count_stall(40, 30, kOf[s], table_);
    return std::vector<std::uint64_t>{pattern.stalls(0), pattern.stalls(1), pattern.stalls(2),
                                      pattern.stalls(3)};
  };
  const std::vector<std::uint64_t> by_cycle = stalls(false);
  EXPECT_EQ(stalls(true), by_cycle);
  EXPECT_LT(by_cycle[1], by_cycle[0]) << "it enters later";
}

TEST_F(IssuePatternTest, InHardwareTimingWhoComesTooLateIsNoMemberOfTheNextJudgementEither) {
  IssuePattern& pattern = make(hw::Timing::kHardware);
  for (const unsigned w : {0U, 1U, 2U}) pattern.start(10, WarpSlot(w), TbSlot(0));
  EXPECT_EQ(pattern.judge(11).members, 1U);
  EXPECT_EQ(pattern.judge(1000).members, 1U);
}

TEST_F(IssuePatternTest, CountersWrapAt32Bits) {
  IssuePattern& pattern = make();
  pattern.start(0, WarpSlot(3), TbSlot(0));
  pattern.count_stall(1, (std::uint64_t{1} << 32) + 5, warp_bit(3), table_);
  EXPECT_EQ(pattern.stalls(3), 5U);
}

}  // namespace
}  // namespace heddle
