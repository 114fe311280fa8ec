#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/ccws/parameters.h"
#include "modules/warp_scheduler/policies/two_level/parameters.h"
#include "modules/warp_scheduler/sm_policies.h"

namespace heddle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

WarpMask mask(std::initializer_list<unsigned> warps) {
  WarpMask result = 0;
  for (const unsigned w : warps) result |= warp_bit(w);
  return result;
}

/// One scheduler that supervises all warps, unless told otherwise.
class PolicyTest : public ::testing::Test {
 protected:
  void create(const std::string& name, unsigned scheduler = 0, unsigned schedulers = 1, unsigned warps = 8) {
    config_.scheduler.name = name;
    config_.core.schedulers = schedulers;
    config_.core.warps = warps;
    hw::Owner owner;
    owner.timing = config_.scheduler.timing;
    owner.strict = true;
    sm_ = std::make_unique<SmPolicies>(SmContext{table_, config_, 0, nullptr, nullptr, owner});
    policies_.prioritizer = sm_->of_scheduler(scheduler).prioritizer.get();
    policies_.qualifier = sm_->of_scheduler(scheduler).qualifier.get();
  }
  void start(std::initializer_list<unsigned> warps) {
    for (const unsigned w : warps) {
      table_.resident |= warp_bit(w);
      policies_.prioritizer->on_start(w);
    }
  }
  void finish(unsigned warp) {
    table_.finished |= warp_bit(warp);
    policies_.prioritizer->on_finish(warp);
  }
  unsigned issue(WarpMask issuable) {
    EXPECT_EQ(policies_.prioritizer->update(++cycle_), SchedulingPolicy::kNever);
    policies_.prioritizer->update(cycle_);  // a second call changes nothing
    const unsigned warp = policies_.prioritizer->select(cycle_, issuable);
    if (warp != kNoWarp) policies_.prioritizer->on_issue({warp, nullptr, kAllLanes, cycle_});
    return warp;
  }
  std::vector<unsigned> issue_n(unsigned n, WarpMask issuable) {
    std::vector<unsigned> order;
    for (unsigned i = 0; i < n; ++i) order.push_back(issue(issuable));
    return order;
  }

  WarpTable table_;
  GpuConfig config_;
  std::unique_ptr<SmPolicies> sm_;
  struct {
    Qualifier* qualifier = nullptr;
    Prioritizer* prioritizer = nullptr;
  } policies_;  ///< of the scheduler
  std::uint64_t cycle_ = 0;
};

TEST_F(PolicyTest, LrrStartsAfterTheLastIssuedWarp) {
  create("lrr");
  start({0, 1, 2, 3});
  EXPECT_THAT(issue_n(5, mask({0, 1, 2, 3})), ElementsAre(0, 1, 2, 3, 0));
  EXPECT_EQ(issue(mask({0, 3})), 3U);
  EXPECT_EQ(issue(mask({2, 1})), 1U);
}

TEST_F(PolicyTest, LrrWrapsAtTheHighestSlot) {
  create("lrr", 0, 1, 64);
  start({62, 63});
  EXPECT_EQ(issue(mask({63})), 63U);
  EXPECT_EQ(issue(mask({63, 62})), 62U);
}

TEST_F(PolicyTest, GtoStaysWithAWarpWhileItIsReadyThenTakesTheOldest) {
  create("gto");
  start({4, 1, 6});  // 4 is the oldest
  EXPECT_EQ(issue(mask({1, 6})), 1U);
  EXPECT_EQ(issue(mask({4, 1, 6})), 1U);
  EXPECT_EQ(issue(mask({4, 6})), 4U);
  EXPECT_EQ(issue(mask({1, 4})), 4U);
  EXPECT_EQ(issue(mask({6})), 6U);
}

TEST_F(PolicyTest, GtoIsNotGreedyForTheNextOccupantOfASlot) {
  create("gto");
  start({2, 5});
  EXPECT_EQ(issue(mask({2})), 2U);
  finish(2);
  start({2});  // now younger than 5
  EXPECT_EQ(issue(mask({2, 5})), 5U);
}

