// Whom a warp that could issue may have to wait for: what each policy promises, in real runs of a whole SM.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "modules/warp_scheduler/policies/ccws/parameters.h"
#include "modules/warp_scheduler/policies/two_level/parameters.h"
#include "modules/warp_scheduler/warp_states.h"
#include "sc_tests/modules/sm/lone_sm.h"
#include "sc_tests/modules/sm/random_kernel.h"

namespace heddle {
namespace {

using testing::FakeKernel;
using testing::LoneSm;

constexpr unsigned kGroupWarps = 4;
constexpr unsigned kActiveWarps = 2;
constexpr unsigned kAllowedWarps = 3;  ///< of swl

/// A warp issued while another one of its scheduler could have.
struct Overtake {
  const WarpTable& table;          ///< after the turn
  const Instruction& instruction;  ///< that was issued
  unsigned schedulers;
  unsigned waiting;
  unsigned issued;
  bool is_last;          ///< it also issued the scheduler's instruction before this one
  bool is_older;         ///< than the one that waits
  bool has_issued_more;  ///< before this turn, since it started
  bool is_outside;       ///< the waiting one is in no active set
  unsigned times;        ///< that it has issued since the other one can, this one included
  unsigned returns;      ///< likewise, that it has come back into the active set and issued
};

bool in_turns(const Overtake& seen) { return seen.times <= 1; }

/// Narasiman et al.: round robin inside a fetch group.
bool in_turns_in_its_group(const Overtake& seen) {
  const auto group = [&seen](unsigned warp) { return warp / seen.schedulers / kGroupWarps; };
  return group(seen.waiting) != group(seen.issued) || seen.times <= 1;
}

/// Round robin in the active set, into which those that wait come in the order in which they left it: one
/// that waits outside sees another one come back once, if that left before it.
bool in_turns_or_before_it_in_the_queue(const Overtake& seen) {
  return seen.is_outside ? seen.returns <= 1 : seen.times <= 1;
}

/// A slot that comes in and one that has issued go to the end of the order at once, the lower one first: that
/// one may issue again before the other.
bool in_turns_or_once_more(const Overtake& seen) {
  return seen.is_outside ? seen.returns <= 1 : seen.times <= 2;
}

bool oldest_first(const Overtake& seen) { return seen.is_older; }
bool greedy_or_oldest(const Overtake& seen) { return seen.is_last || seen.is_older; }
/// MASCAR: of instructions that access no memory.
bool greedy_or_oldest_of_others(const Overtake& seen) {
  const auto accesses = [](const Instruction& next) {
    return next.unit == Unit::kLdst && next.space != Space::kShared;
  };
  return accesses(seen.instruction) || accesses(*seen.table.next[seen.waiting]) || greedy_or_oldest(seen);
}

bool fewest_first(const Overtake& seen) { return !seen.has_issued_more; }

/// PRO III.B, III.C: warps of a TB in which some wait at a barrier go before those of a TB in which none
/// waits, there or for the TB's end.
bool those_waited_for_first(const Overtake& seen) {
  const auto some = [&seen](WarpMask among, unsigned tb) {
    for (; among != 0; among &= among - 1) {
      if (seen.table.tb_slot[lowest_warp(among)] == tb) return true;
    }
    return false;
  };
  const unsigned tb = seen.table.tb_slot[seen.issued];
  const WarpMask waits = seen.table.at_barrier | seen.table.finished | seen.table.ended;
  return some(waits, tb) || !some(seen.table.at_barrier, seen.table.tb_slot[seen.waiting]);
}

using Kept = bool (*)(const Overtake& seen);

struct Promise {
  Kept kept;
  Kept in_hardware_timing;  ///< nullptr: nothing
  /// A warp whose data are missing leaves the active set; otherwise it may stay, as when only an address
  /// does.
  bool data_make_room = false;
};

const std::map<std::string, Promise>& promises() {
  static const std::map<std::string, Promise> of{
      {"lrr", {in_turns, in_turns}},
      {"gto", {greedy_or_oldest, greedy_or_oldest}},
      {"oldest", {oldest_first, oldest_first}},
      {"least_issued", {fewest_first, fewest_first}},
      {"mascar", {greedy_or_oldest_of_others, greedy_or_oldest_of_others}},
      {"two_level", {in_turns_in_its_group, in_turns_in_its_group}},
      {"two_level_active", {in_turns_or_before_it_in_the_queue, in_turns_or_once_more}},
      {"pro", {those_waited_for_first, nullptr}},  // sorts take their time
  };
  return of;
}
/// They go from one prioritizer to another.
const std::set<std::string> kAdaptive{"ipaws", "adapt_local"};

/// Watches a scheduler's turns.
class Watch {
 public:
  Watch(WarpScheduler& scheduler, unsigned schedulers, const Promise& promise)
      : schedulers_(schedulers), promise_(promise) {
    scheduler.took_turn.listen([this](const SchedulerTurn& turn) { look(turn); });
  }

