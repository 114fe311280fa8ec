#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/plain_bridge.h"
#include "tlm/clocked.h"

namespace heddle::test {
namespace {

/// Records the cycles and threads of its ticks; `body` says whether to tick again.
class Recorder : public Clocked {
 public:
  Recorder(ClockDomain& domain, std::string name) : Clocked(domain, tick_order::kMemory, std::move(name)) {}
  bool tick() override {
    ticks.push_back(domain().cycle());
    threads.insert(std::this_thread::get_id());
    return body && body(domain().cycle());
  }
  std::vector<Cycle> ticks;
  std::set<std::thread::id> threads;
  std::function<bool(Cycle)> body;
};

using Cycles = std::vector<Cycle>;

/// A domain before two strands of `blocks` blocks each, and one behind them.
struct Machine {
  explicit Machine(unsigned blocks = 16)
      : front("front", ns(1), true, &tree),
        strand0("strand0", ns(1), true, &tree),
        strand1("strand1", ns(1), true, &tree),
        network(front, "network") {
    tree.make_strands({&strand0, &strand1}, [this] { done(); });
    behind = std::make_unique<ClockDomain>("behind", ns(1), true, &tree);
    dispatcher = std::make_unique<Recorder>(*behind, "dispatcher");
    for (unsigned b = 0; b < 2 * blocks; ++b) {
      ClockDomain& strand = b % 2 == 0 ? strand0 : strand1;
      strand.begin_pipeline(b);
      sms.push_back(std::make_unique<Recorder>(strand, "sm" + std::to_string(b)));
      strand.end_pipeline();
    }
  }

  ClockTree tree{"tree"};
  ClockDomain front;
  ClockDomain strand0;
  ClockDomain strand1;
  Recorder network;
  std::unique_ptr<ClockDomain> behind;
  std::unique_ptr<Recorder> dispatcher;
  std::vector<std::unique_ptr<Recorder>> sms;
  std::function<void()> done = [] {};
};

TEST(ClockStrands, BusyStrandsTickOnThreadsOfTheirOwnAtEveryEdge) {
  Machine machine;
  for (const auto& sm : machine.sms) sm->body = [](Cycle cycle) { return cycle < 200; };
  sc_core::sc_start(ns(300));
  Cycles all;
  for (Cycle cycle = 1; cycle <= 200; ++cycle) all.push_back(cycle);
  for (const auto& sm : machine.sms) EXPECT_EQ(sm->ticks, all);
  EXPECT_EQ(machine.sms[0]->threads, std::set<std::thread::id>{std::this_thread::get_id()});
  EXPECT_EQ(machine.sms[1]->threads.size(), 2U);  // its own, once the strands have been busy for a while
}

TEST(ClockStrands, WithAForeignModuleAllTickOnOneThread) {
  Machine machine;
  for (const auto& sm : machine.sms) sm->body = [](Cycle cycle) { return cycle < 200; };
  StubInitiator initiator("initiator", machine.strand1);
  PlainBridge bridge("bridge");
  StubTarget target("target", machine.front);
  initiator.port.socket.bind(bridge.in);
  bridge.out.bind(target.port.socket);
  sc_core::sc_start(ns(300));
  for (const auto& sm : machine.sms) {
    EXPECT_EQ(sm->ticks.size(), 200U);
    EXPECT_EQ(sm->threads, std::set<std::thread::id>{std::this_thread::get_id()});
  }
}

TEST(ClockStrands, StrandsWithLittleToDoStayOnOneThread) {
  Machine machine(4);
  for (const auto& sm : machine.sms) sm->body = [](Cycle cycle) { return cycle < 200; };
  sc_core::sc_start(ns(300));
  EXPECT_EQ(machine.sms[1]->ticks.size(), 200U);
  EXPECT_EQ(machine.sms[1]->threads, std::set<std::thread::id>{std::this_thread::get_id()});
}

TEST(ClockStrands, WhomAStrandWakesOutsideTicksAtTheNextEdgeAndLaterWhenItSaysSo) {
  Machine machine;
  for (unsigned b = 0; b < machine.sms.size(); ++b) {
    machine.sms[b]->body = [&machine, b](Cycle cycle) {
      if (cycle == 150) {  // all of them
        machine.network.wake();
        machine.dispatcher->wake_this_edge();
      }
      if (cycle == 160 && b == 3) machine.network.wake_after(ns(169).value());
      if (cycle == 160 && b == 4) machine.dispatcher->wake_in(100);
      return cycle < 200;
    };
  }
  sc_core::sc_start(ns(400));
  EXPECT_EQ(machine.network.ticks, (Cycles{1, 151, 170}));
  EXPECT_EQ(machine.dispatcher->ticks, (Cycles{1, 151, 260}));
}

TEST(ClockStrands, WhatIsDoneBehindThemComesBeforeTheDomainsBehindThem) {
  Machine machine;
  std::vector<std::string> order;
  machine.done = [&] {
    for (const auto& sm : machine.sms) EXPECT_EQ(sm->ticks.back(), machine.strand0.cycle());
    order.emplace_back("done");
  };
  machine.dispatcher->body = [&](Cycle cycle) {
    order.emplace_back("dispatcher");
    return cycle < 100;
  };
  for (const auto& sm : machine.sms) sm->body = [](Cycle cycle) { return cycle < 100; };
  sc_core::sc_start(ns(300));
  ASSERT_EQ(order.size(), 200U);
  for (std::size_t i = 0; i < order.size(); i += 2) {
    EXPECT_EQ(order[i], "done");
    EXPECT_EQ(order[i + 1], "dispatcher");
  }
}

TEST(ClockStrands, AFaultStopsBehindTheEdgeThatAllOthersFinishAndTheFirstPipelinesCounts) {
  Machine machine;
  for (unsigned b = 0; b < machine.sms.size(); ++b) {
    machine.sms[b]->body = [b](Cycle cycle) {
      if (cycle == 150 && (b == 5 || b == 8)) throw std::runtime_error("fault of " + std::to_string(b));
      return cycle < 200;
    };
  }
  machine.dispatcher->body = [](Cycle) { return true; };
  sc_core::sc_start(ns(300));
  for (const auto& sm : machine.sms) EXPECT_EQ(sm->ticks.back(), 150U);
  EXPECT_EQ(machine.dispatcher->ticks.back(), 149U);
  EXPECT_EQ(machine.strand1.order_of_fault(), 5U + 1);
  EXPECT_EQ(machine.strand0.order_of_fault(), 8U + 1);
  EXPECT_THROW(machine.strand1.rethrow_fault(), std::runtime_error);
}

TEST(ClockStrands, AFaultBehindTheStrandsIsKeptByTheTree) {
  Machine machine;
  machine.done = [&] {
    if (machine.strand0.cycle() == 50) throw std::runtime_error("behind");
  };
  for (const auto& sm : machine.sms) sm->body = [](Cycle) { return true; };
  EXPECT_NO_THROW(machine.tree.rethrow_fault());
  sc_core::sc_start(ns(300));
  EXPECT_EQ(machine.sms[0]->ticks.back(), 50U);
  EXPECT_THROW(machine.tree.rethrow_fault(), std::runtime_error);
}

}  // namespace
}  // namespace heddle::test
