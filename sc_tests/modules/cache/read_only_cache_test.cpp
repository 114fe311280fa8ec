#include "modules/cache/read_only_cache.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "modules/messages/tick_order.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/plain_traffic.h"
#include "tlm/protocol_checker.h"

namespace heddle::test {
namespace {

using Access = ReadOnlyCache::Access;

/// Looks up addresses by a script and records what it is told.
class Owner : public sc_core::sc_module, public Clocked, public ReadOnlyCache::Listener {
 public:
  Owner(const sc_core::sc_module_name& name, ClockDomain& domain)
      : sc_module(name), Clocked(domain, tick_order::kFetch, this->name()) {}

  bool tick() override {
    const Cycle now = domain().cycle();
    woken.push_back(now);
    const auto [first, last] = script.equal_range(now);
    for (auto it = first; it != last; ++it) results.push_back(cache->access(it->second));
    const auto next = script.upper_bound(now);
    if (next != script.end()) wake_in(next->first - now);
    return false;
  }
  bool filled(std::uint64_t line) override {
    fills.push_back({line, domain().cycle()});
    return keeps_entries;
  }

  ReadOnlyCache* cache = nullptr;
  bool keeps_entries = false;
  std::multimap<Cycle, std::uint64_t> script;
  std::vector<Access> results;
  std::vector<Seen> fills;
  std::vector<Cycle> woken;
};

class Rig : public sc_core::sc_module {
 public:
  explicit Rig(const sc_core::sc_module_name& name, unsigned mshrs = 2, bool sleeping = true)
      : sc_module(name),
        clock("clock", ns(1), sleeping),
        owner("owner", clock),
        cache("cache", clock, {4, 2, 64, SetIndex::kLinear}, mshrs,
              {RequestKind::kConstant, Requester::kConstantCache, 3}, owner, owner),
        checker("checker"),
        target("target", clock, 10) {
    owner.cache = &cache;
    cache.memory.socket.bind(checker.from_initiator);
    checker.to_target.bind(target.port.socket);
  }
  ClockDomain clock;
  Owner owner;
  ReadOnlyCache cache;
  ProtocolChecker checker;
  StubTarget target;
};

TEST(ReadOnlyCache, AMissFetchesTheLineAndTellsTheOwnerWhenItHits) {
  Rig rig("rig");
  rig.owner.script = {{5, 0x148}, {18, 0x148}, {19, 0x17F}, {20, 0x180}};
  Cycle stages_end = 0;
  rig.cache.completed.listen([&](const MemoryRequest& request) {
    Ticks sum = 0;
    for (const Ticks ticks : request.spent()) sum += ticks;
    stages_end = (request.born_at() + sum) / rig.clock.period_ticks();
    EXPECT_EQ(request.kind, RequestKind::kConstant);
    EXPECT_EQ(request.requester, Requester::kConstantCache);
    EXPECT_EQ(request.sm, 3);
    // 0x140 is the upper half of its 128 bytes, 0x180 the lower of the next.
    EXPECT_EQ(request.sector_mask, request.access_id == 0 ? 0b1100 : 0b0011);
  });
  sc_core::sc_start(ns(19.5));
  // Missed at 5, sent at 6, seen at 7, answered at 17, response seen at 18, line there at 19.
  EXPECT_EQ(rig.target.requests, (std::vector<Seen>{{0x140, 7}}));
  EXPECT_EQ(rig.target.payloads.size(), 1U);
  EXPECT_EQ(rig.owner.results,
            (std::vector<Access>{Access::kMissPending, Access::kMissPending, Access::kHit}));
  EXPECT_EQ(rig.owner.fills, (std::vector<Seen>{{0x140, 19}}));
  EXPECT_EQ(stages_end, 19U);
  sc_core::sc_start(ns(1));
  EXPECT_EQ(rig.owner.results.back(), Access::kMissPending);  // the neighbour was not fetched
  EXPECT_FALSE(rig.cache.idle());
  sc_core::sc_start(ns(50));
  EXPECT_TRUE(rig.cache.idle());
}

TEST(ReadOnlyCache, TheOwnerIsAwakeAtTheEdgeOfTheFill) {
  Rig rig("rig");
  rig.owner.script = {{5, 0x140}};
  sc_core::sc_start(ns(50));
  EXPECT_EQ(rig.owner.woken, (std::vector<Cycle>{1, 5, 19}));
}

TEST(ReadOnlyCache, MissesOfOneLineShareAnEntryAndMoreLinesThanEntriesAreRefused) {
  Rig rig("rig", 2);
  rig.owner.script = {{5, 0x000}, {5, 0x020}, {5, 0x040}, {5, 0x080}, {6, 0x010}, {18, 0x080}, {19, 0x080}};
  sc_core::sc_start(ns(60));
  EXPECT_EQ(
      rig.owner.results,
      (std::vector<Access>{Access::kMissPending, Access::kMissPending, Access::kMissPending, Access::kRefused,
                           Access::kMissPending, Access::kRefused, Access::kMissPending}));
  // One request leaves a cycle.
  EXPECT_EQ(rig.target.requests, (std::vector<Seen>{{0x000, 7}, {0x040, 8}, {0x080, 21}}));
  EXPECT_EQ(rig.owner.fills, (std::vector<Seen>{{0x000, 19}, {0x040, 20}, {0x080, 33}}));
}

TEST(ReadOnlyCache, AnEntryThatItsOwnerKeepsIsInUseUntilReleased) {
  Rig rig("rig", 1);
  rig.owner.keeps_entries = true;
  rig.owner.script = {{5, 0x000}, {25, 0x000}, {25, 0x080}, {31, 0x080}};
  sc_core::sc_start(ns(30.5));
  // The line is there, but its entry is not free for another.
  EXPECT_EQ(rig.owner.results, (std::vector<Access>{Access::kMissPending, Access::kHit, Access::kRefused}));
  EXPECT_FALSE(rig.cache.idle());
  rig.cache.release(0x040);  // another line's: nothing
  EXPECT_FALSE(rig.cache.idle());
  rig.cache.release(0x000);
  EXPECT_TRUE(rig.cache.idle());
  sc_core::sc_start(ns(1));
  EXPECT_EQ(rig.owner.results.back(), Access::kMissPending);
  rig.cache.release(0x080);  // which has not come yet: nothing
  EXPECT_FALSE(rig.cache.idle());
}

TEST(ReadOnlyCache, TheLeastRecentlyUsedLineIsReplacedAndFlushDropsAll) {
  Rig rig("rig", 4);
  // Set 0 of 4 holds every fourth line: 0x000, 0x100, 0x200; two ways.
  rig.owner.script = {{5, 0x000}, {6, 0x100}, {30, 0x000}, {31, 0x200}, {60, 0x000}, {61, 0x100}};
  sc_core::sc_start(ns(80.5));
  EXPECT_EQ(rig.owner.results,
            (std::vector<Access>{Access::kMissPending, Access::kMissPending, Access::kHit,
                                 Access::kMissPending, Access::kHit, Access::kMissPending}));
  rig.cache.flush();
  EXPECT_EQ(rig.cache.access(0x000), Access::kMissPending);
}

TEST(ReadOnlyCache, ALineReadOverAndOverIsGoneOnceTwoOthersHaveTakenItsSet) {
  Rig rig("rig");
  // 0x000, 0x100 and 0x200 share a set of two ways; the first is read until shortly before the others come.
  rig.owner.script = {{5, 0x000},  {30, 0x000}, {31, 0x000}, {32, 0x100},
                      {33, 0x200}, {34, 0x000}, {80, 0x000}};
  sc_core::sc_start(ns(100));
  EXPECT_EQ(rig.owner.results,
            (std::vector<Access>{Access::kMissPending, Access::kHit, Access::kHit, Access::kMissPending,
                                 Access::kMissPending, Access::kHit, Access::kMissPending}));
}

TEST(ReadOnlyCache, SleepingChangesNothing) {
  Rig asleep("asleep", 2, true);
  Rig awake("awake", 2, false);
  unsigned state = 1;
  for (Cycle cycle = 2; cycle < 2000; cycle += 1 + state % 7) {
    state = state * 1103515245U + 12345U;
    const std::uint64_t address = state >> 16 & 0x7FF;
    asleep.owner.script.emplace(cycle, address);
    awake.owner.script.emplace(cycle, address);
  }
  sc_core::sc_start(ns(2100));
  EXPECT_GT(asleep.owner.fills.size(), 20U);
  EXPECT_EQ(asleep.owner.fills, awake.owner.fills);
  EXPECT_EQ(asleep.owner.results, awake.owner.results);
  EXPECT_EQ(asleep.target.requests, awake.target.requests);
  EXPECT_EQ(asleep.checker.in_flight(), 0U);
}

TEST(ReadOnlyCache, ImpossibleShapesAreRejected) {
  ClockDomain clock("clock", ns(1));
  Owner owner("owner", clock);
  EXPECT_THROW(ReadOnlyCache("a", clock, {4, 2, 64, SetIndex::kLinear}, 0, {}, owner, owner),
               std::invalid_argument);
  EXPECT_THROW(ReadOnlyCache("b", clock, {4, 2, 256, SetIndex::kLinear}, 2, {}, owner, owner),
               std::invalid_argument);
  ClockDomain other("other", ns(2));
  EXPECT_THROW(ReadOnlyCache("c", other, {4, 2, 64, SetIndex::kLinear}, 2, {}, owner, owner),
               std::invalid_argument);
}

TEST(ReadOnlyCache, AnyMemoryMayStandBehindIt) {
  ClockDomain clock("clock", ns(1));
  Owner owner("owner", clock);
  ReadOnlyCache cache("cache", clock, {4, 2, 64, SetIndex::kLinear}, 2,
                      {RequestKind::kConstant, Requester::kConstantCache, 3}, owner, owner);
  ProtocolChecker checker("checker");
  DataMemory memory("memory", 5, 20);
  owner.cache = &cache;
  cache.memory.socket.bind(checker.from_initiator);
  checker.to_target.bind(memory.socket);
  owner.script = {{5, 0x148}, {6, 0x180}, {100, 0x148}, {101, 0x1BF}};
  sc_core::sc_start(ns(200));
  EXPECT_EQ(owner.results,
            (std::vector<Access>{Access::kMissPending, Access::kMissPending, Access::kHit, Access::kHit}));
  EXPECT_EQ(owner.fills.size(), 2U);
  EXPECT_EQ(memory.reads, 2U);
  EXPECT_TRUE(cache.idle());
  checker.check_idle();
  EXPECT_EQ(checker.violations(), 0U);
}

}  // namespace
}  // namespace heddle::test