  unsigned overtakes() const { return overtakes_; }
  unsigned broken() const { return broken_; }

 private:
  struct Waiting {
    std::array<unsigned, kMaxWarps> times{};
    std::array<unsigned, kMaxWarps> returns{};
    WarpMask left = 0;  ///< warps that have left the active set since this one can issue
  };

  void look(const SchedulerTurn& turn) {
    const WarpTable& table = *turn.table;
    for (WarpMask warps = turn.supervised & table.resident; warps != 0; warps &= warps - 1) {
      const unsigned w = lowest_warp(warps);
      if (table.age[w] != age_[w]) issues_[w] = 0;
      age_[w] = table.age[w];
    }
    const unsigned issued = turn.issued == nullptr ? kNoWarp : turn.issued->warp;
    for (unsigned w = 0; w < kMaxWarps; ++w) {
      const bool waits = (turn.issuable >> w & 1U) != 0 && w != issued;
      const bool outside = (turn.barred >> w & 1U) != 0;
      if (!waits || outside != ((outside_ >> w & 1U) != 0)) waiting_[w] = {};
      outside_ = outside ? outside_ | warp_bit(w) : outside_ & ~warp_bit(w);
      if (!waits) continue;
      waiting_[w].left |= leaving(table) & ~warp_bit_if_any(issued);
      if (issued != kNoWarp) see(table, w, *turn.issued, outside);
    }
    if (issued == kNoWarp) return;
    ++issues_[issued];
    last_ = (table.finished >> issued & 1U) != 0 ? kNoWarp : issued;
  }

  WarpMask leaving(const WarpTable& table) const {
    return table.at_barrier | table.at_membar | (promise_.data_make_room ? table.blocked_memory : 0);
  }

  void see(const WarpTable& table, unsigned w, const WarpInstruction& instruction, bool outside) {
    const unsigned issued = instruction.warp;
    Waiting& waiting = waiting_[w];
    ++overtakes_;
    waiting.returns[issued] += waiting.left >> issued & 1U;
    waiting.left &= ~warp_bit(issued);
    const Overtake seen{table,
                        *instruction.instruction,
                        schedulers_,
                        w,
                        issued,
                        issued == last_,
                        table.age[issued]<table.age[w], issues_[issued]> issues_[w],
                        outside,
                        ++waiting.times[issued],
                        waiting.returns[issued]};
    if (!promise_.kept(seen)) ++broken_;
  }

