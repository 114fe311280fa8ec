#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>

#include "hw/pricing/inventory.h"
#include "modules/warp_scheduler/policies/two_level/long_marks.h"
#include "modules/warp_scheduler/policies/two_level/parameters.h"
#include "modules/warp_scheduler/sm_policies.h"
#include "sc_tests/support/unread_waves.h"

namespace heddle {
namespace {

constexpr std::uint16_t kLoaded = 5;

Instruction reader(std::uint16_t reg) {
  Instruction instruction;
  instruction.add_source(reg);
  return instruction;
}

Instruction writer(std::uint16_t reg, MemOp mem = MemOp::kNone, Space space = Space::kNone) {
  Instruction instruction;
  instruction.mem = mem;
  instruction.space = space;
  instruction.add_destination(reg);
  return instruction;
}

IssueEvent issue_of(unsigned warp, const Instruction& instruction) {
  return {warp, &instruction, kAllLanes, 1, 0, 0, instruction.space, kAllLanes};
}

TEST(LongMarksTest, OutliveTheDataAndEndWithAnotherKindOfWrite) {
  LongMarks marks;
  const Instruction load = writer(kLoaded, MemOp::kLoad, Space::kGlobal);
  const Instruction add = writer(kLoaded);
  EXPECT_FALSE(marks.reads_marked(3, reader(kLoaded)));
  marks.on_issue(issue_of(3, load));
  EXPECT_TRUE(marks.reads_marked(3, reader(kLoaded)));
  EXPECT_FALSE(marks.reads_marked(3, reader(kLoaded + 1)));
  EXPECT_FALSE(marks.reads_marked(2, reader(kLoaded)));
  marks.on_result({3, &load, 0, 400});
  EXPECT_TRUE(marks.reads_marked(3, reader(kLoaded)));
  marks.on_issue(issue_of(3, add));
  EXPECT_TRUE(marks.reads_marked(3, reader(kLoaded)));
  marks.on_result({3, &add, 1, 410});
  EXPECT_FALSE(marks.reads_marked(3, reader(kLoaded)));
}

TEST(LongMarksTest, AreForLoadsThatLeaveTheSmForParametersAndTextures) {
  LongMarks marks;
  const Instruction shared = writer(1, MemOp::kLoad, Space::kShared);
  const Instruction constant = writer(2, MemOp::kLoad, Space::kConst);
  const Instruction parameter = writer(3, MemOp::kLoad, Space::kParam);
  const Instruction atomic = writer(4, MemOp::kAtomic, Space::kGlobal);
  const Instruction texture = writer(6, MemOp::kLoad, Space::kTexture);
  for (const Instruction* load : {&shared, &constant, &parameter, &atomic, &texture})
    marks.on_issue(issue_of(0, *load));
  EXPECT_FALSE(marks.reads_marked(0, reader(1)));
  EXPECT_FALSE(marks.reads_marked(0, reader(2)));
  EXPECT_TRUE(marks.reads_marked(0, reader(3)));
  EXPECT_TRUE(marks.reads_marked(0, reader(4)));
  EXPECT_TRUE(marks.reads_marked(0, reader(6)));
  marks.on_result({0, &texture, 4, 80});
  EXPECT_TRUE(marks.reads_marked(0, reader(6)));
  marks.on_result({0, &parameter, 2, 90, true});
  EXPECT_FALSE(marks.reads_marked(0, reader(3)));
}

TEST(LongMarksTest, OfAParameterThatHadToBeFetchedStay) {
  LongMarks marks;
  const Instruction parameter = writer(3, MemOp::kLoad, Space::kParam);
  marks.on_issue(issue_of(0, parameter));
  marks.on_result({0, &parameter, 2, 90, false});
  EXPECT_TRUE(marks.reads_marked(0, reader(3)));
}

TEST(LongMarksTest, OutliveALoadOfSharedMemory) {
  LongMarks marks;
  const Instruction load = writer(3, MemOp::kLoad, Space::kGlobal);
  const Instruction shared = writer(3, MemOp::kLoad, Space::kShared);
  marks.on_issue(issue_of(0, load));
  marks.on_result({0, &shared, 2, 90});
  EXPECT_TRUE(marks.reads_marked(0, reader(3)));
}

TEST(LongMarksTest, EndWhenAnotherRegisterOfTheProgramTakesTheNumberOver) {
  for (const Space space : {Space::kNone, Space::kShared}) {
    LongMarks marks;
    const Instruction load = writer(3, MemOp::kLoad, Space::kGlobal);
    Instruction other = writer(3, space == Space::kNone ? MemOp::kNone : MemOp::kLoad, space);
    other.never_loaded = 1;
    marks.on_issue(issue_of(0, load));
    marks.on_issue(issue_of(0, other));
    EXPECT_FALSE(marks.reads_marked(0, reader(3)));
  }
}

TEST(LongMarksTest, OfAnAddressDoNotCount) {
  LongMarks marks;
  marks.on_issue(issue_of(0, writer(3, MemOp::kLoad, Space::kGlobal)));
  Instruction gather = writer(4, MemOp::kLoad, Space::kGlobal);
  gather.add_source(3);
  gather.num_address_sources = 1;
  EXPECT_FALSE(marks.reads_marked(0, gather));
  gather.num_address_sources = 0;
  EXPECT_TRUE(marks.reads_marked(0, gather));
}

TEST(LongMarksTest, OfWhatIsNextFollowEveryEventOfTheWarp) {
  LongMarks marks;
  WarpTable table;
  const Instruction load = writer(kLoaded, MemOp::kLoad, Space::kGlobal);
  const Instruction add = writer(kLoaded);
  const Instruction reads = reader(kLoaded);
  const Instruction other = reader(kLoaded + 1);
  const WarpMask both = warp_bit(2) | warp_bit(3);
  table.next[2] = table.next[3] = &reads;
  EXPECT_EQ(marks.reading_marked(table, both), 0U);
  marks.on_issue(issue_of(3, load));
  EXPECT_EQ(marks.reading_marked(table, both), warp_bit(3));
  EXPECT_EQ(marks.reading_marked(table, warp_bit(2)), 0U);
  table.next[3] = &other;  // an instruction that leaves the mark alone, and what comes behind it
  marks.on_issue(issue_of(3, reader(1)));
  EXPECT_EQ(marks.reading_marked(table, both), 0U);
  table.next[3] = &reads;
  marks.on_issue(issue_of(3, reader(1)));
  EXPECT_EQ(marks.reading_marked(table, both), warp_bit(3));
  marks.on_result({3, &add, 1, 410});
  EXPECT_EQ(marks.reading_marked(table, both), 0U);
  marks.on_issue(issue_of(2, load));
  EXPECT_EQ(marks.reading_marked(table, both), warp_bit(2));
  WarpEvent start;
  start.warp = 2;
  marks.on_warp_start(start);
  EXPECT_EQ(marks.reading_marked(table, both), 0U);
}

/// One scheduler with 2 active warps of 6 slots.
class MarkedActiveSetTest : public ::testing::Test {
 protected:
  MarkedActiveSetTest() {
    config_.scheduler.name = "two_level_active";
    config_.scheduler.settings.edit(two_level_active_parameters).active_warps = 2;
    config_.core.schedulers = 1;
    config_.core.warps = 6;
    sm_ = std::make_unique<SmPolicies>(SmContext{table_, config_});
    policy_ = sm_->of_scheduler(0).prioritizer.get();
    for (unsigned w = 0; w < 6; ++w) table_.next[w] = &plain_;
  }
  void start(std::initializer_list<unsigned> warps) {
    for (const unsigned w : warps) {
      table_.resident |= warp_bit(w);
      table_.valid |= warp_bit(w);
      policy_->on_start(w);
    }
  }
  /// The warp that issues in the next cycle, of all that are resident.
  unsigned issue() {
    ++cycle_;
    const std::uint64_t next = policy_->update(cycle_);
    EXPECT_EQ(policy_->update(cycle_), next);  // a second call changes nothing
    const unsigned warp = policy_->select(cycle_, table_.resident);
    if (warp != kNoWarp) policy_->on_issue({warp, nullptr, kAllLanes, cycle_});
    return warp;
  }
  std::vector<unsigned> issue_n(unsigned n) {
    std::vector<unsigned> order;
    for (unsigned i = 0; i < n; ++i) order.push_back(issue());
    return order;
  }
  void mark(unsigned warp) {
    const Instruction load = writer(kLoaded, MemOp::kLoad, Space::kGlobal);
    sm_->tell<event::Issue>(issue_of(warp, load));
    table_.next[warp] = &use_;
  }

