#include "modules/ldst_unit/request_lifetimes.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sc_tests/support/stat_table.h"

namespace heddle {
namespace {

/// A request that was in stage s for s + `more` ticks and has just ended, at `now`.
MemoryRequest finished(RequestKind kind, Ticks more, Ticks& now) {
  MemoryRequest request;
  request.kind = kind;
  request.born(Stage::kLdst, now);
  for (unsigned s = 0; s < kNumStages; ++s) {
    request.enter(static_cast<Stage>(s), now);
    now += s + more;
  }
  request.finish(now);
  return request;
}

TEST(RequestLifetimes, AreAddedUpByWhatServedTheRequestAndByStage) {
  RequestLifetimes lifetimes;
  Ticks now = 1000;
  const auto add = [&](RequestKind kind, Ticks more, bool l1_hit, bool l2_hit) {
    MemoryRequest request = finished(kind, more, now);
    request.hit = l1_hit;
    request.l2_hit = l2_hit;
    lifetimes.add(request, now);
  };
  add(RequestKind::kLoad, 1, true, false);
  add(RequestKind::kLoad, 10, false, true);
  add(RequestKind::kLoad, 20, false, true);
  add(RequestKind::kLoad, 100, false, false);
  add(RequestKind::kStore, 1000, true, true);  // whatever it hit
  add(RequestKind::kStore, 2000, false, false);
  add(RequestKind::kStore, 3000, false, false);
  add(RequestKind::kAtomic, 10000, false, true);
  struct Sum {
    const char* served;
    std::uint64_t requests;
    std::uint64_t more;
  };
  const char* const stages[] = {"ldst", "l1d",        "mshr", "memory_port", "request_network", "l2_queue",
                                "l2",   "dram_queue", "dram", "reply_queue", "reply_network",   "fill"};
  std::map<std::string, std::uint64_t> expected;
  for (const Sum& sum : {Sum{"loads_l1_hit", 1, 1}, Sum{"loads_l2_hit", 2, 30}, Sum{"loads_dram", 1, 100},
                         Sum{"stores", 3, 6000}, Sum{"atomics", 1, 10000}}) {
    const std::string scope = std::string(sum.served) + ".";
    expected[scope + "requests"] = sum.requests;
    expected[scope + "lifetime"] = 66 * sum.requests + 12 * sum.more;  // 0 to 11 ticks, and the rest
    for (unsigned s = 0; s < kNumStages; ++s) expected[scope + stages[s]] = s * sum.requests + sum.more;
  }
  test::StatTable table;
  lifetimes.report(table);
  EXPECT_EQ(table.values, expected);
}

}  // namespace
}  // namespace heddle
