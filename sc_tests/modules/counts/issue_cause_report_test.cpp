#include "modules/counts/issue_cause_report.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sc_tests/support/stat_table.h"

namespace heddle {
namespace {

using Counts = std::map<std::string, std::uint64_t>;

/// 2^i cycles of cause i: each sum tells what is in it.
CauseCycles powers() {
  CauseCycles cycles{};
  for (unsigned i = 0; i < kNumIssueCauses; ++i) cycles[i] = std::uint64_t{1} << i;
  return cycles;
}

Counts reported(CauseScope scope) {
  test::StatTable table;
  report_causes(powers(), scope, table);
  return table.values;
}

const Counts kCauses{
    {"idle_barrier", 1U << 3},   {"idle_membar", 1U << 4},       {"idle_flush", 1U << 5},
    {"idle_fetch", 1U << 6},     {"scoreboard_memory", 1U << 7}, {"scoreboard_shared", 1U << 8},
    {"scoreboard_sfu", 1U << 9}, {"scoreboard_alu", 1U << 10},   {"pipeline_sp", 1U << 11},
    {"pipeline_sfu", 1U << 12},  {"pipeline_ldst", 1U << 13},    {"pipeline_policy", 1U << 14},
};

TEST(IssueCauseReport, TheClassesAddUpToTheCyclesAndTheCausesToTheClasses) {
  Counts expected = kCauses;
  expected["idle_no_warp"] = 1U << 1;
  expected["idle_drain"] = 1U << 2;
  expected["issued"] = 1;
  expected["idle"] = 0b1111110;
  expected["scoreboard"] = 0b1111U << 7;
  expected["pipeline"] = 0b1111U << 11;
  expected["cycles"] = (1U << 15) - 1;
  EXPECT_EQ(reported(CauseScope::kScheduler), expected);
}

TEST(IssueCauseReport, ALaunchHasNoCyclesInWhichNoWarpIsLeft) {
  const Counts of_launch = reported(CauseScope::kLaunch);
  EXPECT_EQ(of_launch.count("idle_no_warp") + of_launch.count("idle_drain"), 0U);
  for (const auto& [name, value] : kCauses) EXPECT_EQ(of_launch.at(name), value) << name;
}

}  // namespace
}  // namespace heddle
