// A warp scheduler for the kernels of each stream.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "hw/pricing/inventory.h"
#include "hw/pricing/part.h"
#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/two_level/parameters.h"
#include "modules/warp_scheduler/sm_policies.h"

namespace heddle {
namespace {

/// An SM of one scheduler and eight warps: stream 0 in warps 0 to 3, stream 1 in 4 to 7.
class PerStreamTest : public ::testing::Test {
 protected:
  void make(const std::string& scheduler) {
    config_.core.schedulers = 1;
    config_.core.warps = 8;
    config_.scheduler.name = scheduler;
    hw::Owner owner;
    owner.inventory = &inventory_;
    owner.path = "sm0";
    owner.timing = hw::Timing::kIdeal;
    policies_ = std::make_unique<SmPolicies>(SmContext{table_, config_, 0, nullptr, nullptr, owner});
  }
  void start_tb(unsigned slot, unsigned stream, const std::vector<unsigned>& warps) {
    TbEvent event;
    event.slot = slot;
    event.launch_id = stream;
    event.stream = stream;
    event.cycle = cycle_;
    policies_->tell<event::TbStart>(event);
    for (const unsigned warp : warps) {
      table_.resident |= warp_bit(warp);
      table_.age[warp] = age_++;
      policies_->tell<event::WarpStart>({warp, slot, 0, 0, cycle_, stream});
      facet().on_start(warp);
    }
  }
  void two_streams() {
    facet().update(cycle_);
    start_tb(0, 0, {0, 1, 2, 3});
    start_tb(1, 1, {4, 5, 6, 7});
  }
  void finish(unsigned tb_slot, unsigned warp) {
    policies_->tell<event::WarpFinish>({warp, tb_slot, 0, 0, ++cycle_, 0});
    facet().on_finish(warp);
  }
  void arrive(unsigned tb_slot, unsigned warp) {
    policies_->tell<event::BarrierArrive>({tb_slot, 0, warp_bit(warp), ++cycle_});
  }
  /// The warp's line is evicted, and the warp misses it.
  void lose_line(unsigned warp, std::uint64_t address) {
    L1dEviction eviction;
    eviction.filled_by = warp;
    eviction.line.address = address;
    eviction.cycle = cycle_;
    policies_->tell<event::L1dEviction>(eviction);
    L1dAccess access;
    access.warp = warp;
    access.line.address = address;
    access.outcome = L1dOutcome::kMiss;
    access.cycle = cycle_;
    policies_->tell<event::L1dAccess>(access);
  }
  unsigned select(WarpMask issuable) {
    policies_->update(++cycle_);
    facet().update(cycle_);
    return facet().select(cycle_, issuable);
  }
  void issue(unsigned warp) {
    const IssueEvent event{warp, &instruction_, kAllLanes, cycle_};
    policies_->tell<event::Issue>(event);
    facet().on_issue(event);
  }
  /// Issues what is chosen, `n` times.
  std::vector<unsigned> issued(WarpMask issuable, unsigned n) {
    std::vector<unsigned> warps;
    for (unsigned i = 0; i < n; ++i) {
      warps.push_back(select(issuable));
      issue(warps.back());
    }
    return warps;
  }
  /// Of all warps, from global memory.
  void next_are_loads() {
    load_.unit = Unit::kLdst;
    load_.mem = MemOp::kLoad;
    load_.space = Space::kGlobal;
    table_.next.fill(&load_);
    table_.needs[static_cast<unsigned>(Unit::kLdst)] = 0xff;
  }
  Prioritizer& facet() { return *policies_->of_scheduler(0).prioritizer; }

