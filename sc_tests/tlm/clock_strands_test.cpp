#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "sc_tests/support/apart.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/plain_bridge.h"
#include "tlm/clocked.h"

namespace heddle::test {
namespace {

/// Records the cycles and threads of its ticks; `body` says whether to tick again.
class ThreadRecorder : public Clocked {
 public:
  ThreadRecorder(ClockDomain& domain, std::string name)
      : Clocked(domain, tick_order::kMemory, std::move(name)) {}
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

/// A domain beside two strands of `blocks` blocks each, and one behind them.
struct Machine {
  explicit Machine(unsigned blocks = 16, const sc_core::sc_time& front_period = ns(1))
      : front("front", front_period, true, &tree),
        strand0("strand0", ns(1), true, &tree),
        strand1("strand1", ns(1), true, &tree),
        network(front, "network") {
    tree.make_strands({&strand0, &strand1}, 2, [this] { done(); });
    behind = std::make_unique<ClockDomain>("behind", ns(1), true, &tree);
    dispatcher = std::make_unique<ThreadRecorder>(*behind, "dispatcher");
    for (unsigned b = 0; b < 2 * blocks; ++b) {
      ClockDomain& strand = b % 2 == 0 ? strand0 : strand1;
      strand.begin_pipeline(b);
      sms.push_back(std::make_unique<ThreadRecorder>(strand, "sm" + std::to_string(b)));
      strand.end_pipeline();
    }
  }

