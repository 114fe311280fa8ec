#include "modules/sm/events/policy_feed.h"

#include <gtest/gtest.h>

#include "sc_tests/support/probe_policy.h"

namespace heddle {
namespace {

using testing::ProbePolicy;

GpuConfig probed() {
  testing::register_probe();
  GpuConfig config;
  config.scheduler.name = "probe";
  return config;
}

/// A feed without an SM.
struct FeedRig {
  /// A block that delivers in each of its ticks.
  struct Teller : Clocked {
    explicit Teller(ClockDomain& domain) : Clocked(domain, 0, "teller") {}
    bool tick() override {
      told = feed->deliver(domain().cycle());
      return false;
    }
    PolicyFeed* feed = nullptr;
    bool told = false;
  };

  explicit FeedRig(EventSet hears = testing::kProbeHears, PolicyBoard* board = nullptr, unsigned sm = 0)
      : clock(sc_core::sc_gen_unique_name("clock"), sc_core::sc_time(1, sc_core::SC_NS)),
        teller(clock),
        feed(context_of(hears, board, sm), teller) {
    testing::kProbeShared.hears = testing::kProbeHears;
    teller.feed = &feed;
  }
  SmContext context_of(EventSet hears, PolicyBoard* board, unsigned sm) const {
    testing::kProbeShared.hears = hears;
    SmContext context{table, config};
    context.sm = sm;
    context.board = board;
    return context;
  }
  static ProbePolicy& policy(unsigned sm = 0) { return *ProbePolicy::of_sm[sm]; }