  GpuConfig config_;
  WarpTable table_;
  hw::Inventory inventory_;
  std::unique_ptr<SmPolicies> policies_;
  Instruction instruction_;
  Instruction load_;
  std::uint64_t cycle_ = 1;
  std::uint64_t age_ = 0;
};

// iPAWS, table 4: GTO for the one kernel, RR for the other.
TEST_F(PerStreamTest, EachStreamHasAnOrderThatTheOtherDoesNotDisturb) {
  make("gto:lrr");
  two_streams();
  EXPECT_EQ(issued(0xff, 8), (std::vector<unsigned>{0, 4, 0, 5, 0, 6, 0, 7}));
  EXPECT_EQ(select(0xfe), 1U);  // the oldest, when the last one can't
  EXPECT_EQ(select(0xf0), 4U);  // round from 7
}

TEST_F(PerStreamTest, StreamsTakeTurnsAndLeaveNoSlotUnused) {
  make("lrr:gto");
  two_streams();
  EXPECT_EQ(issued(0xff, 2), (std::vector<unsigned>{0, 4}));
  EXPECT_EQ(issued(0x0f, 3), (std::vector<unsigned>{1, 2, 3}));
  EXPECT_EQ(issued(0xff, 3), (std::vector<unsigned>{4, 0, 4}));
}

TEST_F(PerStreamTest, TheLastSchedulerServesFurtherStreams) {
  make("gto:lrr");
  two_streams();
  start_tb(0, 2, {0, 1});
  EXPECT_EQ(issued(0x03, 3), (std::vector<unsigned>{0, 1, 0}));
}

TEST_F(PerStreamTest, WhatAnInnerQualifierHoldsBackIsBarred) {
  make("swl+lrr:lrr");
  two_streams();
  EXPECT_EQ(select(0xff), 0U);
  EXPECT_EQ(facet().barred(cycle_, 0xff), 0xcU) << "warps 2 and 3, though 0 is chosen";
  EXPECT_EQ(facet().barred(cycle_, 0xf7), 0x4U);
  issue(0);
  EXPECT_EQ(select(0xff), 4U);
  EXPECT_EQ(facet().barred(cycle_, 0xff), 0U) << "the other stream's turn";
}

TEST_F(PerStreamTest, AQualifierHoldsWarpsOfItsStreamOnly) {
  make("swl+lrr:lrr");
  two_streams();
  EXPECT_EQ(issued(0xff, 6), (std::vector<unsigned>{0, 4, 1, 5, 0, 6}));  // swl lets the two oldest issue
  EXPECT_EQ(issued(0xfc, 3), (std::vector<unsigned>{7, 4, 5}));
  EXPECT_EQ(select(0x0c), kNoWarp);
}

// Stream 0 has the oldest warps of the SM; the limit of 2 is stream 1's own.
TEST_F(PerStreamTest, ALimitOfWarpsCountsThoseOfItsStreamOnly) {
  make("lrr:swl+lrr");
  two_streams();
  EXPECT_EQ(issued(0xf0, 3), (std::vector<unsigned>{4, 5, 4}));
  EXPECT_EQ(select(0xc0), kNoWarp);
  finish(1, 4);
  EXPECT_EQ(issued(0xe0, 2), (std::vector<unsigned>{5, 6}));
  arrive(1, 5);  // past it the set extends
  EXPECT_EQ(issued(0xc0, 2), (std::vector<unsigned>{7, 6}));
}

TEST_F(PerStreamTest, WhatTheOtherStreamDoesMovesNoLimit) {
  make("swl+lrr:swl+lrr");
  two_streams();
  EXPECT_EQ(issued(0xff, 4), (std::vector<unsigned>{0, 4, 1, 5}));
  arrive(0, 0);
  arrive(0, 1);  // stream 0's set grows by two
  EXPECT_EQ(issued(0xfc, 4), (std::vector<unsigned>{2, 4, 3, 5}));
  EXPECT_EQ(select(0xc0), kNoWarp);
}

/// A warp slot that the other stream had before.
TEST_F(PerStreamTest, ASlotBelongsToTheStreamOfItsLastWarp) {
  make("swl+lrr:swl+lrr");
  two_streams();
  finish(0, 0);
  finish(0, 1);
  start_tb(2, 1, {0, 1});
  EXPECT_EQ(select(0x03), kNoWarp);  // 4 and 5 are older
  finish(1, 4);
  finish(1, 5);
  EXPECT_EQ(select(0x03), kNoWarp);  // now 6 and 7
  finish(1, 6);
  finish(1, 7);
  EXPECT_EQ(issued(0x03, 2), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(issued(0x0c, 2), (std::vector<unsigned>{2, 3}));
}

TEST_F(PerStreamTest, LoadsAreHeldByTheScoresOfTheirStreamOnly) {
  make("lrr:ccws+lrr");
  two_streams();
  next_are_loads();
  // A warp of stream 0 loses so much that of all warps of the SM it alone might load.
  for (unsigned i = 0; i < 100; ++i) {
    lose_line(0, 0x1000 + 128 * (i % 4));
    policies_->update(++cycle_);
  }
  EXPECT_EQ(issued(0xf0, 4), (std::vector<unsigned>{4, 5, 6, 7}));
}

// Groups of slots 0 to 3 and 4 to 7: each stream has two warps in either.
TEST_F(PerStreamTest, AFetchGroupIsLeftWhenAllWarpsOfItsStreamWaitLong) {
  config_.scheduler.settings.edit(two_level_parameters).fetch_group_warps = 4;
  make("two_level:lrr");
  facet().update(cycle_);
  start_tb(0, 0, {0, 1, 4, 5});
  start_tb(1, 1, {2, 3, 6, 7});
  table_.blocked_memory = 0x03;
  EXPECT_EQ(select(0x30), 4U);
  table_.blocked_memory = 0;
  EXPECT_EQ(select(0x33), 4U) << "2 and 3 are none of its warps: its current group is the second";
}

TEST_F(PerStreamTest, TheOwnerOfASaturatedMemoryIsAWarpOfTheStream) {
  make("gto:mascar");
  two_streams();
  next_are_loads();
  table_.valid = 0xff;
  policies_->tell<event::MshrRoom>(MshrRoom{cycle_, 0, 8});
  select(0xff);
  const MissReplay& replay = *policies_->miss_replay();
  EXPECT_TRUE(replay.may_miss(4)) << "the oldest of stream 1; 0 is older, and not held back anyway";
  EXPECT_FALSE(replay.may_miss(5));
  EXPECT_TRUE(replay.may_miss(0));
  finish(1, 4);
  select(0xef);
  EXPECT_TRUE(replay.may_miss(5));
  finish(0, 0);
  select(0xee);
  EXPECT_TRUE(replay.may_miss(5));
  EXPECT_FALSE(replay.may_miss(6));
}

TEST_F(PerStreamTest, IsBuiltOfThePartsOfBothAndOfItsOwn) {
  make("gto:gto");
  std::vector<std::string> last;
  std::uint64_t own_bits = 0;
  for (const hw::Part* part : inventory_.parts()) {
    if (part->name() == "last_issued0") last.push_back(part->owner());
    if (part->owner() == "sm0/per_stream") own_bits += part->structure().total_bits();
  }
  EXPECT_THAT(last,
              ::testing::UnorderedElementsAre("sm0/per_stream/stream0/gto", "sm0/per_stream/stream1/gto"));
  EXPECT_EQ(own_bits, 8U + 1U);
  EXPECT_THAT(policies_->unpriced(), ::testing::IsEmpty());
}

TEST_F(PerStreamTest, RefusesWhatIsUnknownOrChoosesItself) {
  EXPECT_THROW(make("gto:gtx"), std::invalid_argument);
  EXPECT_THROW(make("gto:"), std::invalid_argument);
  EXPECT_THROW(make("gto:ipaws"), SettingError);
  EXPECT_THROW(make("mascar:mascar"), SettingError);
}

}  // namespace
}  // namespace heddle