  unsigned schedulers_;
  Promise promise_;
  std::array<Waiting, kMaxWarps> waiting_{};
  std::array<std::uint64_t, kMaxWarps> age_{};
  std::array<unsigned, kMaxWarps> issues_{};
  WarpMask outside_ = 0;
  unsigned last_ = kNoWarp;
  unsigned overtakes_ = 0;
  unsigned broken_ = 0;
};

GpuConfig configured(const std::string& name, hw::Timing timing, LongWait long_wait = LongWait::kMarked) {
  GpuConfig config;
  config.scheduler.name = name;
  config.scheduler.timing = timing;
  config.scheduler.settings.edit(swl_parameters).warps = kAllowedWarps;
  config.scheduler.settings.edit(two_level_parameters).fetch_group_warps = kGroupWarps;
  config.scheduler.settings.edit(two_level_active_parameters).active_warps = kActiveWarps;
  config.scheduler.settings.edit(two_level_active_parameters).long_wait = long_wait;
  config.core.tb_slots = 4;
  return config;
}

struct Found {
  unsigned overtakes = 0;
  unsigned broken = 0;
};

/// Runs random kernels to their end under `config`, watching each scheduler with a `Watcher`.
template <class Watcher, class... Arguments>
Found run(const GpuConfig& config, const Arguments&... arguments) {
  constexpr std::uint32_t kKernels = 6;
  constexpr double kMicroseconds = 200;
  std::vector<std::unique_ptr<LoneSm>> beds;
  std::vector<std::unique_ptr<FakeKernel>> kernels;
  std::vector<std::unique_ptr<Watcher>> watchers;
  static unsigned runs = 0;
  const std::string prefix = "run" + std::to_string(runs++) + "_";
  for (std::uint32_t seed = 1; seed <= kKernels; ++seed) {
    beds.push_back(std::make_unique<LoneSm>(prefix + std::to_string(seed), config, LoneSm::Variant{60}));
    kernels.push_back(testing::random_kernel(seed));
    for (unsigned s = 0; s < config.core.schedulers; ++s) {
      WarpScheduler& scheduler = beds.back()->sm.issue.issuer.scheduler(s);
      watchers.push_back(std::make_unique<Watcher>(scheduler, config.core.schedulers, arguments...));
    }
    beds.back()->dispatcher.launch(*kernels.back(), 0);
  }
  sc_core::sc_start(sc_core::sc_time(kMicroseconds, sc_core::SC_US));
  for (const auto& bed : beds) {
    bed->clock.rethrow_fault();
    EXPECT_TRUE(bed->dispatcher.idle()) << "deadlock\n" << bed->sm.issue.describe_waiting();
  }
  Found found;
  for (const auto& watcher : watchers) {
    found.overtakes += watcher->overtakes();
    found.broken += watcher->broken();
  }
  return found;
}

void expect_kept(const std::string& name, hw::Timing timing, LongWait long_wait = LongWait::kMarked) {
  Promise promise = promises().at(name);
  promise.data_make_room = long_wait == LongWait::kUntilData;
  if (timing == hw::Timing::kHardware && !promise.data_make_room) promise.kept = promise.in_hardware_timing;
  const Found found = run<Watch>(configured(name, timing, long_wait), promise);
  EXPECT_GT(found.overtakes, 500U);
  EXPECT_EQ(found.broken, 0U);
}

class PromiseTest : public ::testing::TestWithParam<std::string> {};

TEST_P(PromiseTest, AWarpThatCanIssueWaitsForThoseBeforeItOnly) {
  expect_kept(GetParam(), hw::Timing::kIdeal);
}

class HardwarePromiseTest : public PromiseTest {};

TEST_P(HardwarePromiseTest, AWarpThatCanIssueWaitsForThoseBeforeItOnly) {
  expect_kept(GetParam(), hw::Timing::kHardware);
}

/// Always the highest slot: it starves the others.
class Starving final : public Prioritizer {
 public:
  unsigned select(std::uint64_t /*cycle*/, WarpMask issuable) override {
    return kMaxWarps - 1 - static_cast<unsigned>(__builtin_clzll(issuable));
  }
};
const PrioritizerEntry kStarving{"starving", "test",
                                 [](const PolicyContext& /*context*/) -> std::unique_ptr<Prioritizer> {
                                   return std::make_unique<Starving>();
                                 }};

TEST_P(PromiseTest, IsBrokenByAPolicyThatStarvesWarps) {
  add_policy(kStarving);
  EXPECT_GT(run<Watch>(configured("starving", hw::Timing::kIdeal), promises().at(GetParam())).broken, 100U);
}

std::vector<std::string> names_of_promises(bool in_hardware_timing) {
  std::vector<std::string> names;
  for (const auto& [name, promise] : promises()) {
    if (!in_hardware_timing || promise.in_hardware_timing != nullptr) names.push_back(name);
  }
  return names;
}
INSTANTIATE_TEST_SUITE_P(Prioritizers, PromiseTest, ::testing::ValuesIn(names_of_promises(false)),
                         [](const auto& name) { return name.param; });
INSTANTIATE_TEST_SUITE_P(Prioritizers, HardwarePromiseTest, ::testing::ValuesIn(names_of_promises(true)),
                         [](const auto& name) { return name.param; });

TEST(TwoLevelActivePromiseTest, HoldsWhenOnlyMissingDataMakeRoom) {
  expect_kept("two_level_active", hw::Timing::kIdeal, LongWait::kUntilData);
}
TEST(TwoLevelActivePromiseTest, HoldsSoInHardwareTiming) {
  expect_kept("two_level_active", hw::Timing::kHardware, LongWait::kUntilData);
}

TEST(PromisesTest, AreKnownOfEveryPrioritizer) {
  for (const PrioritizerEntry* entry : prioritizers()) {
    const std::string name = entry->name;
    EXPECT_TRUE(promises().count(name) + kAdaptive.count(name) == 1 || name == "none") << name;
  }
}

// --- qualifiers: whom they may hold back

/// Of the scheduler's ready warps `held` may not issue, `others` may.
struct Holding {
  const WarpTable& table;
  unsigned scheduler;
  unsigned schedulers;
  WarpMask held;
  WarpMask others;
};

/// The `count` oldest warps of `among`.
WarpMask oldest_of(const WarpTable& table, WarpMask among, unsigned count) {
  WarpMask oldest = 0;
  for (; among != 0 && count != 0; --count) {
    unsigned first = lowest_warp(among);
    for (WarpMask left = among; left != 0; left &= left - 1) {
      if (table.age[lowest_warp(left)] < table.age[first]) first = lowest_warp(left);
    }
    oldest |= warp_bit(first);
    among &= ~warp_bit(first);
  }
  return oldest;
}

WarpMask own_warps(const Holding& seen) {
  WarpMask own = 0;
  for (unsigned w = seen.scheduler; w < kMaxWarps; w += seen.schedulers) own |= warp_bit(w);
  return own;
}

bool none(const Holding& seen) { return seen.held == 0; }
bool never_all(const Holding& seen) { return seen.others != 0; }
/// CCWS and OAWS.
bool loads_only(const Holding& seen) { return seen.table.l1d_loads(seen.held) == seen.held; }
/// SWL.
bool not_the_oldest(const Holding& seen) {
  const WarpMask run = seen.table.resident & ~(seen.table.finished | seen.table.at_barrier);
  return (seen.held & oldest_of(seen.table, run, kAllowedWarps)) == 0;
}
/// OAWS 4.3.1: "each warp scheduler needs at least one active warp".
bool not_its_oldest(const Holding& seen) {
  const WarpMask run = seen.table.resident & ~(seen.table.finished | seen.table.at_barrier) & own_warps(seen);
  return (seen.held & oldest_of(seen.table, run, 1)) == 0;
}

using MayHold = bool (*)(const Holding& seen);

const std::map<std::string, MayHold>& may_hold() {
  static const std::map<std::string, MayHold> of{
      {"none", none},
      {"swl", not_the_oldest},
      {"ccws", loads_only},
      {"mascar", never_all},
      {"oaws_static", loads_only},
      {"oaws_dynamic", loads_only},
      {"ocw_throttling", not_its_oldest},
  };
  return of;
}

/// Watches the turns of a scheduler in which it issues nothing: what it issues changes the table.
class HoldingWatch {
 public:
  HoldingWatch(WarpScheduler& scheduler, unsigned schedulers, MayHold may_hold) {
    const unsigned index = scheduler_of(scheduler);
    scheduler.took_turn.listen([this, index, schedulers, may_hold](const SchedulerTurn& turn) {
      if (turn.issued != nullptr || turn.issuable == 0) return;
      overtakes_ += turn.barred != 0;
      broken_ += !may_hold({*turn.table, index, schedulers, turn.barred, turn.issuable & ~turn.barred});
    });
  }
  unsigned overtakes() const { return overtakes_; }
  unsigned broken() const { return broken_; }

