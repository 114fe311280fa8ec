#include <gtest/gtest.h>

#include <random>
#include <set>

#include "sc_tests/modules/l1d/l1d_rig.h"

namespace heddle::test {
namespace {

constexpr unsigned kAccesses = 3000;

void write_script(Rig& rig, unsigned seed) {
  std::mt19937 random(seed);
  Cycle cycle = 2;
  for (unsigned k = 0; k < kAccesses; ++k) {
    cycle += random() % 3;
    const std::uint64_t address = (random() % 24) * kLineBytes;
    const unsigned kind = random() % 16;
    RequestKind request_kind = RequestKind::kLoad;
    if (kind < 4) request_kind = RequestKind::kStore;
    if (kind == 4) request_kind = RequestKind::kAtomic;
    MemoryRequest& request = *request_of(rig.cpu->at(cycle, address, request_kind));
    request.bypass_l1d = kind == 5;
    request.local = kind < 3;
    request.access_id = k;
  }
  auto latency = std::make_shared<std::mt19937>(seed + 1);
  rig.memory->latency_of = [latency] { return Cycle{1 + (*latency)() % 60}; };
  rig.memory->open = [](Cycle now) { return now / 64 % 3 != 0; };
}

/// Three machines that must not differ: sleeping, never sleeping, built in reverse.
void run_all_alike(Rig::Shape shape, unsigned seed) {
  std::vector<std::unique_ptr<Rig>> rigs;
  for (int i = 0; i < 3; ++i) {
    shape.sleeping = i != 1;
    shape.reversed = i == 2;
    rigs.push_back(std::make_unique<Rig>(("rig" + std::to_string(i)).c_str(), shape));
    write_script(*rigs.back(), seed);
  }
  Rig& first = *rigs[0];
  std::multiset<std::uint64_t> answered;
  bool tiled = true;
  first.cpu->on_response = [&](tlm::tlm_generic_payload& p) {
    answered.insert(request_of(p)->access_id);
    Ticks sum = 0;
    for (const Ticks ticks : request_of(p)->spent()) sum += ticks;
    tiled = tiled && sum == first.clock.now() - request_of(p)->born_at();
  };
  for (int step = 0; step < 30000 && answered.size() < kAccesses; ++step) {
    sc_core::sc_start(ns(10));
    ASSERT_LE(first.mshr->used_entries(), shape.config.mshr.entries);
    ASSERT_LE(first.mshr->queued_misses(), shape.config.mshr.miss_queue);
  }
  sc_core::sc_start(ns(500));
  EXPECT_EQ(answered.size(), kAccesses);
  EXPECT_EQ(std::set<std::uint64_t>(answered.begin(), answered.end()).size(), kAccesses);
  EXPECT_TRUE(tiled);
  for (const auto& rig : rigs) {
    EXPECT_EQ(rig->cpu->responses, first.cpu->responses);
    EXPECT_EQ(rig->cpu->accepted, first.cpu->accepted);
    EXPECT_EQ(rig->cpu->refusals, first.cpu->refusals);
    EXPECT_EQ(rig->memory->requests, first.memory->requests);
    EXPECT_EQ(rig->stats(), first.stats());
    EXPECT_EQ(rig->in_flight(), 0U);
    EXPECT_TRUE(rig->l1d->idle());
    EXPECT_TRUE(rig->mshr->idle());
  }
  EXPECT_EQ(first.stat("loads"), first.stat("hits") + first.stat("pending_hits") + first.stat("misses"));
  EXPECT_EQ(first.stat("accesses"), kAccesses);
  EXPECT_EQ(first.stat("fills"), first.stat("misses"));
}

TEST(L1dProperty, RandomTrafficAllocatingOnMiss) { run_all_alike({}, 1); }

TEST(L1dProperty, RandomTrafficAllocatingOnFill) {
  Rig::Shape shape;
  shape.config.allocate = AllocatePolicy::kOnFill;
  run_all_alike(shape, 2);
}

TEST(L1dProperty, RandomTrafficWithoutMerging) {
  Rig::Shape shape;
  shape.config.mshr = {2, 1, 1};
  shape.l1_latency = 1;
  run_all_alike(shape, 3);
}

TEST(L1dProperty, RandomTrafficThroughALongPipeAndOneEntry) {
  Rig::Shape shape;
  shape.config.mshr = {1, 2, 1};
  shape.config.cache = {2, 1, kLineBytes, SetIndex::kLinear};
  shape.l1_latency = 70;
  run_all_alike(shape, 4);
}

TEST(L1dProperty, RandomTrafficWithTheCacheDisabled) {
  Rig::Shape shape;
  shape.config.enabled = false;
  run_all_alike(shape, 5);
}

}  // namespace
}  // namespace heddle::test
