// The L1D with a re-execution queue. In the rig an access sent at t is looked up at t + 4, and a miss that
// the MSHRs take at t is answered at t + 15.
#include <gtest/gtest.h>

#include <deque>

#include "sc_tests/modules/l1d/l1d_rig.h"

namespace heddle::test {
namespace {

class Queue : public MissReplay {
 public:
  bool may_miss(unsigned warp) const override { return open || warp == owner; }
  bool can_take(const MemoryRequest& /*request*/) const override { return waiting.size() < places; }
  void push(tlm::tlm_generic_payload& payload, Cycle cycle) override {
    waiting.push_back(&payload);
    pushed.push_back(cycle);
  }
  bool empty() const override { return waiting.empty(); }
  tlm::tlm_generic_payload& front() override { return *waiting.front(); }
  void pop(Cycle cycle) override {
    waiting.pop_front();
    popped.push_back(cycle);
  }
  bool one_push_a_cycle() const override { return one_push; }
  void rotate(Cycle cycle, bool looked_up) override {
    if (!looked_up) rotated.push_back(cycle);
    waiting.push_back(waiting.front());
    waiting.pop_front();
  }
  void rotate_each(Cycle first, Cycle last) override {
    for (Cycle cycle = first; cycle <= last; ++cycle) rotate(cycle, false);
  }

  bool open = true;
  unsigned owner = ~0U;
  std::size_t places = 4;
  std::deque<tlm::tlm_generic_payload*> waiting;
  std::vector<Cycle> pushed, popped, rotated;  ///< rotated: without a look-up
  bool one_push = false;
};

class L1dReplay : public ::testing::TestWithParam<bool> {
 protected:
  void build(unsigned mshr_entries) {
    Rig::Shape shape;
    shape.sleeping = GetParam();
    shape.config.mshr.entries = mshr_entries;
    shape.config.allocate = AllocatePolicy::kOnFill;
    rig_ = std::make_unique<Rig>("rig", shape);
    rig_->l1d->replay_misses(queue_, *rig_->mshr);
  }
  void load(Cycle cycle, std::uint64_t address, std::uint16_t warp = 0) {
    request_of(rig_->cpu->at(cycle, address))->warp = warp;
  }
  /// Cycle of the answer.
  Cycle answer(std::uint64_t address) const {
    Cycle last = 0;
    for (const Seen& seen : rig_->cpu->responses) {
      if (seen.address == address) last = seen.cycle;
    }
    return last;
  }