TEST_F(PolicyTest, OldestIsNotGreedy) {
  create("oldest");
  start({4, 1, 6});
  EXPECT_EQ(issue(mask({1, 6})), 1U);
  EXPECT_EQ(issue(mask({4, 1, 6})), 4U);
  finish(4);
  EXPECT_EQ(issue(mask({1, 6})), 1U);
}

TEST_F(PolicyTest, TwoLevelPrefersTheCurrentGroupUntilAllOfItWaitsLong) {
  config_.scheduler.settings.edit(two_level_parameters).fetch_group_warps = 2;
  create("two_level");
  start({0, 1, 2, 3, 4, 5});
  const WarpMask all = mask({0, 1, 2, 3, 4, 5});
  EXPECT_THAT(issue_n(3, all), ElementsAre(0, 1, 0));
  table_.blocked_memory = mask({0});
  EXPECT_EQ(issue(all & ~mask({0})), 1U);
  EXPECT_EQ(issue(mask({2, 4})), 2U);  // 1 is not ready for a moment: filled from the next group
  EXPECT_EQ(issue(mask({1, 2, 3})), 1U);
  table_.blocked_memory = mask({0, 1});
  EXPECT_EQ(issue(mask({2, 3, 4})), 3U);  // group of 2 and 3 is current, after 2
  table_.blocked_memory = 0;
  EXPECT_EQ(issue(all), 2U);  // and stays so when the first group is back
}

TEST_F(PolicyTest, AfterTheCurrentGroupOfTwoLevelComesTheNextNotTheFirst) {
  config_.scheduler.settings.edit(two_level_parameters).fetch_group_warps = 2;
  create("two_level");
  start({0, 1, 2, 3, 4, 5});
  table_.blocked_memory = mask({0, 1});
  EXPECT_EQ(issue(mask({2})), 2U);
  table_.blocked_memory = mask({2, 3});
  EXPECT_EQ(issue(mask({0, 4})), 4U);
}

TEST_F(PolicyTest, TwoLevelActiveByMarksReplacesAWarpAtAMembar) {
  config_.scheduler.settings.edit(two_level_active_parameters).active_warps = 2;
  create("two_level_active");
  start({0, 1, 2, 3});
  policies_.prioritizer->update(++cycle_);
  EXPECT_EQ(policies_.prioritizer->select(cycle_, mask({0, 2})), 0U);
  table_.at_membar = mask({0});
  policies_.prioritizer->update(++cycle_);
  EXPECT_EQ(policies_.prioritizer->select(cycle_, mask({0, 2})), 2U);
}

TEST_F(PolicyTest, TwoLevelGroupsAreOfTheSchedulersOwnWarps) {
  config_.scheduler.settings.edit(two_level_parameters).fetch_group_warps = 2;
  create("two_level", 1, 2);
  start({1, 3, 5, 7});
  EXPECT_THAT(issue_n(3, mask({1, 3, 5, 7})), ElementsAre(1, 3, 1));
  table_.at_barrier = mask({1, 3});
  EXPECT_EQ(issue(mask({5, 7})), 5U);
}

TEST_F(PolicyTest, TwoLevelActiveIssuesOnlyFromTheActiveSet) {
  config_.scheduler.settings.edit(two_level_active_parameters).active_warps = 2;
  config_.scheduler.settings.edit(two_level_active_parameters).long_wait = LongWait::kUntilData;
  create("two_level_active");
  start({0, 1, 2, 3});
  const WarpMask all = mask({0, 1, 2, 3});
  EXPECT_THAT(issue_n(3, all), ElementsAre(0, 1, 0));
  EXPECT_EQ(issue(mask({2, 3})), kNoWarp);
}

TEST_F(PolicyTest, TwoLevelActiveReplacesAWarpThatWaitsLongAtOnce) {
  config_.scheduler.settings.edit(two_level_active_parameters).active_warps = 2;
  config_.scheduler.settings.edit(two_level_active_parameters).long_wait = LongWait::kUntilData;
  create("two_level_active");
  start({0, 1, 2, 3});
  issue(mask({0}));
  table_.blocked_memory = mask({0});
  EXPECT_EQ(issue(mask({2, 3})), 2U);
  table_.blocked_memory = mask({0, 2});
  EXPECT_EQ(issue(mask({3})), 3U);
  // The set is {1, 3}; the data of 0 and 2 is back, 0 left first.
  table_.blocked_memory = mask({1});
  EXPECT_EQ(issue(mask({0, 2})), 0U);
  EXPECT_EQ(issue(mask({2})), kNoWarp);
}

