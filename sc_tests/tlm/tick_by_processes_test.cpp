// Blocks that tick in SystemC processes of their own (ClockTree::tick_by_processes). What they have in common
// with blocks that are called is tested in clock_domain_test.cpp, in both ways.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sc_tests/support/memory_stubs.h"
#include "tlm/clocked.h"

namespace heddle::test {
namespace {

/// A module that records what it sees at its ticks; `body` says whether to tick again.
class Block : public sc_core::sc_module, public Clocked {
 public:
  Block(const sc_core::sc_module_name& name, ClockDomain& domain, int order = tick_order::kMemory)
      : sc_module(name), Clocked(domain, order, this->name()) {}
  bool tick() override {
    cycles.push_back(domain().cycle());
    deltas.push_back(sc_core::sc_delta_count());
    process = sc_core::sc_get_current_process_handle().name();
    kernel_on_time = kernel_on_time && sc_core::sc_time_stamp().value() == domain().time();
    return body && body(domain().cycle());
  }
  std::vector<Cycle> cycles;
  std::vector<std::uint64_t> deltas;
  std::string process;
  bool kernel_on_time = true;
  std::function<bool(Cycle)> body;
};

/// A module around a block.
struct ProcessShell : public sc_core::sc_module {
  ProcessShell(const sc_core::sc_module_name& name, ClockDomain& domain)
      : sc_module(name), block("block", domain) {}
  Block block;
};

using Cycles = std::vector<Cycle>;

TEST(TickByProcesses, ABlockTicksInAProcessNamedAfterIt) {
  ClockDomain clock("clock", ns(1));
  clock.tick_by_processes();
  ProcessShell shell("shell", clock);
  sc_core::sc_start(ns(3));
  EXPECT_EQ(shell.block.cycles, Cycles{1});
  EXPECT_EQ(shell.block.process, "shell.block.tick");
  const sc_core::sc_process_handle process(sc_core::sc_find_object("shell.block.tick"));
  ASSERT_TRUE(process.valid());
  EXPECT_EQ(process.proc_kind(), sc_core::SC_METHOD_PROC_);
  EXPECT_EQ(process.get_parent_object(), &shell.block);
}

TEST(TickByProcesses, CalledBlocksTickInTheProcessOfTheTree) {
  ClockTree tree("tree");
  ClockDomain clock("clock", ns(1), true, &tree);
  Block block("block", clock);
  sc_core::sc_start(ns(3));
  EXPECT_EQ(block.process, "tree.run");
}

TEST(TickByProcesses, TheProcessOfASleeperIsNotActivated) {
  ClockDomain clock("clock", ns(1));
  clock.tick_by_processes();
  Block busy("busy", clock);
  Block sleeper("sleeper", clock);
  sleeper.body = [&sleeper](Cycle cycle) {
    if (cycle == 1) sleeper.wake_in(50);
    return false;
  };
  Block woken("woken", clock);
  busy.body = [&woken](Cycle cycle) {
    if (cycle == 70) woken.wake();
    return cycle < 100;
  };
  sc_core::sc_start(ns(200));
  EXPECT_EQ(sleeper.cycles, (Cycles{1, 51}));
  EXPECT_EQ(woken.cycles, (Cycles{1, 71}));
  EXPECT_EQ(clock.ticks_executed(), 100U + 2U + 2U);  // counts activations
}

TEST(TickByProcesses, WithoutSleepingEveryProcessIsActivatedAtEveryEdge) {
  ClockDomain clock("clock", ns(1), false);
  clock.tick_by_processes();
  Block block("block", clock);
  Block other("other", clock, tick_order::kIssue);
  sc_core::sc_start(ns(20.5));
  EXPECT_EQ(block.cycles.size(), 20U);
  EXPECT_EQ(clock.ticks_executed(), 40U);
}

TEST(TickByProcesses, OneOrderTicksInOneDeltaCycleAndTheNextInALaterOneOfTheSameTime) {
  ClockDomain clock("clock", ns(1));
  clock.tick_by_processes();
  std::vector<std::unique_ptr<Block>> blocks;
  const auto add = [&](const char* name, int order) {
    blocks.push_back(std::make_unique<Block>(name, clock, order));
    blocks.back()->body = [](Cycle cycle) { return cycle < 5; };
  };
  for (const unsigned pipeline : {0U, 1U}) {
    clock.begin_pipeline(pipeline);
    add(pipeline == 0 ? "mshr0" : "mshr1", tick_order::kMshr);
    add(pipeline == 0 ? "issue0" : "issue1", tick_order::kIssue);
    clock.end_pipeline();
  }
  add("network", tick_order::kMemory);
  add("dispatcher", tick_order::kDispatch);
  sc_core::sc_start(ns(20));
  const std::vector<unsigned> in_turn{4, 0, 1, 5};
  for (std::size_t edge = 0; edge < 5; ++edge) {
    EXPECT_EQ(blocks[0]->deltas[edge], blocks[2]->deltas[edge]);
    EXPECT_EQ(blocks[1]->deltas[edge], blocks[3]->deltas[edge]);
    for (std::size_t i = 1; i < in_turn.size(); ++i) {
      EXPECT_EQ(blocks[in_turn[i]]->deltas[edge], blocks[in_turn[i - 1]]->deltas[edge] + 1) << i;
    }
  }
  for (const auto& block : blocks) {
    EXPECT_EQ(block->cycles, (Cycles{1, 2, 3, 4, 5}));
    EXPECT_TRUE(block->kernel_on_time);
  }
}

TEST(TickByProcesses, AWakeForThisEdgeReachesOrdersToComeWhetherTheySleepOrNot) {
  ClockDomain clock("clock", ns(1));
  clock.tick_by_processes();
  Block mshr("mshr", clock, tick_order::kMshr);
  Block asleep("asleep", clock, tick_order::kFetch);
  Block awake("awake", clock, tick_order::kFetch);
  Block same("same", clock, tick_order::kMshr);
  awake.body = [](Cycle cycle) { return cycle < 20; };
  mshr.body = [&](Cycle cycle) {
    if (cycle == 10) {
      for (Block* block : {&asleep, &awake, &same}) block->wake_this_edge();
    }
    return cycle < 20;
  };
  sc_core::sc_start(ns(50));
  EXPECT_EQ(asleep.cycles, (Cycles{1, 10}));
  EXPECT_EQ(awake.cycles.size(), 20U);
  EXPECT_EQ(same.cycles, (Cycles{1, 11}));
}

TEST(TickByProcesses, CoincidingDomainsTickOneAfterTheOtherInTheOrderInWhichTheyJoined) {
  ClockTree tree("tree");
  tree.tick_by_processes();
  ClockDomain slow("slow", ns(3), true, &tree);
  ClockDomain fast("fast", ns(2), true, &tree);
  Block fast_first("fast_first", fast, tick_order::kMshr);
  Block slow_last("slow_last", slow, tick_order::kHost);
  for (Block* block : {&fast_first, &slow_last}) {
    block->body = [](Cycle cycle) { return cycle < 6; };
  }
  sc_core::sc_start(ns(30));
  EXPECT_EQ(fast_first.cycles, (Cycles{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(slow_last.cycles, (Cycles{1, 2, 3, 4, 5, 6}));
  EXPECT_LT(slow_last.deltas[1], fast_first.deltas[2]);  // both at 6 ns
  EXPECT_LT(slow_last.deltas[3], fast_first.deltas[5]);  // and at 12 ns
}

/// A module of another maker: a process that runs at a time, or in the delta cycles of an event.
class Stranger : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Stranger);
  Stranger(const sc_core::sc_module_name& name, std::function<void()> action)
      : sc_module(name), action_(std::move(action)) {
    SC_METHOD(act);
    sensitive << event;
    dont_initialize();
  }
  sc_core::sc_event event;

 private:
  void act() { action_(); }
  std::function<void()> action_;
};

TEST(TickByProcesses, WhatAStrangerSaysInTheMiddleOfAnEdgeIsHeardAtTheNext) {
  ClockDomain clock("clock", ns(2));
  clock.tick_by_processes();
  Block first("first", clock, tick_order::kMshr);
  Block between("between", clock, tick_order::kIssue);
  Block last("last", clock, tick_order::kHost);
  Block timed("timed", clock, tick_order::kHost);
  std::vector<sc_core::sc_time> heard;
  Stranger stranger("stranger", [&] {
    heard.push_back(sc_core::sc_time_stamp());
    last.wake_this_edge();
    timed.wake_in(3);
  });
  first.body = [&](Cycle cycle) {
    if (cycle == 10) stranger.event.notify(sc_core::SC_ZERO_TIME);
    return cycle < 10;
  };
  between.body = [](Cycle cycle) { return cycle < 10; };
  sc_core::sc_start(ns(100));
  EXPECT_EQ(heard, std::vector<sc_core::sc_time>{ns(20)});
  EXPECT_EQ(last.cycles, (Cycles{1, 11}));
  EXPECT_EQ(timed.cycles, (Cycles{1, 13}));
}

TEST(TickByProcesses, TheKernelsTimeIsRightInEveryTickAlsoWhenToldToRunAhead) {
  ClockTree tree("tree");
  tree.run_ahead();
  tree.tick_by_processes();
  ClockDomain clock("clock", ns(2), true, &tree);
  Block block("block", clock);
  block.body = [](Cycle cycle) { return cycle < 500; };
  sc_core::sc_start();
  EXPECT_EQ(block.cycles.size(), 500U);
  EXPECT_TRUE(block.kernel_on_time);
  EXPECT_EQ(sc_core::sc_time_stamp(), ns(1000));
}

/// In both ways: an event is notified after all domains with an edge at the time have ticked.
class AfterEdge : public ::testing::TestWithParam<bool> {};

TEST_P(AfterEdge, AnEventComesAfterAllDomainsWithTheSameEdge) {
  ClockTree tree("tree");
  if (GetParam()) tree.tick_by_processes();
  ClockDomain early("early", ns(3), true, &tree);
  ClockDomain late("late", ns(2), true, &tree);
  Block asks("asks", early, tick_order::kHost);
  Block last("last", late, tick_order::kHost);
  std::size_t ticks_of_last = 0;
  sc_core::sc_time told;
  Stranger host("host", [&] {
    ticks_of_last = last.cycles.size();
    told = sc_core::sc_time_stamp();
  });
  last.body = [](Cycle cycle) { return cycle < 20; };
  asks.body = [&](Cycle cycle) {
    if (cycle == 4) asks.domain().notify_after_edge(host.event);
    return cycle < 10;
  };
  sc_core::sc_start(ns(100));
  EXPECT_EQ(told, ns(12));
  EXPECT_EQ(ticks_of_last, 6U);
}

TEST_P(AfterEdge, AFaultStopsTheDomainsThatCouldHaveComeLaterToo) {
  ClockTree tree("tree");
  if (GetParam()) tree.tick_by_processes();
  ClockDomain before("before", ns(2), true, &tree);
  ClockDomain faulty("faulty", ns(2), true, &tree);
  ClockDomain after("after", ns(2), true, &tree);
  Block of_before("of_before", before, tick_order::kHost);
  Block of_faulty("of_faulty", faulty, tick_order::kMshr);
  Block same_order("same_order", faulty, tick_order::kMshr);
  Block later_order("later_order", faulty, tick_order::kMemory);
  Block of_after("of_after", after, tick_order::kMshr);
  for (Block* block : {&of_before, &same_order, &later_order, &of_after}) {
    block->body = [](Cycle) { return true; };
  }
  of_faulty.body = [](Cycle cycle) {
    if (cycle == 5) throw std::runtime_error("fault");
    return true;
  };
  sc_core::sc_start(ns(100));
  EXPECT_EQ(of_before.cycles.back(), 5U);
  EXPECT_EQ(same_order.cycles.back(), 5U);
  EXPECT_EQ(later_order.cycles.back(), 4U);
  EXPECT_EQ(of_after.cycles.back(), 4U);
  EXPECT_EQ(sc_core::sc_time_stamp(), ns(10) + sc_core::sc_get_time_resolution());
  EXPECT_THROW(faulty.rethrow_fault(), std::runtime_error);
}

TEST_P(AfterEdge, OfTwoFaultsOfOneOrderTheFirstNamesCounts) {
  ClockDomain clock("clock", ns(2));
  if (GetParam()) clock.tick_by_processes();
  std::vector<std::unique_ptr<Block>> blocks;
  for (const char* name : {"c", "a", "b"}) {
    blocks.push_back(std::make_unique<Block>(name, clock));
    blocks.back()->body = [name](Cycle cycle) {
      if (cycle == 5) throw std::runtime_error(name);
      return true;
    };
  }
  sc_core::sc_start(ns(100));
  try {
    clock.rethrow_fault();
    ADD_FAILURE() << "no fault";
  } catch (const std::runtime_error& fault) {
    EXPECT_STREQ(fault.what(), "a");
  }
  for (const auto& block : blocks) EXPECT_EQ(block->cycles.back(), 5U);
}

INSTANTIATE_TEST_SUITE_P(, AfterEdge, ::testing::Values(false, true), [](const auto& by_processes) {
  return by_processes.param ? "ByProcesses" : "ByCalls";
});

TEST(TickByProcesses, StopInATickEndsTheSimulationWithinItsTime) {
  ClockDomain clock("clock", ns(2));
  clock.tick_by_processes();
  Block block("block", clock);
  block.body = [](Cycle cycle) {
    if (cycle == 7) sc_core::sc_stop();
    return true;
  };
  sc_core::sc_start(ns(100));
  EXPECT_EQ(block.cycles.back(), 7U);
  EXPECT_EQ(sc_core::sc_time_stamp(), ns(14));
}

TEST(TickByProcesses, StrandsAreRefused) {
  ClockTree tree("tree");
  ClockDomain strand("strand", ns(2), true, &tree);
  Block block("block", strand);
  tree.make_strands({&strand}, 1, [] {});
  tree.tick_by_processes();
  const ExpectReports reports;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(
      ExpectReports::messages(),
      std::vector<std::string>{"/heddle/clock: blocks of strands tick on several threads, not by processes"});
}

}  // namespace
}  // namespace heddle::test
