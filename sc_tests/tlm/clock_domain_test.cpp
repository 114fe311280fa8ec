#include "tlm/clock_domain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sc_tests/support/memory_stubs.h"
#include "tlm/clocked.h"

namespace heddle::test {
namespace {

/// Records the cycles of its ticks; `body` says whether to tick again.
class Recorder : public Clocked {
 public:
  Recorder(ClockDomain& domain, std::string name, int order = tick_order::kMemory)
      : Clocked(domain, order, std::move(name)) {}
  bool tick() override {
    ticks.push_back(domain().cycle());
    return body && body(domain().cycle());
  }
  std::vector<Cycle> ticks;
  std::function<bool(Cycle)> body;
};

using Cycles = std::vector<Cycle>;

/// Whether blocks tick by processes.
class ClockDomainTest : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(, ClockDomainTest, ::testing::Values(false, true), [](const auto& by_processes) {
  return by_processes.param ? "ByProcesses" : "ByCalls";
});

/// A domain on its own whose blocks tick as the test's parameter says.
class Clock : public ClockDomain {
 public:
  Clock(const sc_core::sc_module_name& name, const sc_core::sc_time& period, bool sleeping = true)
      : ClockDomain(name, period, sleeping) {
    if (ClockDomainTest::GetParam()) tick_by_processes();
  }
};

TEST_P(ClockDomainTest, EveryBlockTicksAtEdgeOneAndThenSleeps) {
  Clock clock("clock", ns(2));
  Recorder block(clock, "block");
  sc_core::sc_start(ns(1.999));
  EXPECT_EQ(block.ticks, Cycles{});
  sc_core::sc_start(ns(0.002));
  EXPECT_EQ(block.ticks, Cycles{1});
  sc_core::sc_start(ns(100));
  EXPECT_EQ(block.ticks, Cycles{1});
  EXPECT_EQ(clock.ticks_executed(), 1U);
}

TEST_P(ClockDomainTest, ABlockThatAsksForItTicksAtTheNextEdge) {
  Clock clock("clock", ns(2));
  Recorder block(clock, "block");
  block.body = [](Cycle cycle) { return cycle < 4; };
  sc_core::sc_start(ns(100));
  EXPECT_EQ(block.ticks, (Cycles{1, 2, 3, 4}));
}

TEST_P(ClockDomainTest, ABlockWokenForThisEdgeTicksAtItIfItsTurnIsToCome) {
  Clock clock("clock", ns(2));
  std::vector<std::unique_ptr<Recorder>> blocks;  // 100 of them: more than one word of the awake mask
  for (unsigned i = 0; i < 100; ++i) {
    blocks.push_back(
        std::make_unique<Recorder>(clock, "block" + std::to_string(100 + i), static_cast<int>(i)));
  }
  blocks[50]->body = [&](Cycle cycle) {
    if (cycle == 3) {
      for (const unsigned woken : {49U, 50U, 51U, 63U, 64U, 99U}) blocks[woken]->wake_this_edge();
    }
    return cycle < 3;
  };
  sc_core::sc_start(ns(100));
  for (const unsigned behind : {51U, 63U, 64U, 99U})
    EXPECT_EQ(blocks[behind]->ticks, (Cycles{1, 3})) << behind;
  EXPECT_EQ(blocks[49]->ticks, (Cycles{1, 4}));
  EXPECT_EQ(blocks[50]->ticks, (Cycles{1, 2, 3, 4}));
  EXPECT_EQ(blocks[98]->ticks, (Cycles{1}));
}

TEST_P(ClockDomainTest, PipelinesTickByTheirOrdersAfterWhatIsInNoneAndBeforeWhatComesAfterThem) {
  Clock clock("clock", ns(2));
  std::vector<std::string> ticked;
  std::vector<std::unique_ptr<Recorder>> blocks;
  const auto add = [&](const std::string& name, int order) {
    blocks.push_back(std::make_unique<Recorder>(clock, name, order));
    blocks.back()->body = [&ticked, name](Cycle) {
      ticked.push_back(name);
      return false;
    };
  };
  add("dispatcher", tick_order::kDispatch);
  for (const unsigned number : {10U, 2U}) {
    const std::string sm = "sm" + std::to_string(number);
    clock.begin_pipeline(number);
    add(sm + ".fetch", tick_order::kFetch);
    add(sm + ".unit", tick_order::kExecute);
    add(sm + ".fetch.icache", tick_order::kMemory);
    clock.end_pipeline();
  }
  add("network", tick_order::kMemory);
  sc_core::sc_start(ns(3));
  ASSERT_EQ(ticked.size(), 8U);
  EXPECT_EQ(ticked.front(), "network");
  EXPECT_EQ(ticked.back(), "dispatcher");
  for (const char* sm : {"sm2", "sm10"}) {
    std::vector<std::string> of_sm;
    for (const std::string& name : ticked) {
      if (name.substr(0, name.find('.')) == sm) of_sm.push_back(name.substr(name.find('.')));
    }
    EXPECT_EQ(of_sm, (std::vector<std::string>{".fetch.icache", ".unit", ".fetch"})) << sm;
  }
  if (GetParam()) return;  // in a delta cycle in any order
  EXPECT_EQ(std::find(ticked.begin(), ticked.end(), "sm2.fetch") - ticked.begin(), 3);
}

TEST_P(ClockDomainTest, ABlockWokenForThisEdgeFromOutsideTicksAtTheNext) {
  Clock clock("clock", ns(2));
  Recorder block(clock, "block");
  sc_core::sc_start(ns(7));
  block.wake_this_edge();
  sc_core::sc_start(ns(0.9));
  EXPECT_EQ(block.ticks, Cycles{1});
  sc_core::sc_start(ns(0.2));
  EXPECT_EQ(block.ticks, (Cycles{1, 4}));
}

TEST_P(ClockDomainTest, WithoutSleepingEveryBlockTicksAtEveryEdge) {
  Clock clock("clock", ns(2), false);
  Recorder block(clock, "block");
  sc_core::sc_start(ns(11));
  EXPECT_EQ(block.ticks, (Cycles{1, 2, 3, 4, 5}));
}

TEST_P(ClockDomainTest, AllAsleepMeansNoActivityAtAll) {
  Clock clock("clock", ns(2));
  Recorder block(clock, "block");
  sc_core::sc_start(ns(3));
  EXPECT_FALSE(sc_core::sc_pending_activity());
}

TEST_P(ClockDomainTest, TimersFireAtTheirCycleNearAndFar) {
  Clock clock("clock", ns(1));
  const Cycles delays{1, 2, 62, 63, 64, 65, 127, 128, 129, 1000};
  std::vector<std::unique_ptr<Recorder>> blocks;
  for (const Cycle delay : delays) {
    blocks.push_back(std::make_unique<Recorder>(clock, "block" + std::to_string(delay)));
    Recorder* block = blocks.back().get();
    block->body = [block, delay](Cycle cycle) {
      if (cycle == 1) block->wake_in(delay);
      return false;
    };
  }
  sc_core::sc_start(ns(2000));
  for (std::size_t i = 0; i < delays.size(); ++i) {
    EXPECT_EQ(blocks[i]->ticks, (Cycles{1, 1 + delays[i]})) << "delay " << delays[i];
  }
}

TEST_P(ClockDomainTest, TimersOfOneBlockAddUpAndEqualOnesFireOnce) {
  Clock clock("clock", ns(1));
  Recorder block(clock, "block");
  block.body = [&](Cycle cycle) {
    if (cycle == 1) {
      block.wake_in(100);
      block.wake_in(5);
      block.wake_in(100);
      block.wake_in(70);
    }
    return false;
  };
  sc_core::sc_start(ns(300));
  EXPECT_EQ(block.ticks, (Cycles{1, 6, 71, 101}));
}

TEST_P(ClockDomainTest, ATimerSetInTheLastSlotOfTheWheelIsNotMistakenForAnEarlierEdge) {
  Clock clock("clock", ns(1));
  Recorder runner(clock, "runner");
  runner.body = [](Cycle cycle) { return cycle < 300; };
  Recorder block(clock, "block");
  block.body = [&](Cycle) {
    block.wake_in(63);
    return false;
  };
  sc_core::sc_start(ns(200));
  EXPECT_EQ(block.ticks, (Cycles{1, 64, 127, 190}));
}

TEST_P(ClockDomainTest, AWakeFromOutsideIsServedAtTheFirstEdgeStrictlyAfter) {
  Clock clock("clock", ns(10));
  Recorder block(clock, "block");
  sc_core::sc_start(ns(34));
  block.wake();
  sc_core::sc_start(ns(16));  // now at 50
  EXPECT_EQ(block.ticks, (Cycles{1, 4}));
  block.wake();  // exactly on an edge at which nobody is awake
  sc_core::sc_start(ns(9.999));
  EXPECT_EQ(block.ticks, (Cycles{1, 4}));
  sc_core::sc_start(ns(0.002));
  EXPECT_EQ(block.ticks, (Cycles{1, 4, 6}));
}

TEST_P(ClockDomainTest, WakeAfterCountsFromTheGivenTime) {
  Clock clock("clock", ns(10));
  Recorder block(clock, "block");
  sc_core::sc_start(ns(12));
  block.wake_after(ns(20).value());
  sc_core::sc_start(ns(100));
  EXPECT_EQ(block.ticks, (Cycles{1, 3}));
}

TEST_P(ClockDomainTest, AWakeBetweenDomainsAtACoincidingEdgeActsAtALaterEdge) {
  // Edges coincide at 6 ns. Both construction orders of the domains, so that either may run first.
  const auto fast_a = std::make_unique<Clock>("fast_a", ns(2));
  const auto slow_a = std::make_unique<Clock>("slow_a", ns(3));
  const auto slow_b = std::make_unique<Clock>("slow_b", ns(3));
  const auto fast_b = std::make_unique<Clock>("fast_b", ns(2));
  Recorder waker_a(*fast_a, "waker_a");
  Recorder woken_a(*slow_a, "woken_a");
  Recorder waker_b(*fast_b, "waker_b");
  Recorder woken_b(*slow_b, "woken_b");
  const auto wake_at_edge_3 = [](Recorder& woken) {
    return [&woken](Cycle cycle) {
      if (cycle == 3) woken.wake();
      return cycle < 3;
    };
  };
  waker_a.body = wake_at_edge_3(woken_a);
  waker_b.body = wake_at_edge_3(woken_b);
  // Others keep the slow domains busy, so that their edges exist.
  Recorder busy_a(*slow_a, "busy_a");
  busy_a.body = [](Cycle cycle) { return cycle < 5; };
  sc_core::sc_start(ns(50));
  EXPECT_EQ(woken_a.ticks, (Cycles{1, 3}));
  EXPECT_EQ(woken_b.ticks, (Cycles{1, 3}));
}

TEST_P(ClockDomainTest, AnEarlierWakeDoesNotSwallowALaterOneOfThePendingEdge) {
  Clock clock("clock", ns(1));
  Recorder timed(clock, "timed");
  timed.body = [&](Cycle cycle) {
    if (cycle == 1) timed.wake_in(99);
    return false;
  };
  Recorder late(clock, "late");
  Recorder early(clock, "early");
  sc_core::sc_start(ns(10));  // edge 100 is pending
  late.wake_in(90);           // for edge 100 too
  early.wake_in(40);          // brings the pending edge forward to 50
  sc_core::sc_start(ns(200));
  EXPECT_EQ(timed.ticks, (Cycles{1, 100}));
  EXPECT_EQ(late.ticks, (Cycles{1, 100}));
  EXPECT_EQ(early.ticks, (Cycles{1, 50}));
}

TEST_P(ClockDomainTest, BlocksTickByOrderThenByNameWhateverTheirConstruction) {
  Clock clock("clock", ns(1));
  std::vector<std::string> ticked;
  std::vector<std::unique_ptr<Recorder>> blocks;
  const std::vector<std::pair<int, std::string>> constructed{{tick_order::kFetch, "a"},
                                                             {tick_order::kMemory, "z"},
                                                             {tick_order::kMshr, "y"},
                                                             {tick_order::kMemory, "b"},
                                                             {tick_order::kExecute, "c"}};
  for (const auto& [order, name] : constructed) {
    blocks.push_back(std::make_unique<Recorder>(clock, name, order));
    blocks.back()->body = [&ticked, n = name](Cycle) {
      ticked.push_back(n);
      return false;
    };
  }
  sc_core::sc_start(ns(5));
  if (GetParam()) std::sort(ticked.begin() + 1, ticked.begin() + 3);  // in a delta cycle in any order
  EXPECT_EQ(ticked, (std::vector<std::string>{"y", "b", "z", "c", "a"}));
}

TEST_P(ClockDomainTest, MoreBlocksThanAMachineWordAllTick) {
  Clock clock("clock", ns(1));
  std::vector<std::unique_ptr<Recorder>> blocks;
  for (int i = 0; i < 150; ++i) {
    blocks.push_back(std::make_unique<Recorder>(clock, std::to_string(i)));
    Recorder* block = blocks.back().get();
    block->body = [block](Cycle cycle) {
      if (cycle == 1) block->wake_in(7);
      return false;
    };
  }
  sc_core::sc_start(ns(20));
  for (const auto& block : blocks) EXPECT_EQ(block->ticks, (Cycles{1, 8}));
}

TEST_P(ClockDomainTest, AWakeWithinTheEdgeIsForTheNextOne) {
  Clock clock("clock", ns(1));
  Recorder first(clock, "a");
  Recorder second(clock, "b");
  first.body = [&](Cycle cycle) {
    if (cycle == 3) second.wake();
    return cycle < 3;
  };
  sc_core::sc_start(ns(20));
  EXPECT_EQ(second.ticks, (Cycles{1, 4}));
}

TEST_P(ClockDomainTest, ABlockThatIsGoneBeforeTheStartIsForgotten) {
  class Impossible : public Recorder {
   public:
    explicit Impossible(ClockDomain& domain) : Recorder(domain, "impossible") {
      throw std::invalid_argument("a size of 0");
    }
  };
  Clock clock("clock", ns(1));
  Recorder first(clock, "first");
  EXPECT_THROW(Impossible{clock}, std::invalid_argument);
  { const Recorder left(clock, "left"); }
  Recorder last(clock, "last");
  sc_core::sc_start(ns(20));
  EXPECT_EQ(first.ticks, (Cycles{1}));
  EXPECT_EQ(last.ticks, (Cycles{1}));
}

TEST(ClockDomain, MayBeGoneBeforeItsBlocks) {
  auto clock = std::make_unique<ClockDomain>("clock", ns(1));
  Recorder block(*clock, "block");
  clock.reset();
  sc_core::sc_start(ns(20));
  EXPECT_TRUE(block.ticks.empty());
}

TEST(ClockDomain, APeriodOfNothingIsRefusedByName) {
  try {
    const ClockDomain clock("too_fast", sc_core::sc_time(0.3, sc_core::SC_FS));
    ADD_FAILURE() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "too_fast: expected a period of at least the time resolution (1 fs), found 0 s");
  }
}

/// What SystemC is told while it lives.
class Infos {
 public:
  Infos() {
    texts().clear();
    sc_core::sc_report_handler::set_handler(
        [](const sc_core::sc_report& report, const sc_core::sc_actions& /*actions*/) {
          texts().push_back(std::string(report.get_msg_type()) + ": " + report.get_msg());
        });
  }
  static std::vector<std::string>& texts() {
    static std::vector<std::string> heard;
    return heard;
  }
};

TEST_P(ClockDomainTest, WhyTheSimulationStopsIsTold) {
  const Infos infos;
  Clock clock("clock", ns(1));
  Recorder block(clock, "block");
  block.body = [](Cycle cycle) {
    if (cycle == 3) throw std::runtime_error("address 0x10 is out of bounds");
    return true;
  };
  sc_core::sc_start(ns(20));
  ASSERT_FALSE(Infos::texts().empty());
  EXPECT_EQ(
      Infos::texts().front(),
      "/heddle/clock: clock.tree: the simulation stops at 3 ns, since a block has thrown: address 0x10 is "
      "out of bounds");
}

TEST_P(ClockDomainTest, AnExceptionStopsTheSimulationAndIsKept) {
  Clock clock("clock", ns(1));
  Recorder block(clock, "block");
  block.body = [](Cycle cycle) {
    if (cycle == 3) throw std::runtime_error("address 0x10 is out of bounds");
    return true;
  };
  EXPECT_NO_THROW(clock.rethrow_fault());
  sc_core::sc_start(ns(20));
  EXPECT_EQ(block.ticks, (Cycles{1, 2, 3}));
  // Trace files have seen the edge's instant.
  EXPECT_EQ(sc_core::sc_time_stamp(), ns(3) + sc_core::sc_get_time_resolution());
  EXPECT_EQ(clock.cycle_now(), 3U);
  EXPECT_THROW(clock.rethrow_fault(), std::runtime_error);
}

TEST_P(ClockDomainTest, BehindAFaultTheOtherPipelinesFinishTheEdgeAndNobodyElse) {
  Clock clock("clock", ns(1));
  std::vector<std::unique_ptr<Recorder>> blocks;
  const auto add = [&](const char* name, int order, bool faulty) {
    blocks.push_back(std::make_unique<Recorder>(clock, name, order));
    blocks.back()->body = [faulty, name](Cycle cycle) {
      if (faulty && cycle == 3) throw std::runtime_error(name);
      return true;
    };
  };
  add("dispatcher", tick_order::kDispatch, false);
  for (unsigned sm = 0; sm < 3; ++sm) {
    clock.begin_pipeline(sm);
    add("unit", tick_order::kExecute, false);
    add(sm == 1 ? "first" : "second", tick_order::kIssue, sm != 0);
    add("fetch", tick_order::kFetch, false);
    clock.end_pipeline();
  }
  sc_core::sc_start(ns(20));
  const std::vector<Cycle> last{2, 3, 3, 3, 3, 3, 2, 3, 3, 2};
  for (std::size_t b = 0; b < blocks.size(); ++b) EXPECT_EQ(blocks[b]->ticks.back(), last[b]) << b;
  try {
    clock.rethrow_fault();
    ADD_FAILURE() << "no fault";
  } catch (const std::runtime_error& fault) {
    EXPECT_STREQ(fault.what(), "first");
  }
  EXPECT_EQ(clock.order_of_fault(), 2U);
}

TEST_P(ClockDomainTest, CycleNowCountsAlsoTheEdgesSlept) {
  Clock clock("clock", ns(2));
  Recorder block(clock, "block");
  sc_core::sc_start(ns(2.5));
  EXPECT_EQ(clock.cycle_now(), 1U);
  sc_core::sc_start(ns(6.5));
  EXPECT_EQ(clock.cycle(), 1U);
  EXPECT_EQ(clock.cycle_now(), 4U);
  EXPECT_EQ(clock.edge_after(ns(2).value()), ns(4).value());
  EXPECT_EQ(clock.edge_after(ns(9).value()), ns(10).value());
  EXPECT_EQ(clock.edge_after(ns(10).value()), ns(12).value());
}

}  // namespace
}  // namespace heddle::test