TEST_F(PolicyTest, TwoLevelActivePassesOverPendingWarpsThatStillWait) {
  config_.scheduler.settings.edit(two_level_active_parameters).active_warps = 1;
  config_.scheduler.settings.edit(two_level_active_parameters).long_wait = LongWait::kUntilData;
  create("two_level_active");
  start({0, 1, 2});
  issue(mask({0}));
  table_.blocked_memory = mask({0, 1});
  EXPECT_EQ(issue(mask({2})), 2U);
  finish(2);
  table_.blocked_memory = mask({0});
  EXPECT_EQ(issue(mask({1})), 1U);
}

TEST_F(PolicyTest, TwoLevelActiveMakesRoomForThoseThatTheQualifierLetsThrough) {
  config_.scheduler.settings.edit(two_level_active_parameters).active_warps = 2;
  config_.scheduler.settings.edit(two_level_active_parameters).long_wait = LongWait::kUntilData;
  create("two_level_active");
  start({0, 1, 2, 3});
  EXPECT_EQ(issue(mask({3})), kNoWarp);
  EXPECT_FALSE(policies_.prioritizer->pass_over(cycle_, mask({2})));  // not one that it wants
  EXPECT_TRUE(policies_.prioritizer->pass_over(cycle_, mask({0, 1})));
  EXPECT_EQ(issue(mask({3})), 3U);
  // Those that were passed over are the last of the queue, in their order.
  table_.blocked_memory = mask({2, 3});
  EXPECT_EQ(issue(mask({0, 1})), 0U);
}

TEST_F(PolicyTest, InHardwareTheQueueOfTwoLevelActiveHasOneSelectionPerCycle) {
  config_.scheduler.settings.edit(two_level_active_parameters).active_warps = 3;
  config_.scheduler.settings.edit(two_level_active_parameters).long_wait = LongWait::kUntilData;
  config_.scheduler.timing = hw::Timing::kHardware;
  create("two_level_active");
  start({0, 1, 2, 3});
  const auto step = [&] {
    const std::uint64_t next = policies_.prioritizer->update(++cycle_);
    EXPECT_EQ(policies_.prioritizer->update(cycle_), next);  // a second call changes nothing
    return next == SchedulingPolicy::kNever ? next : next - cycle_;
  };
  EXPECT_EQ(step(), 1U);
  EXPECT_EQ(policies_.prioritizer->select(cycle_, mask({1, 2})), kNoWarp);
  EXPECT_EQ(step(), 1U);
  EXPECT_EQ(policies_.prioritizer->select(cycle_, mask({1, 2})), 1U);
  EXPECT_EQ(policies_.prioritizer->select(cycle_, mask({2})), kNoWarp);
  EXPECT_EQ(step(), SchedulingPolicy::kNever);
  EXPECT_EQ(policies_.prioritizer->select(cycle_, mask({2})), 2U);
  EXPECT_EQ(policies_.prioritizer->select(cycle_, mask({3})), kNoWarp);
}

/// Also when the scheduler has slept until then, as nothing had changed.
TEST_F(PolicyTest, InHardwareOfWarpsThatJoinTheQueueOfTwoLevelActiveAtOnceTheLowerSlotIsTheFirst) {
  for (const std::uint64_t slept : {0, 5}) {
    config_.scheduler.settings.edit(two_level_active_parameters).active_warps = 1;
    config_.scheduler.settings.edit(two_level_active_parameters).long_wait = LongWait::kUntilData;
    config_.scheduler.timing = hw::Timing::kHardware;
    create("two_level_active");
    table_.blocked_memory = 0;
    start({1, 3});
    EXPECT_EQ(issue(mask({1})), 1U);
    cycle_ += slept;
    start({5});
    table_.blocked_memory = mask({1});  // which leaves the active set to 3
    EXPECT_EQ(issue(mask({3, 5})), 3U);
    table_.blocked_memory = mask({3});
    EXPECT_EQ(issue(mask({1, 5})), 1U) << slept;
  }
}