  const Instruction plain_ = reader(1);
  const Instruction use_ = reader(kLoaded);
  WarpTable table_;
  GpuConfig config_;
  std::unique_ptr<SmPolicies> sm_;
  Prioritizer* policy_ = nullptr;
  std::uint64_t cycle_ = 0;
};

TEST_F(MarkedActiveSetTest, TakesTurnsAmongTheActiveOnly) {
  start({0, 1, 2, 3, 4, 5});
  EXPECT_THAT(issue_n(4), ::testing::ElementsAre(0, 1, 0, 1));
}

TEST_F(MarkedActiveSetTest, EmptySlotsTurnThroughTheActiveSet) {
  start({3});
  // Cycle 1: {0, 1} leave, {2, 3} come; 2 leaves in cycle 2, when 3 may issue again, and so on.
  EXPECT_THAT(issue_n(3), ::testing::ElementsAre(3, 3, 3));
  table_.at_barrier = warp_bit(3);
  EXPECT_EQ(issue(), kNoWarp);  // 3 goes to the tail
  table_.at_barrier = 0;
  std::vector<unsigned> order = issue_n(4);
  const auto back = std::find(order.begin(), order.end(), 3U);
  EXPECT_NE(back, order.begin());  // not before the slots ahead of it have had their turn
  EXPECT_NE(back, order.end());
}

TEST_F(MarkedActiveSetTest, AReaderOfAMarkedRegisterIssuesOnlyWhenItComesIn) {
  start({0, 1, 2, 3, 4, 5});
  EXPECT_THAT(issue_n(2), ::testing::ElementsAre(0, 1));
  mark(0);
  // 0 makes room for 2, and comes back after 3, 4 and 5 as far as these make room: they don't.
  EXPECT_THAT(issue_n(3), ::testing::ElementsAre(1, 2, 1));
  for (unsigned w = 1; w < 6; ++w) mark(w);
  // All read marked registers: two come in per cycle, the first of them issues.
  EXPECT_THAT(issue_n(4), ::testing::ElementsAre(3, 5, 2, 4));
}

/// Under a scheduler for each stream: their warps are ready, and no turn of its own.
TEST_F(MarkedActiveSetTest, WarpsOfOtherStreamsMakeRoom) {
  for (const unsigned w : {0U, 1U, 2U, 3U}) {
    table_.resident |= warp_bit(w);
    table_.valid |= warp_bit(w);
  }
  start({4, 5});
  WarpMask issued = 0;
  for (unsigned cycle = 0; cycle < 12; ++cycle) {
    policy_->update(++cycle_);
    const unsigned warp = policy_->select(cycle_, warp_bit(4) | warp_bit(5));
    if (warp == kNoWarp) continue;
    policy_->on_issue({warp, nullptr, kAllLanes, cycle_});
    issued |= warp_bit(warp);
  }
  EXPECT_EQ(issued, warp_bit(4) | warp_bit(5));
}

TEST_F(MarkedActiveSetTest, StandsStillWithoutWarps) {
  EXPECT_EQ(policy_->update(7), SchedulingPolicy::kNever);
  start({0});
  EXPECT_EQ(policy_->update(9), 10U);
}

TEST_F(MarkedActiveSetTest, StandsStillWhileNoActiveWarpWaits) {
  start({0, 1, 2, 3, 4, 5});
  EXPECT_EQ(policy_->update(1), SchedulingPolicy::kNever);
  mark(1);
  EXPECT_EQ(policy_->update(2), 3U);  // 2 has come in for 1
  EXPECT_EQ(policy_->update(3), SchedulingPolicy::kNever);
}

TEST_F(MarkedActiveSetTest, GoesRoundUnaskedWhileAllWait) {
  start({0, 1, 2, 3, 4, 5});
  table_.blocked = table_.resident;
  for (unsigned w = 0; w < 6; ++w) mark(w);
  EXPECT_EQ(policy_->update(1), 2U);
  EXPECT_EQ(policy_->rest(1, 0, 2), SchedulingPolicy::kNever);
  EXPECT_EQ(policy_->active(), 0b1100U);
  // Cycle 2: {4, 5}; 3: {0, 1}; 4: {2, 3}; and so on.
  EXPECT_EQ(policy_->cycles_with_active(warp_bit(0), 1, 2), 0U);
  EXPECT_EQ(policy_->cycles_with_active(warp_bit(0), 1, 3), 1U);
  EXPECT_EQ(policy_->cycles_with_active(warp_bit(0), 3, 5), 1U);
  EXPECT_EQ(policy_->cycles_with_active(warp_bit(0) | warp_bit(5), 1, 300), 200U);
  policy_->update(300);
  EXPECT_EQ(policy_->active(), 0b11U);
}

TEST_F(MarkedActiveSetTest, RestsUntilAWarpThatCanIssueComesIn) {
  start({0, 1, 2, 3, 4, 5});
  for (unsigned w = 0; w < 6; ++w) mark(w);
  EXPECT_EQ(policy_->update(1), 2U);  // {2, 3} are active
  EXPECT_EQ(policy_->rest(1, warp_bit(3), 2), 2U);
  EXPECT_EQ(policy_->rest(1, warp_bit(5), 2), 2U);
  EXPECT_EQ(policy_->rest(1, warp_bit(0), 2), 3U);
  EXPECT_EQ(policy_->update(3), 4U);
  EXPECT_EQ(policy_->active(), 0b11U);
  EXPECT_EQ(policy_->select(3, warp_bit(0)), 0U);
}

TEST_F(MarkedActiveSetTest, RestsWhileAnActiveWarpStays) {
  start({0, 1, 2, 3, 4, 5});
  for (const unsigned w : {1U, 2U, 3U, 4U}) mark(w);
  EXPECT_EQ(policy_->update(1), 2U);  // {0, 2} are active, and 5 comes in after 3 and 4
  EXPECT_EQ(policy_->rest(1, 0, 2), 4U);
  EXPECT_EQ(policy_->cycles_with_active(warp_bit(0), 1, 3), 3U);
  EXPECT_EQ(policy_->cycles_with_active(warp_bit(3), 1, 3), 1U);
  EXPECT_EQ(policy_->update(4), 5U);
  EXPECT_EQ(policy_->active(), warp_bit(0) | warp_bit(5));
  EXPECT_EQ(policy_->rest(4, 0, 5), SchedulingPolicy::kNever);  // nobody leaves
}

/// One set turns in every cycle, another one only when the scheduler runs, and so does a third, which is
/// shown in every cycle.
class PutOffTurnsTest : public MarkedActiveSetTest, public ::testing::WithParamInterface<unsigned> {
 protected:
  PutOffTurnsTest() {
    config_.core.warps = 24;
    config_.scheduler.settings.edit(two_level_active_parameters).active_warps = GetParam();
    every_cycle_ = with_parts_in(parts_of_every_cycle_);
    put_off_ = with_parts_in(parts_of_put_off_);
    shown_ = with_parts_in(parts_of_shown_);
    testing::UnreadWaves waves;
    of(shown_).trace(waves);
    for (unsigned w = 0; w < 24; ++w) table_.next[w] = &plain_;
  }
  std::unique_ptr<SmPolicies> with_parts_in(hw::Inventory& inventory) {
    SmContext context{table_, config_};
    context.hardware.inventory = &inventory;
    return std::make_unique<SmPolicies>(context);
  }
  Prioritizer& of(const std::unique_ptr<SmPolicies>& sm) { return *sm->of_scheduler(0).prioritizer; }
  /// Something happens to the warps that `random` says.
  void change(std::mt19937& random) {
    const WarpMask all = (WarpMask{1} << 24U) - 1;
    const auto some = [&](unsigned one_in) {
      WarpMask mask = 0;
      for (unsigned w = 0; w < 24; ++w) mask |= random() % one_in == 0 ? warp_bit(w) : 0;
      return mask;
    };
    table_.valid = all & ~some(4);
    table_.at_barrier = some(random() % 2 == 0 ? 1 : 3);
    table_.blocked = random() % 4 == 0 ? some(2) : all;
    for (WarpMask left = some(2); left != 0; left &= left - 1) {
      const unsigned warp = lowest_warp(left);
      table_.next[warp] = table_.next[warp] == &use_ ? &plain_ : &use_;
      // Behind an instruction that has issued.
      for (const auto& sm : {&every_cycle_, &put_off_, &shown_})
        (*sm)->tell<event::Issue>(issue_of(warp, plain_));
    }
  }