  ClockTree tree{"tree"};
  ClockDomain front;
  ClockDomain strand0;
  ClockDomain strand1;
  ThreadRecorder network;
  std::unique_ptr<ClockDomain> behind;
  std::unique_ptr<ThreadRecorder> dispatcher;
  std::vector<std::unique_ptr<ThreadRecorder>> sms;
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

TEST(ClockStrands, WhomAStrandWakesBehindTicksAtTheNextEdgeAndLaterWhenItSaysSo) {
  Machine machine;
  for (unsigned b = 0; b < machine.sms.size(); ++b) {
    machine.sms[b]->body = [&machine, b](Cycle cycle) {
      if (cycle == 150) machine.dispatcher->wake_this_edge();  // all of them
      if (cycle == 160 && b == 3) machine.dispatcher->wake_after(ns(169).value());
      if (cycle == 160 && b == 4) machine.dispatcher->wake_in(100);
      return cycle < 200;
    };
  }
  sc_core::sc_start(ns(400));
  EXPECT_EQ(machine.dispatcher->ticks, (Cycles{1, 151, 170, 260}));
}

TEST(ClockStrands, WhatIsBesideThemTicksOnTheFirstThreadAtTheSameEdges) {
  Machine machine;
  for (const auto& sm : machine.sms) sm->body = [](Cycle cycle) { return cycle < 200; };
  std::set<bool> on_threads;
  machine.network.body = [&](Cycle cycle) {
    on_threads.insert(machine.front.strands_running());
    return cycle < 100;
  };
  sc_core::sc_start(ns(300));
  EXPECT_EQ(machine.network.ticks.size(), 100U);
  EXPECT_EQ(machine.network.threads, std::set<std::thread::id>{std::this_thread::get_id()});
  EXPECT_EQ(on_threads, (std::set<bool>{false, true}));  // once the strands have been busy for a while
}

TEST(ClockStrands, AStrandMovesAwayFromTheThreadThatHasMoreToDoBesideIt) {
  ClockTree tree("tree");
  ClockDomain front("front", ns(1), true, &tree);
  std::vector<std::unique_ptr<ClockDomain>> strands;
  std::vector<ClockDomain*> named;
  for (unsigned s = 0; s < 4; ++s) {
    strands.push_back(
        std::make_unique<ClockDomain>(("strand" + std::to_string(s)).c_str(), ns(1), true, &tree));
    named.push_back(strands.back().get());
  }
  tree.make_strands(named, 2, [] {});
  std::vector<std::unique_ptr<ThreadRecorder>> beside;
  std::vector<std::unique_ptr<ThreadRecorder>> sms;
  for (unsigned b = 0; b < 32; ++b) {
    beside.push_back(std::make_unique<ThreadRecorder>(front, "beside" + std::to_string(b)));
    sms.push_back(std::make_unique<ThreadRecorder>(*named[b % 4], "sm" + std::to_string(b)));
  }
  // Long enough for threads that others always keep from the processors: one edge on both of them in 8,192,
  // and the deal after 64 of these. Strand 2 is the first thread's at first.
  std::atomic<bool> moved{false};
  for (auto* blocks : {&beside, &sms}) {
    for (const auto& block : *blocks) block->body = [&](Cycle cycle) { return !moved && cycle < 1'000'000; };
  }
  const std::thread::id first = std::this_thread::get_id();
  sms[2]->body = [&, first](Cycle cycle) {
    if (std::this_thread::get_id() != first) moved = true;
    return !moved && cycle < 1'000'000;
  };
  sc_core::sc_start(ns(1'000'100));
  EXPECT_TRUE(moved) << "32 ticks beside and 16 on the first thread, 16 on the other";
}

/// Edges of a clock of 0.7 ns beside the strands' of 1 ns.
struct OddMachine : Machine {
  OddMachine() : Machine(16, sc_core::sc_time(700, sc_core::SC_PS)), other(front, "other") {
    tree.run_ahead();
    for (const auto& sm : sms) sm->body = [](Cycle cycle) { return cycle < 200; };
    network.body = [this](Cycle cycle) {
      EXPECT_EQ(front.time(), cycle * front.period_ticks());
      if (front.time() % strand0.period_ticks() != 0) between.insert(front.strands_running());
      if (cycle == 150) other.wake_in(3);
      if (cycle == 180) other.wake();
      return cycle < 250;
    };
  }
  void run() {
    sc_core::sc_start(ns(300));
    EXPECT_EQ(network.ticks.size(), 250U);
    EXPECT_EQ(other.ticks, (Cycles{1, 153, 181}));
  }
  ThreadRecorder other;
  std::set<bool> between;  ///< several threads were at work at edges that the strands have not
};

TEST(ClockStrands, WhatHearsNothingOfThemIsLateForItsEdgesAndTicksBesideTheNextOfTheStrands) {
  OddMachine machine;
  machine.run();
  EXPECT_TRUE(machine.between.count(true));
}

TEST(ClockStrands, WhatHearsThemIsNeverLate) {
  OddMachine machine;
  machine.front.hear_strands_at_edges();
  machine.run();
  EXPECT_EQ(machine.between, std::set<bool>{false});
}

TEST(ClockStrands, NothingIsLateWhileSomebodyLooksAtEdges) {
  OddMachine machine;
  std::vector<Ticks> times;
  machine.tree.edge_handled.listen([&] { times.push_back(machine.tree.time()); });
  machine.run();
  EXPECT_EQ(machine.between, std::set<bool>{false});
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  EXPECT_EQ(std::adjacent_find(times.begin(), times.end()), times.end());
}

/// What arrives and when, of initiators on two strands with a target beside them.
struct Hops {
  explicit Hops(bool busy) {
    for (const auto& sm : machine.sms) sm->body = [busy](Cycle cycle) { return busy && cycle < 400; };
    for (unsigned i = 0; i < 2; ++i) {
      ClockDomain& strand = i == 0 ? machine.strand0 : machine.strand1;
      const std::string number = std::to_string(i);
      initiators.push_back(std::make_unique<StubInitiator>(("initiator" + number).c_str(), strand));
      targets.push_back(std::make_unique<StubTarget>(("target" + number).c_str(), machine.front, 3));
      initiators[i]->port.socket.bind(targets[i]->port.socket);
      initiators[i]->port.hand_over();
      targets[i]->port.hand_over();
      // The target keeps requests waiting now and then, and so does the initiator responses.
      targets[i]->open = [i](Cycle cycle) { return cycle % (5 + i) < 3; };
      for (unsigned r = 0; r < 60; ++r) initiators[i]->at(100 + 2 * r, std::uint64_t{128} * r);
    }
  }
  std::string run() {
    for (Cycle cycle = 0; cycle < 400; ++cycle) {
      for (const auto& initiator : initiators) initiator->take_responses = cycle % 7 < 4;
      sc_core::sc_start(ns(1));
    }
    std::ostringstream text;
    const auto list = [&text](const char* name, const std::vector<Seen>& seen) {
      text << name;
      for (const Seen& one : seen) text << ' ' << one;
      text << '\n';
    };
    for (unsigned i = 0; i < 2; ++i) {
      list("sent", initiators[i]->sent);
      list("arrived", targets[i]->requests);
      list("answered", targets[i]->responded);
      list("taken", initiators[i]->responses);
    }
    return text.str();
  }
  Machine machine;
  std::vector<std::unique_ptr<StubInitiator>> initiators;
  std::vector<std::unique_ptr<StubTarget>> targets;
};

TEST(ClockStrands, HopsThatAreHandedOverTakeTheTimesOfThoseOnOneThread) {
  const auto run = [](bool busy) { return apart([busy] { return Hops(busy).run(); }); };
  const std::string one = run(false);
  EXPECT_EQ(std::count(one.begin(), one.end(), '@'), 2 * 4 * 60);
  EXPECT_EQ(run(true), one);
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