  Queue queue_;
  std::unique_ptr<Rig> rig_;
};

INSTANTIATE_TEST_SUITE_P(Sleeping, L1dReplay, ::testing::Bool());

TEST_P(L1dReplay, ALoadWithoutAnMshrEntryWaitsAndLaterOnesHitUnderIt) {
  build(1);
  load(5, 0x1000);
  load(40, 0x2000);
  load(41, 0x3080);  // no entry
  load(42, 0x1000);  // hits at its own time
  sc_core::sc_start(ns(100));
  EXPECT_EQ(queue_.pushed, std::vector<Cycle>{45});
  EXPECT_EQ(answer(0x1000), 47U);
  EXPECT_EQ(answer(0x2000), 59U);
  // The answer of 0x2000 passes the MSHRs, and frees its entry, two hops before it is seen.
  EXPECT_EQ(queue_.popped, std::vector<Cycle>{57});
  EXPECT_EQ(answer(0x3080), 57U + 15);
  EXPECT_TRUE(rig_->l1d->idle());
}

TEST_P(L1dReplay, AClosedGateHoldsMissesOfAllButTheOwner) {
  build(4);
  queue_.open = false;
  queue_.owner = 3;
  load(5, 0x1000, 2);
  load(6, 0x2080, 3);
  sc_core::sc_start(sc_core::sc_time(50.5, sc_core::SC_NS));
  EXPECT_EQ(queue_.pushed, std::vector<Cycle>{9});
  EXPECT_EQ(answer(0x2080), 25U);
  EXPECT_TRUE(queue_.popped.empty());
  queue_.open = true;  // after edge 50
  sc_core::sc_start(ns(50));
  EXPECT_EQ(queue_.popped, std::vector<Cycle>{51});
  EXPECT_EQ(answer(0x1000), 51U + 15);
}

TEST_P(L1dReplay, AHeldLoadMergesWithTheFetchOfItsLine) {
  build(4);
  queue_.open = false;
  queue_.owner = 3;
  load(5, 0x1000, 3);
  load(6, 0x1000, 2);
  sc_core::sc_start(ns(60));
  EXPECT_TRUE(queue_.pushed.empty());
  EXPECT_EQ(rig_->stat("pending_hits"), 1);
}

TEST_P(L1dReplay, AHeldLoadHitsWhenAnotherHasFetchedItsLine) {
  build(4);
  queue_.open = false;
  queue_.owner = 3;
  load(5, 0x1000, 2);
  load(6, 0x1000, 3);
  sc_core::sc_start(ns(60));
  EXPECT_EQ(queue_.pushed, std::vector<Cycle>{9});
  // The owner's miss goes at 10; at 11 the waiting load, looked up as nothing else is, joins it.
  EXPECT_EQ(queue_.popped, std::vector<Cycle>{11});
}

// Nobody may miss, so that the front makes room for the next whenever a load of the pipe is looked up; at 14
// it has been looked up itself, in vain, just before.
TEST_P(L1dReplay, TheFrontBecomesTheLastAsOthersArePushed) {
  build(4);
  queue_.places = 8;
  queue_.open = false;
  for (const Cycle t : {5U, 6U, 7U, 8U, 10U}) load(t, 0x1000 * t);
  sc_core::sc_start(ns(15));
  EXPECT_EQ(queue_.pushed, (std::vector<Cycle>{9, 10, 11, 12, 14}));
  EXPECT_EQ(queue_.rotated, (std::vector<Cycle>{10, 11, 12}));
}

TEST_P(L1dReplay, WithOnePortTheFrontStaysInACycleThatPushes) {
  build(4);
  queue_.one_push = true;
  queue_.places = 4;
  queue_.open = false;
  for (const Cycle t : {5U, 6U, 7U, 8U, 10U}) load(t, 0x1000 * t);
  sc_core::sc_start(ns(17));
  EXPECT_EQ(queue_.pushed, (std::vector<Cycle>{9, 10, 11, 12}));
  EXPECT_EQ(queue_.rotated, (std::vector<Cycle>{15, 16}));  // there is no place for the last one
}

TEST_P(L1dReplay, AFullQueueBlocksThePipeAndIsTheReasonGiven) {
  build(1);
  queue_.places = 1;
  load(5, 0x1000);
  load(6, 0x2080);
  load(7, 0x3100);  // neither entry nor place, from 11 on
  load(8, 0x4180);
  sc_core::sc_start(ns(200));
  EXPECT_EQ(queue_.pushed.at(0), 10U);
  EXPECT_EQ(queue_.popped.at(0), 22U);
  // One access is looked up at an edge: the next one finds the place free at 23.
  EXPECT_EQ(queue_.pushed.at(1), 23U);
  // The third load waits from 11 to 23, the fourth from 24 to 36: the MSHR's entry passes on every 13 cycles.
  EXPECT_EQ(rig_->stat("blocked_replay"), (23 - 11) + (36 - 24));
  EXPECT_EQ(rig_->stat("reservation_failures_replay"), 2);
  EXPECT_TRUE(rig_->l1d->idle());
  EXPECT_EQ(rig_->in_flight(), 0U);
}

// It sleeps from 11 on, when the third load finds neither entry nor place, until the MSHR's entry is free,
// at 22.
TEST_P(L1dReplay, WithoutRoomInTheMshrsItSleepsAndTheQueueHasTurnedInEveryCycle) {
  build(1);
  queue_.places = 1;
  load(5, 0x1000);
  load(6, 0x2080);
  load(7, 0x3100);
  sc_core::sc_start(sc_core::sc_time(16.5, sc_core::SC_NS));
  rig_->l1d->settle();
  EXPECT_EQ(queue_.rotated, (std::vector<Cycle>{11, 12, 13, 14, 15, 16}));
  const std::uint64_t ticks = rig_->clock.ticks_executed();
  sc_core::sc_start(ns(2));
  // The stubs tick at each edge; the MSHR has nothing to do.
  EXPECT_EQ(rig_->clock.ticks_executed() - ticks, 2U * (GetParam() ? 2 : 4));
  sc_core::sc_start(ns(100));
  ASSERT_GE(queue_.rotated.size(), 11U);
  EXPECT_EQ(queue_.rotated[10], 21U);
  EXPECT_EQ(queue_.popped.at(0), 22U);
  EXPECT_EQ(queue_.pushed.at(1), 23U);
  EXPECT_EQ(rig_->stat("blocked_replay"), 23 - 11);
}

// At the edge at which the MSHR passes the line on that the access at the pipe's exit asks for, the reason
// for which it is held up becomes another one: a sleeping L1D sees that too.
TEST_P(L1dReplay, TheReasonChangesAsTheLineIsOnItsWay) {
  Rig::Shape shape;
  shape.sleeping = GetParam();
  shape.config.mshr.entries = 1;
  shape.config.mshr.merges = 2;
  shape.config.allocate = AllocatePolicy::kOnFill;
  rig_ = std::make_unique<Rig>("rig", shape);
  rig_->l1d->replay_misses(queue_, *rig_->mshr);
  queue_.places = 1;
  load(5, 0x1000);
  load(6, 0x1000);
  load(7, 0x2080);
  load(8, 0x1000);  // its line's entry takes no more, the queue has no place
  sc_core::sc_start(ns(200));
  EXPECT_EQ(rig_->stat("blocked_replay"), 22 - 12);
  EXPECT_EQ(rig_->stat("blocked_line_reserved"), 2);
  EXPECT_EQ(rig_->stat("reservation_failures_line_reserved"), 1);
  EXPECT_TRUE(rig_->l1d->idle());
}

/// A queue whose gate opens at a cycle.
class TimedQueue : public Queue {
 public:
  bool may_miss(unsigned warp) const override { return warp == owner || clock->cycle() >= opens_at; }
  const ClockDomain* clock = nullptr;
  Cycle opens_at = 0;
};

// The pipe's access waits for a way while the queue's last one goes. When a way is filled at that very edge,
// nothing more comes that would wake the L1D: it has to look again by itself.
TEST(L1dReplayAndSleep, AWayThatIsFilledAsTheQueueEmptiesIsSeen) {
  struct Trial {
    std::unique_ptr<Rig> rig;
    TimedQueue queue;
  };
  const auto answered = [](const Trial& trial, std::uint64_t address) {
    Cycle last = 0;
    for (const Seen& seen : trial.rig->cpu->responses) {
      if (seen.address == address) last = seen.cycle;
    }
    return last;
  };
  constexpr Cycle kFirst = 15;
  constexpr Cycle kLast = 35;
  std::deque<Trial> trials;
  for (Cycle opens = kFirst; opens <= kLast; ++opens) {
    for (const bool sleeping : {false, true}) {
      Trial& trial = trials.emplace_back();
      Rig::Shape shape;
      shape.sleeping = sleeping;
      shape.config.mshr.entries = 4;
      const std::string name = "rig" + std::to_string(opens) + (sleeping ? "s" : "");
      trial.rig = std::make_unique<Rig>(name.c_str(), shape);
      trial.queue.owner = 3;
      trial.queue.clock = &trial.rig->clock;
      trial.queue.opens_at = opens;
      trial.rig->l1d->replay_misses(trial.queue, *trial.rig->mshr);
      const auto load = [&trial](Cycle cycle, std::uint64_t address, std::uint16_t warp) {
        request_of(trial.rig->cpu->at(cycle, address))->warp = warp;
      };
      load(5, 0x1000, 3);  // the two ways of set 0
      load(7, 0x1200, 3);
      load(8, 0x1080, 2);  // waits in the queue until the gate opens
      load(9, 0x1400, 3);  // waits for a way
    }
  }
  sc_core::sc_start(ns(120));
  for (std::size_t i = 0; i < trials.size(); i += 2) {
    EXPECT_EQ(answered(trials[i + 1], 0x1400), answered(trials[i], 0x1400))
        << "the gate opens at " << trials[i].queue.opens_at;
    EXPECT_GT(answered(trials[i], 0x1400), 0U);
  }
}

TEST_P(L1dReplay, WithoutAQueueNothingOfItIsSeen) {
  Rig::Shape shape;
  shape.sleeping = GetParam();
  shape.config.mshr.entries = 1;
  rig_ = std::make_unique<Rig>("rig", shape);
  load(5, 0x1000);
  load(6, 0x2080);
  sc_core::sc_start(ns(100));
  EXPECT_EQ(rig_->stat("blocked_replay"), 0);
  EXPECT_GT(rig_->stat("blocked_mshr_entries"), 0);
}

}  // namespace
}  // namespace heddle::test