  hw::Inventory parts_of_every_cycle_;
  hw::Inventory parts_of_put_off_;
  hw::Inventory parts_of_shown_;
  std::unique_ptr<SmPolicies> every_cycle_;
  std::unique_ptr<SmPolicies> put_off_;
  std::unique_ptr<SmPolicies> shown_;
};

TEST_P(PutOffTurnsTest, AreThoseOfEveryCycle) {
  Prioritizer& every_cycle = of(every_cycle_);
  Prioritizer& put_off = of(put_off_);
  Prioritizer& shown = of(shown_);
  const Instruction load = writer(kLoaded, MemOp::kLoad, Space::kGlobal);
  for (unsigned w = 0; w < 24; ++w) {
    table_.resident |= warp_bit(w);
    for (const auto& sm : {&every_cycle_, &put_off_, &shown_}) {
      of(*sm).on_start(w);
      (*sm)->tell<event::Issue>(issue_of(w, load));
    }
  }
  std::mt19937 random(GetParam());
  std::uint64_t cycle = 0;
  std::uint64_t not_run = 0;
  for (unsigned round = 0; round < 400; ++round) {
    change(random);
    const WarpMask among = table_.valid & ~WarpMask{random()};
    const WarpMask issuable = random() % 3 == 0 ? table_.valid & WarpMask{random()} & random() : 0;
    std::uint64_t next = ++cycle;
    std::uint64_t asked_at = cycle;
    std::uint64_t found = 0;
    bool rests = false;
    for (const std::uint64_t end = cycle + random() % 60; cycle < end; ++cycle) {
      every_cycle.update(cycle);
      if (next <= cycle) {
        next = put_off.update(cycle);
        ASSERT_EQ(shown.update(cycle), next) << cycle;  // the scheduler runs no more often
        rests = next == cycle + 1;
        if (rests) {
          next = put_off.rest(cycle, issuable, next);
          ASSERT_EQ(shown.rest(cycle, issuable, cycle + 1), next) << cycle;
        }
        ASSERT_EQ(put_off.active(), every_cycle.active()) << cycle;
        asked_at = cycle;
        found = 0;
      } else {
        if (rests) {
          ASSERT_EQ(every_cycle.active() & issuable, 0U) << cycle;
        }
        ++not_run;
      }
      found += (every_cycle.active() & among) != 0 ? 1 : 0;
      ASSERT_EQ(put_off.cycles_with_active(among, asked_at, cycle), found) << cycle;
      ASSERT_EQ(shown.cycles_with_active(among, cycle, cycle), (every_cycle.active() & among) != 0 ? 1U : 0U);
      shown.show(cycle);
      ASSERT_EQ(shown.active(), every_cycle.active()) << cycle;
    }
    --cycle;
  }
  EXPECT_GT(not_run, cycle / 2);
  put_off.update(cycle);
  shown.update(cycle);
  // Each turn in which slots move is counted, compared and selected in.
  ASSERT_EQ(parts_of_put_off_.parts().size(), parts_of_every_cycle_.parts().size());
  std::uint64_t counts = 0;
  for (std::size_t p = 0; p < parts_of_put_off_.parts().size(); ++p) {
    const hw::Activity& put_off_activity = parts_of_put_off_.parts()[p]->activity();
    const hw::Activity& shown_activity = parts_of_shown_.parts()[p]->activity();
    const hw::Activity& activity = parts_of_every_cycle_.parts()[p]->activity();
    for (const hw::Activity& other : {put_off_activity, shown_activity}) {
      EXPECT_EQ(other.adds, activity.adds) << parts_of_put_off_.parts()[p]->name();
      EXPECT_EQ(other.compares, activity.compares) << parts_of_put_off_.parts()[p]->name();
      EXPECT_EQ(other.selects, activity.selects) << parts_of_put_off_.parts()[p]->name();
    }
    counts += activity.adds;
  }
  EXPECT_GT(counts, cycle / 4);
}

TEST_F(MarkedActiveSetTest, CountsWhenSlotsMoveAndSelectsWhoWasBefore) {
  hw::Inventory inventory;
  SmContext context{table_, config_};
  context.hardware.inventory = &inventory;
  sm_ = std::make_unique<SmPolicies>(context);
  policy_ = sm_->of_scheduler(0).prioritizer.get();
  const auto activity = [&](std::string_view name) {
    for (const hw::Part* part : inventory.parts()) {
      if (part->name() == name) return part->activity();
    }
    throw std::logic_error("no part " + std::string(name));
  };
  start({0, 1, 2, 3, 4, 5});
  issue_n(3);  // nobody moves; each issue selects, and selects who was before
  EXPECT_EQ(activity("staying0").adds, 0U);
  EXPECT_EQ(activity("active0").selects, 6U);
  mark(1);
  issue_n(2);  // 1 leaves in the first
  EXPECT_EQ(activity("staying0").adds, 1U);
  EXPECT_EQ(activity("room0").compares, 1U);
  sm_.reset();  // before the inventory of its parts
}

TEST_F(MarkedActiveSetTest, AChoiceGoesThroughTheCountOfThoseThatStay) {
  const std::vector<hw::TimingPath::Stage> stages = policy_->choice_path().stages();
  const auto goes_through = [&](std::string_view block) {
    return std::any_of(stages.begin(), stages.end(), [&](const auto& stage) { return stage.label == block; });
  };
  EXPECT_TRUE(goes_through("some warp on the SM"));
  EXPECT_TRUE(goes_through("population count"));
  EXPECT_TRUE(goes_through("one comes"));
  EXPECT_GT(policy_->choice_path().fo4(), 4 + 6 * std::log2(6));
}

INSTANTIATE_TEST_SUITE_P(ActiveWarps, PutOffTurnsTest, ::testing::Values(1, 6, 7, 24));

TEST_F(MarkedActiveSetTest, MakesRoomForThoseThatTheQualifierLetsThrough) {
  start({0, 1, 2, 3, 4, 5});
  policy_->update(1);
  EXPECT_EQ(policy_->select(1, warp_bit(4)), kNoWarp);
  EXPECT_TRUE(policy_->pass_over(1, warp_bit(0) | warp_bit(1)));
  policy_->update(2);
  EXPECT_EQ(policy_->select(2, warp_bit(2) | warp_bit(3)), 2U);
}

}  // namespace
}  // namespace heddle
