#include "top/energy/energy_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "top/config/config_error.h"
#include "top/energy/energy_account.h"
#include "top/energy/energy_check.h"
#include "top/machine/gpu_builder.h"
#include "top/support/project_files.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

class EnergyTableTest : public ::testing::Test {
 protected:
  EnergyTableTest()
      : path_(std::filesystem::temp_directory_path() /
              ("heddle-energy-" + std::to_string(getpid()) + ".yaml")) {}
  ~EnergyTableTest() override { std::filesystem::remove(path_); }

  EnergyTable load(const std::string& text) {
    std::ofstream(path_) << text;
    return load_energy_table(path_.string());
  }
  std::string refusal(const std::string& text) {
    try {
      load(text);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path path_;
};

constexpr const char* kEvent =
    "description: d\nevents:\n  - {name: n, block: b, counts: [sm.a, {sm.b: 2}], lanes: sp, nj: 2, low: 1, "
    "high: 3, "
    "source: s}\npower:\n  - {name: p, block: b, of: sm, watts: 4, low: 4, high: 4, source: t}\n";

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = kEvent;
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST_F(EnergyTableTest, ReadsEventsAndPower) {
  const EnergyTable table = load(kEvent);
  ASSERT_EQ(table.events.size(), 1U);
  const EnergyEvent& event = table.events[0];
  EXPECT_EQ(event.block, "b");
  ASSERT_EQ(event.counts.size(), 2U);
  EXPECT_EQ(event.counts[0].metric, "sm.a");
  EXPECT_EQ(event.counts[0].factor, 1);
  EXPECT_EQ(event.counts[1].metric, "sm.b");
  EXPECT_EQ(event.counts[1].factor, 2);
  EXPECT_EQ(event.lanes, EnergyLanes::kSp);
  EXPECT_EQ(event.nj.value, 2);
  EXPECT_EQ(event.nj.low, 1);
  EXPECT_EQ(event.nj.high, 3);
  EXPECT_EQ(event.nj.source, "s");
  ASSERT_EQ(table.power.size(), 1U);
  EXPECT_TRUE(table.power[0].of_each_sm);
  EXPECT_EQ(table.power[0].watts.value, 4);
}

TEST_F(EnergyTableTest, RefusesWhatItCantUse) {
  EXPECT_THAT(refusal(replaced("lanes: sp", "lane: sp")), HasSubstr(":3:52: event: unknown key 'lane'"));
  EXPECT_THAT(refusal(replaced("lanes: sp", "lane: sp")), HasSubstr("did you mean 'lanes'"));
  EXPECT_THAT(refusal(replaced("lanes: sp", "lanes: half")), HasSubstr("expected all, sp, sfu or ldst"));
  EXPECT_THAT(refusal(replaced(", source: s}", "}")), HasSubstr("expected a text for the key source"));
  EXPECT_THAT(refusal(replaced("low: 1, high: 3", "low: 3, high: 3")),
              HasSubstr("2 outside of its range, 3 to 3"));
  EXPECT_THAT(refusal(replaced("nj: 2", "nj: -2")), HasSubstr("nj: found '-2', expected a number from 0"));
  EXPECT_THAT(refusal(replaced("nj: 2", "nj: .inf")), HasSubstr("expected a number from 0"));
  EXPECT_THAT(refusal(replaced("of: sm", "of: tpc")), HasSubstr("found 'tpc', expected sm or gpu"));
  EXPECT_THAT(refusal(replaced("low: 4, ", "")), HasSubstr("expected the key low"));
  EXPECT_THAT(refusal("events: ["), HasSubstr(path_.string() + ":"));
  EXPECT_THAT(refusal("- 1"), HasSubstr("expected the keys description, events, power"));
  EXPECT_THROW(load_energy_table("/no/such/table.yaml"), ConfigError);
}

TEST_F(EnergyTableTest, RefusesCountsThatNoBlockHas) {
  const auto gpu = build_gpu({});
  const auto refused = [&](const std::string& counts) -> std::string {
    try {
      check_energy_table(load(replaced("sm.a, {sm.b: 2}", counts)), *gpu);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused("sm.l1d.hits, {sm.l1d.misses: 2}"), "");
  EXPECT_EQ(refused("sm.scheduler.ccws.hits, tb_dispatcher.srtf.samples"), "");  // of another policy
  EXPECT_EQ(refused("sm.l1d.hitz"),
            "energy table " + path_.stem().string() +
                ": event 'n': stats.json has no count 'sm.l1d.hitz'; did you mean 'sm.l1d.hits'?");
  EXPECT_THAT(refused("sm.l1d.hits, {sm.l1d.mises: 2}"), HasSubstr("'sm.l1d.mises'"));
  EXPECT_THAT(refused("ipc_warp"), HasSubstr("no count 'ipc_warp'"));  // adds up over nothing
}

// A name that no block reports would silently cost nothing.
TEST(ProjectsEnergyTable, CountsWhatTheMachineReports) {
  const EnergyTable table = load_energy_table(ProjectFiles().energy_table("gf100"));
  const auto gpu = build_gpu({});
  StatRegistry registry;
  registry.begin();
  gpu->report(registry);
  const StatValues values = registry.end();
  const MetricLookup count = all_counts(registry, values);
  for (const EnergyEvent& event : table.events) {
    for (const EnergyEvent::Count& part : event.counts) EXPECT_TRUE(count(part.metric)) << part.metric;
  }
  for (const char* lanes : {"sm.sp_lanes", "sm.sfu_lanes", "sm.ldst_lanes"})
    EXPECT_TRUE(count(lanes)) << lanes;
}

// Every class of operations is in an event, and in none twice.
TEST(ProjectsEnergyTable, HasEveryClassOfOperations) {
  const EnergyTable table = load_energy_table(ProjectFiles().energy_table("gf100"));
  std::multiset<std::string> counted;
  for (const EnergyEvent& event : table.events) {
    for (const EnergyEvent::Count& part : event.counts) counted.insert(part.metric);
  }
  const auto gpu = build_gpu({});
  StatRegistry registry;
  registry.begin();
  gpu->report(registry);
  registry.end();
  const std::string prefix = "sm.sp.instructions_";
  unsigned classes = 0;
  for (const Metric& metric : registry.total_metrics()) {
    const std::string name = metric.full_name();
    if (name.rfind(prefix, 0) != 0) continue;
    const std::string kind = name.substr(prefix.size());
    if (kind == "memory") continue;  // goes to the LD/ST unit
    ++classes;
    const std::size_t of_sp = counted.count(name);
    const std::size_t of_sfu = counted.count("sm.sfu.instructions_" + kind);
    EXPECT_GE(of_sp + of_sfu, 1U) << kind;
    EXPECT_LE(of_sp, 1U) << kind;
    EXPECT_LE(of_sfu, 1U) << kind;
  }
  EXPECT_GE(classes, 15U);
}

}  // namespace
}  // namespace heddle