 private:
  /// Its name ends in its number.
  static unsigned scheduler_of(const WarpScheduler& scheduler) {
    return static_cast<unsigned>(std::string(scheduler.basename()).back() - '0');
  }

  unsigned overtakes_ = 0;
  unsigned broken_ = 0;
};

class HoldingTest : public ::testing::TestWithParam<std::string> {};

TEST_P(HoldingTest, AQualifierHoldsBackWhomItSaysOnly) {
  EXPECT_EQ(run<HoldingWatch>(configured(GetParam() + "+gto", hw::Timing::kIdeal), may_hold().at(GetParam()))
                .broken,
            0U);
}

/// Holds all warps back in every other cycle.
class Holder final : public Qualifier {
 public:
  WarpMask qualify(std::uint64_t cycle, WarpMask issuable) override { return cycle % 2 == 0 ? issuable : 0; }
  std::uint64_t update(std::uint64_t cycle) override { return cycle + 1; }
};
const QualifierEntry kHolder{"holder", "test",
                             [](const PolicyContext& /*context*/) -> std::unique_ptr<Qualifier> {
                               return std::make_unique<Holder>();
                             }};

TEST_P(HoldingTest, IsBrokenByAQualifierThatHoldsAllBack) {
  add_policy(kHolder);
  EXPECT_GT(run<HoldingWatch>(configured("holder+gto", hw::Timing::kIdeal), may_hold().at(GetParam())).broken,
            100U);
}

std::vector<std::string> names_of_qualifiers() {
  std::vector<std::string> names;
  for (const auto& [name, holds] : may_hold()) names.push_back(name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Qualifiers, HoldingTest, ::testing::ValuesIn(names_of_qualifiers()),
                         [](const auto& name) { return name.param; });

TEST(HoldingsTest, AreKnownOfEveryQualifier) {
  for (const QualifierEntry* entry : qualifiers())
    EXPECT_EQ(may_hold().count(entry->name), 1U) << entry->name;
}

}  // namespace
}  // namespace heddle