TEST_F(PolicyTest, InHardwareOfWarpsThatStartAtOnceTheLowerSlotIsTheOlder) {
  config_.scheduler.timing = hw::Timing::kHardware;
  for (const char* name : {"gto", "oldest"}) {
    create(name);
    start({6});
    issue(mask({6}));
    start({5, 2});
    EXPECT_EQ(issue(mask({2, 5})), 2U) << name;
    EXPECT_EQ(issue(mask({2, 5, 6})), std::string(name) == "gto" ? 2U : 6U);
  }
}

TEST_F(PolicyTest, NoneQualifiesEverything) {
  create("none+lrr");
  EXPECT_EQ(policies_.qualifier->qualify(cycle_, mask({1, 5})), mask({1, 5}));
  create("lrr+none");
  EXPECT_EQ(policies_.qualifier->qualify(cycle_, mask({2})), mask({2}));
}

// But one of both kinds, as mascar is, is both.
TEST_F(PolicyTest, AQualifierAloneIsWithGto) {
  for (const QualifierEntry* qualifier : qualifiers()) {
    const PolicyNames alone = find_policies(qualifier->name);
    EXPECT_EQ(alone.qualifier, qualifier);
    const auto both = std::find_if(prioritizers().begin(), prioritizers().end(), [&](const auto* entry) {
      return std::string(entry->name) == qualifier->name;
    });
    EXPECT_EQ(std::string(alone.prioritizer->name), both == prioritizers().end() ? "gto" : qualifier->name);
  }
  const PolicyNames prioritizer = find_policies("lrr");
  EXPECT_EQ(std::string(prioritizer.qualifier->name), "none");
}

TEST_F(PolicyTest, UnknownNamesAreErrorsThatNameWhatIsKnown) {
  const auto message_of = [&](const std::string& name) -> std::string {
    try {
      create(name);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message_of("gtoo"),
              AllOf(HasSubstr("'gtoo' is unknown; did you mean 'gto'?"), HasSubstr("two_level_active")));
  EXPECT_THAT(message_of("two_levl"), HasSubstr("'two_levl' is unknown; did you mean 'two_level'?"));
  EXPECT_THAT(message_of("none+gto+lrr"), HasSubstr("more than two policies"));
  EXPECT_THAT(message_of("gto+lrr"), HasSubstr("two prioritizers"));
  EXPECT_THAT(message_of(""), HasSubstr("'' is unknown"));
  EXPECT_THAT(message_of("gto+"), HasSubstr("'' is unknown"));
}

// Also when nothing has read them from a file.
TEST_F(PolicyTest, ParametersOutOfRangeAreErrorsThatNameTheirKey) {
  const auto error_of = [this](const std::string& name) {
    try {
      create(name);
    } catch (const SettingError& error) {
      EXPECT_EQ(std::string(error.what()).find(error.keys().front() + ": "), 0U);
      return std::string(error.what());
    }
    return std::string("no error");
  };
  config_.scheduler.settings.edit(two_level_parameters).fetch_group_warps = 0;
  EXPECT_EQ(error_of("two_level"),
            "scheduler.two_level.fetch_group_warps: expected a whole number from 1 to 64, found 0");
  EXPECT_EQ(error_of("gto"), "no error");
  EXPECT_EQ(error_of("swl+lrr"), "no error");
  config_.scheduler.settings.edit(swl_parameters).warps = 65;
  EXPECT_EQ(error_of("swl+lrr"), "scheduler.swl.warps: expected a whole number from 1 to 64, found 65");
  config_.scheduler.settings.edit(two_level_active_parameters).long_wait = static_cast<LongWait>(2);
  EXPECT_EQ(error_of("two_level_active"),
            "scheduler.two_level_active.long_wait: expected one of until_data, marked, found 2");
}

}  // namespace
}  // namespace heddle