  ClockDomain clock;
  WarpTable table;
  GpuConfig config = probed();
  Teller teller;
  PolicyFeed feed;
};

TEST(PolicyFeedTest, WhatTheIssueDoesIsToldAtOnce) {
  FeedRig rig;
  rig.feed.tell<event::WarpStart>(WarpEvent{3, 1, 0, 0, 7, 0});
  ASSERT_EQ(FeedRig::policy().warp_starts.size(), 1U);
  EXPECT_EQ(FeedRig::policy().warp_starts[0].second.warp, 3U);
}

TEST(PolicyFeedTest, WhatTheMemorySideDoesIsToldInTheNextCycle) {
  FeedRig rig;
  LoadReturned event;
  event.cycle = 7;
  rig.feed.publish(event);
  EXPECT_FALSE(rig.feed.deliver(7));
  EXPECT_TRUE(FeedRig::policy().returned.empty());
  EXPECT_TRUE(rig.feed.deliver(8));
  EXPECT_EQ(FeedRig::policy().returned.size(), 1U);
  EXPECT_FALSE(rig.feed.deliver(9));  // once
  EXPECT_EQ(FeedRig::policy().returned.size(), 1U);
}

TEST(PolicyFeedTest, APolicyHearsOnlyWhatItsEntrySays) {
  FeedRig rig(event::LoadReturned::kBit);
  EXPECT_TRUE(rig.feed.any());
  EXPECT_TRUE((rig.feed.heard<event::LoadReturned, event::L1dStore>()));
  EXPECT_FALSE(rig.feed.heard<event::L1dStore>());
  rig.feed.publish(L1dStore());
  rig.feed.publish(LoadReturned());
  rig.feed.deliver(1);
  EXPECT_TRUE(FeedRig::policy().stores.empty());
  EXPECT_EQ(FeedRig::policy().returned.size(), 1U);
}

TEST(PolicyFeedTest, ANoteOfAnotherSmIsToldInTheNextCycle) {
  PolicyBoard board(2);
  const FeedRig one(testing::kProbeHears, &board, 0);
  FeedRig other(testing::kProbeHears, &board, 1);
  FeedRig::policy(0).channel.post(7, 2, 42);
  EXPECT_FALSE(other.feed.deliver(7));
  EXPECT_TRUE(FeedRig::policy(1).notes.empty());
  EXPECT_TRUE(other.feed.deliver(8));
  ASSERT_EQ(FeedRig::policy(1).notes.size(), 1U);
  EXPECT_EQ(FeedRig::policy(1).notes[0].second.value, 42U);
}

TEST(PolicyFeedTest, WithoutABoardAnSmHearsItself) {
  FeedRig rig;
  FeedRig::policy().channel.post(7, 2, 42);
  EXPECT_TRUE(rig.feed.deliver(8));
  EXPECT_EQ(FeedRig::policy().notes.size(), 1U);
}

// A hit, an access that is queued, and the last one, a miss; the queued one is looked up again, and misses,
// at 6.
TEST(PolicyFeedTest, ALoadIsLookedUpWhenItsQueuedAccessesAre) {
  FeedRig rig;
  const auto access = [&rig](Cycle cycle, L1dOutcome outcome, bool last, bool replayed) {
    L1dAccess event;
    event.cycle = cycle;
    event.outcome = outcome;
    event.last = last;
    event.replayed = replayed;
    event.instruction = 5;
    rig.feed.publish(event);
  };
  access(1, L1dOutcome::kHit, false, false);
  access(2, L1dOutcome::kQueued, false, false);
  access(3, L1dOutcome::kMiss, true, false);
  rig.feed.deliver(6);
  EXPECT_TRUE(FeedRig::policy().looked_up.empty());
  access(6, L1dOutcome::kMiss, false, true);
  rig.feed.deliver(7);
  ASSERT_EQ(FeedRig::policy().looked_up.size(), 1U);
  const LoadLookedUp& load = FeedRig::policy().looked_up[0].second;
  EXPECT_EQ(load.cycle, 6U);
  EXPECT_EQ(load.lines, 3U);
  EXPECT_EQ(load.hits, 1U);
  EXPECT_EQ(load.misses, 2U);
}

TEST(PolicyFeedTest, WhatWaitsWakesTheTeller) {
  FeedRig rig;
  sc_core::sc_start(5, sc_core::SC_NS);  // asleep from its first edge on
  rig.teller.told = false;
  LoadReturned event;
  event.cycle = rig.clock.cycle_now();
  rig.feed.publish(event);
  sc_core::sc_start(1.5, sc_core::SC_NS);
  EXPECT_TRUE(rig.teller.told);
}

TEST(PolicyFeedTest, WhatThePolicyCanWaitForIsToldWithTheNextOrWhenItIsSettled) {
  ProbePolicy::patient = true;
  FeedRig rig;
  sc_core::sc_start(5, sc_core::SC_NS);  // asleep from its first edge on
  rig.teller.told = false;
  const Cycle first = rig.clock.cycle_now();
  rig.feed.publish(MshrRoom{first, 3, 4});
  sc_core::sc_start(3, sc_core::SC_NS);
  EXPECT_FALSE(rig.teller.told);
  EXPECT_TRUE(FeedRig::policy().rooms.empty());
  rig.feed.settle(first);  // it is told in the cycle after
  EXPECT_TRUE(FeedRig::policy().rooms.empty());
  rig.feed.settle(first + 1);
  ASSERT_EQ(FeedRig::policy().rooms.size(), 1U);
  EXPECT_EQ(FeedRig::policy().rooms[0].second.cycle, first);
  rig.feed.publish(MshrRoom{first + 3, 2, 4});
  sc_core::sc_start(1, sc_core::SC_NS);
  EXPECT_FALSE(rig.teller.told);
  ProbePolicy::patient = false;
  rig.feed.publish(MshrRoom{first + 4, 1, 4});
  sc_core::sc_start(2, sc_core::SC_NS);
  EXPECT_TRUE(rig.teller.told);
  ASSERT_EQ(FeedRig::policy().rooms.size(), 3U);
  EXPECT_EQ(FeedRig::policy().rooms[1].second.free_entries, 2U);
  EXPECT_EQ(FeedRig::policy().rooms[2].second.free_entries, 1U);
}

struct Watcher : SharedPolicy {
  void on_mshr_room(const MshrRoom& /*event*/) override { ++rooms; }
  unsigned rooms = 0;
};

TEST(PolicyFeedTest, AWatcherDoesNotWait) {
  ProbePolicy::patient = true;
  FeedRig rig;
  Watcher watcher;
  rig.feed.watch(watcher, event::MshrRoom::kBit);
  sc_core::sc_start(5, sc_core::SC_NS);
  rig.feed.publish(MshrRoom{rig.clock.cycle_now(), 3, 4});
  sc_core::sc_start(1.5, sc_core::SC_NS);
  EXPECT_EQ(watcher.rooms, 1U);
  ProbePolicy::patient = false;
}

}  // namespace
}  // namespace heddle
