#include "tlm/clock_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "sc_tests/support/memory_stubs.h"
#include "tlm/clocked.h"

namespace heddle::test {
namespace {

/// What ticked when, counted from the beginning of the walk.
struct Tick {
  char block;
  Ticks time;
  bool operator==(const Tick& other) const { return block == other.block && time == other.time; }
};

/// What two blocks in two domains have done, and whether the kernel's time was ever behind theirs.
struct Log {
  std::vector<Tick> ticks;
  Ticks begin = 0;
  bool kernel_behind = false;
};

/// From the log's beginning on it ticks, sleeps and wakes its neighbour by its own count of ticks.
class Walker : public Clocked {
 public:
  Walker(ClockDomain& domain, char letter, Log& log)
      : Clocked(domain, tick_order::kMemory, std::string(1, letter)), letter_(letter), log_(log) {}
  bool tick() override {
    if (domain().time() < log_.begin) {
      wake_after(log_.begin - 1);
      return false;
    }
    log_.ticks.push_back({letter_, domain().time() - log_.begin});
    log_.kernel_behind |= sc_core::sc_time_stamp().value() < domain().time();
    ++ticks_;
    if (neighbour != nullptr && ticks_ % 3 == 0) neighbour->wake();
    if (ticks_ % 5 == 0) wake_in(90);
    return ticks_ % 4 != 0 && ticks_ < 200;
  }
  Clocked* neighbour = nullptr;

 private:
  char letter_;
  Log& log_;
  unsigned ticks_ = 0;
};

/// Two domains of different periods in one tree, whose blocks begin at `begin`, a common edge.
struct TwoClocks {
  explicit TwoClocks(const char* name, const sc_core::sc_time& begin)
      : tree(name),
        fast((std::string(name) + "_fast").c_str(), ns(2), true, &tree),
        slow((std::string(name) + "_slow").c_str(), ns(3), true, &tree),
        a(fast, 'a', log),
        b(slow, 'b', log) {
    log.begin = begin.value();
    a.neighbour = &b;
    b.neighbour = &a;
  }
  ClockTree tree;
  ClockDomain fast;
  ClockDomain slow;
  Log log;
  Walker a;
  Walker b;
};

/// Something else that the kernel has to do, at a given time.
class Alarm : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Alarm);
  Alarm(const sc_core::sc_module_name& name, const sc_core::sc_time& when, std::function<void()> action)
      : sc_module(name), when_(when), action_(std::move(action)) {
    SC_METHOD(ring);
    sensitive << event_;
    dont_initialize();
  }

 private:
  void start_of_simulation() override { event_.notify(when_); }
  void ring() { action_(); }

  sc_core::sc_time when_;
  std::function<void()> action_;
  sc_core::sc_event event_;
};

/// Calls the kernel at its third tick, by an event without delay.
class Caller : public Clocked {
 public:
  Caller(ClockTree& tree, ClockDomain& domain, sc_core::sc_event& bell)
      : Clocked(domain, tick_order::kMemory, "caller"), tree_(tree), bell_(bell) {}
  bool tick() override {
    if (++ticks_ == 3) {
      called_at = domain().time();
      bell_.notify(sc_core::SC_ZERO_TIME);
      tree_.give_way();
    }
    return ticks_ < 100;
  }
  Ticks called_at = 0;
  Ticks last_tick() const { return domain().now(); }

 private:
  ClockTree& tree_;
  sc_core::sc_event& bell_;
  unsigned ticks_ = 0;
};

class Bell : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Bell);
  Bell(const sc_core::sc_module_name& name, std::function<void()> action)
      : sc_module(name), action_(std::move(action)) {
    SC_METHOD(ring);
    sensitive << event;
    dont_initialize();
  }
  sc_core::sc_event event;

 private:
  void ring() { action_(); }
  std::function<void()> action_;
};

TEST(ClockTree, WhatATickNotifiesIsHandledBeforeTheNextEdgeWhenItGivesWay) {
  TwoClocks machine("machine", ns(6));
  machine.tree.run_ahead();
  Caller* called = nullptr;
  Ticks last_tick = 0;
  Ticks kernel_time = 0;
  Bell bell("bell", [&] {
    last_tick = called->last_tick();
    kernel_time = sc_core::sc_time_stamp().value();
  });
  Caller caller(machine.tree, machine.fast, bell.event);
  called = &caller;
  sc_core::sc_start();
  EXPECT_GT(caller.called_at, 0U);
  EXPECT_EQ(last_tick, caller.called_at);
  EXPECT_GT(caller.last_tick(), last_tick);
  EXPECT_LE(kernel_time, caller.called_at);
}

TEST(ClockTree, EdgesInARowAreTheEdgesThatTheKernelWouldHandle) {
  TwoClocks stepwise("stepwise", ns(6));
  TwoClocks ahead("ahead",
                  ns(600000));  // long after the other has ended, so that the kernel has nothing else
  ahead.tree.run_ahead();
  sc_core::sc_start();
  ASSERT_GT(ahead.log.ticks.size(), 200U);
  EXPECT_EQ(ahead.log.ticks, stepwise.log.ticks);
  EXPECT_TRUE(ahead.log.kernel_behind);
  EXPECT_FALSE(stepwise.log.kernel_behind);
}

TEST(ClockTree, RunsUpToWhatElseTheKernelHasToDoAndNotBeyond) {
  TwoClocks machine("machine", ns(6));
  machine.tree.run_ahead();
  const Ticks alarm_time = ns(41).value() - machine.log.begin;
  Ticks last = 0;
  Ticks present = 0;
  Alarm alarm("alarm", ns(41), [&] {
    last = machine.log.ticks.back().time;
    present = machine.tree.time();
  });
  sc_core::sc_start();
  Ticks before = 0;  // the last tick before the alarm
  bool behind = false;
  for (const Tick& tick : machine.log.ticks) {
    if (tick.time < alarm_time) before = tick.time;
    behind = behind || tick.time > alarm_time;
  }
  EXPECT_EQ(present, ns(41).value());
  EXPECT_EQ(last, before);
  EXPECT_TRUE(behind);
}

TEST(ClockTree, AWakeUpFromOutsideCountsFromThePresentTime) {
  TwoClocks machine("machine", ns(6));
  machine.tree.run_ahead();
  Alarm alarm("alarm", ns(600001), [&] { machine.a.wake(); });
  sc_core::sc_start();
  // At the first edge of its clock after the alarm.
  const Tick woken{'a', ns(600002).value() - machine.log.begin};
  const auto first_behind =
      std::find_if(machine.log.ticks.begin(), machine.log.ticks.end(),
                   [&](const Tick& tick) { return tick.time >= ns(600000).value() - machine.log.begin; });
  ASSERT_NE(first_behind, machine.log.ticks.end());
  EXPECT_EQ(first_behind->block, woken.block);
  EXPECT_EQ(first_behind->time, woken.time);
}

}  // namespace
}  // namespace heddle::test
