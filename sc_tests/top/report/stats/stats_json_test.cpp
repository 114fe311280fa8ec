#include "top/report/stats/stats_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "modules/messages/memory_request.h"
#include "top/report/metrics/derived_metrics.h"
#include "top/report/stats/run_speed.h"
#include "top/support/stats_file.h"

namespace heddle {
namespace {

/// Reports under the names of the real blocks what the derived metrics are computed from.
class FakeMachine {
 public:
  explicit FakeMachine(std::uint64_t scale) : scale_(scale) {}

  void report(StatRegistry& registry) const {
    for (const char* sm : {"sm0", "sm1"}) {
      StatScope in_sm(registry, sm);
      counts(registry, {{"warp_instructions", 10},
                        {"thread_instructions", 200},
                        {"path_lanes", 240},
                        {"active_cycles", 80},
                        {"warp_cycles", 1920},
                        {"register_cycles", 80 * 16384},
                        {"warp_slot_cycles", 80 * 36},
                        {"shared_byte_cycles", 80 * 12288},
                        {"tb_warp_cycles", 400},
                        {"unused_warp_cycles", 100},
                        {"unequal_tbs", 2},
                        {"rtru_microbits", 6000000}});
      if (sm == std::string("sm1")) counts(registry, {{"only_here", 1}});
      scoped(registry, "scheduler0",
             {{"issued", 10},
              {"idle", 30},
              {"scoreboard", 40},
              {"pipeline", 20},
              {"cycles", 100},
              {"idle_no_warp", 20},
              {"idle_drain", 0},
              {"idle_barrier", 10},
              {"idle_membar", 0},
              {"idle_flush", 0},
              {"idle_fetch", 0},
              {"scoreboard_memory", 40},
              {"scoreboard_shared", 0},
              {"scoreboard_sfu", 0},
              {"scoreboard_alu", 0},
              {"pipeline_sp", 20},
              {"pipeline_sfu", 0},
              {"pipeline_ldst", 0},
              {"pipeline_policy", 0}});
      scoped(registry, "l1d", {{"loads", 40}, {"hits", 10}, {"pending_hits", 10}, {"misses", 20}});
      scoped(registry, "mshr", {{"entry_cycles", 300}});
      StatScope ldst(registry, "ldst");
      StatScope requests(registry, "requests");
      for (const char* served : {"loads_l1_hit", "loads_l2_hit", "loads_dram", "stores", "atomics"}) {
        StatScope scope(registry, served);
        // Ten cycles of 1e6 fs (1000 MHz) for each of two requests.
        counts(registry, {{"requests", 2}, {"lifetime", 20000000}});
        for (unsigned s = 0; s < kNumStages; ++s) {
          registry.count(to_string(static_cast<Stage>(s)), s == 0 ? scale_ * 20000000 : 0, "ticks", "d");
        }
      }
    }
    StatScope partition(registry, "partition0");
    scoped(registry, "slice0", {{"hits", 6}, {"merged", 1}, {"misses", 3}});
    scoped(registry, "dram",
           {{"data_bytes", 6400},
            {"cycles_busy", 25},
            {"cycles_waiting", 25},
            {"cycles", 100},
            {"activates", 2},
            {"read_bursts", 6},
            {"write_bursts", 2},
            {"row_hits", 3},
            {"row_misses", 1},
            {"row_conflicts", 0}});
  }

 private:
  using Counts = std::vector<std::pair<const char*, std::uint64_t>>;
  void counts(StatRegistry& registry, const Counts& counts) const {
    for (const auto& [name, value] : counts) registry.count(name, scale_ * value, "u", "d");
  }
  void scoped(StatRegistry& registry, const char* scope, const Counts& list) const {
    StatScope guard(registry, scope);
    counts(registry, list);
  }
  std::uint64_t scale_;
};

class StatsJson : public ::testing::Test {
 protected:
  StatsJson() {
    description_.command = "heddle run fake";
    description_.workload = "fake";
    description_.parameters = {{"n", 4}};
    description_.config.core.sms = 2;
    description_.config.clock.core_mhz = 1000;
    before_ = read(1);
    result_.values = read(3);
    result_.cycles = 300;
    LaunchResult launch;
    launch.kernel = "kernel";
    launch.grid = {4, 2, 1};
    launch.cycles = 200;
    launch.complete = true;
    launch.occupancy.demand.registers_per_thread = 20;
    launch.values = difference(result_.values, before_);
    result_.launches.push_back(launch);
  }

  StatValues read(std::uint64_t scale) {
    registry_.begin();
    FakeMachine(scale).report(registry_);
    return registry_.end();
  }
  nlohmann::json parse() {
    return nlohmann::json::parse(stats_json(description_, result_, registry_, checks_));
  }
  static nlohmann::json metric(const nlohmann::json& metrics, const std::string& name) {
    const nlohmann::json* const found = find_metric(metrics, name);
    EXPECT_NE(found, nullptr) << name;
    return found == nullptr ? nlohmann::json() : *found;
  }

  RunDescription description_;
  RunResult result_;
  StatRegistry registry_;
  StatValues before_;
  std::vector<CheckResult> checks_;
};

TEST_F(StatsJson, HeaderSaysWhatWasRun) {
  const auto json = parse();
  EXPECT_EQ(json.at("status"), "complete");
  EXPECT_EQ(json.at("command"), "heddle run fake");
  EXPECT_EQ(json.at("workload"), "fake");
  EXPECT_EQ(json.at("parameters").at("n"), 4);
  EXPECT_EQ(json.at("scheduler"), "gto");
  EXPECT_EQ(json.at("config").at("values").at("core.sms"), 2);
  EXPECT_EQ(json.at("config").at("values").at("l1d.cache.set_index"), "hashed");
}

TEST_F(StatsJson, PartialResultsSaySoAndWhy) {
  result_.end = RunEnd::kInterrupted;
  result_.reason = "interrupted at core cycle 300";
  const auto json = parse();
  EXPECT_EQ(json.at("status"), "partial");
  EXPECT_EQ(json.at("end"), "interrupted");
  EXPECT_EQ(json.at("reason"), "interrupted at core cycle 300");
}

TEST_F(StatsJson, SaysItsFormat) { EXPECT_EQ(parse().at("format"), 2); }

TEST_F(StatsJson, EveryFigureIsDefined) {
  StreamResult stream;
  stream.name = "s";
  stream.complete = true;
  stream.cycles = 300;
  stream.alone_cycles = 150;
  result_.streams.push_back(stream);
  const auto json = parse();
  const auto expect_defined = [&json](const std::string& name, const nlohmann::json&) {
    const nlohmann::json definition = metric(json.at("definitions"), name);
    ASSERT_EQ(definition.size(), 3U) << name;
    EXPECT_TRUE(definition[kUnit].is_string()) << name;
    EXPECT_FALSE(definition[kDescription].get<std::string>().empty()) << name;
  };
  for_each_metric(json.at("metrics"), expect_defined);
  for_each_metric(json.at("launches").at(0).at("metrics"), expect_defined);
  for_each_metric(json.at("streams").at(0).at("metrics"), expect_defined);
  for_each_metric(json.at("multiprogram"), expect_defined);
  for_each_instance(json.at("instances"), [&](const std::string& name, const nlohmann::json& value) {
    const MetricName of_block(name);
    expect_defined(kind_of_scope(of_block.scope) + "." + of_block.name, value);
  });
  EXPECT_EQ(metric(json.at("definitions"), "sm.l1d.hits"), nlohmann::json({"u", "count", "d"}));
  EXPECT_EQ(metric(json.at("definitions"), "l1d_hit_rate").at(kKind), "derived");
  EXPECT_EQ(metric(json.at("streams").at(0).at("metrics"), "slowdown"), 2);
}

TEST_F(StatsJson, BlocksAreColumnsOfTheirKind) {
  const auto instances = parse().at("instances");
  EXPECT_EQ(instances.at("sm.l1d").at("block"), nlohmann::json({"sm0.l1d", "sm1.l1d"}));
  EXPECT_EQ(instances.at("sm.l1d").at("hits"), nlohmann::json({30, 30}));
  EXPECT_EQ(instances.at("partition.slice").at("block"), nlohmann::json({"partition0.slice0"}));
  EXPECT_EQ(instances.at("sm").at("only_here"), nlohmann::json({nullptr, 3})) << "sm0 has none";
  std::vector<std::string> names;
  for_each_instance(instances, [&names](const std::string& name, const auto&) { names.push_back(name); });
  EXPECT_EQ(std::count(names.begin(), names.end(), "sm1.only_here"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "sm0.only_here"), 0);
}

TEST_F(StatsJson, LaunchFiguresAreDifferences) {
  const auto json = parse();
  EXPECT_EQ(metric(json.at("metrics"), "sm.warp_instructions"), 60);
  EXPECT_EQ(json.at("instances").at("sm").at("warp_instructions").at(1), 30);
  const auto& launch = json.at("launches").at(0);
  EXPECT_EQ(launch.at("kernel"), "kernel");
  EXPECT_EQ(launch.at("grid"), nlohmann::json({4, 2, 1}));
  EXPECT_EQ(metric(launch.at("metrics"), "sm.warp_instructions"), 40);
  EXPECT_EQ(metric(launch.at("metrics"), "registers_per_thread"), 20);
  EXPECT_EQ(metric(launch.at("metrics"), "cycles"), 200);
  EXPECT_EQ(metric(launch.at("metrics"), "ipc_warp"), 0.2);
}

TEST_F(StatsJson, DerivedMetricsFollowTheirDefinitions) {
  const auto metrics = parse().at("metrics");
  const auto value = [&metrics](const char* name) { return metric(metrics, name).get<double>(); };
  EXPECT_DOUBLE_EQ(value("ipc_warp"), 60.0 / 300);
  EXPECT_DOUBLE_EQ(value("ipc_thread"), 1200.0 / 300);
  EXPECT_DOUBLE_EQ(value("simd_efficiency"), 0.75);
  EXPECT_DOUBLE_EQ(value("sm_active_share"), 0.8);
  EXPECT_DOUBLE_EQ(value("achieved_occupancy"), 0.5);
  EXPECT_DOUBLE_EQ(value("concurrent_warps"), 24);
  EXPECT_DOUBLE_EQ(value("allocated_registers"), 0.5);
  EXPECT_DOUBLE_EQ(value("allocated_warp_slots"), 0.75);
  EXPECT_DOUBLE_EQ(value("allocated_shared_memory"), 0.25);
  EXPECT_DOUBLE_EQ(value("rtru"), 0.25);
  EXPECT_DOUBLE_EQ(value("rtru_geometric"), 0.125);  // three bits a TB
  EXPECT_DOUBLE_EQ(value("dram_accesses_per_activation"), 4);
  EXPECT_DOUBLE_EQ(value("scheduler_share_issued"), 0.1);
  EXPECT_DOUBLE_EQ(value("scheduler_share_idle_barrier"), 0.1);
  EXPECT_DOUBLE_EQ(value("l1d_miss_rate"), 0.5);
  EXPECT_DOUBLE_EQ(value("l1d_hit_rate"), 0.25);
  EXPECT_DOUBLE_EQ(value("mshr_mean_entries"), 3.0);
  EXPECT_DOUBLE_EQ(value("l2_hit_rate"), 0.6);
  EXPECT_DOUBLE_EQ(value("l2_miss_rate"), 0.3);
  EXPECT_DOUBLE_EQ(value("dram_bandwidth"), 3 * 6400 / 300.0) << "bytes per ns are GB/s";
  EXPECT_DOUBLE_EQ(value("dram_utilization"), 0.25);
  EXPECT_DOUBLE_EQ(value("dram_efficiency"), 0.5);
  EXPECT_DOUBLE_EQ(value("dram_row_hit_rate"), 0.75);
  EXPECT_DOUBLE_EQ(value("request_lifetime_loads_dram"), 10.0);
  EXPECT_DOUBLE_EQ(value("request_lifetime_loads_dram_ldst"), 10.0);
  EXPECT_DOUBLE_EQ(value("request_lifetime_loads_dram_dram"), 0.0);
}

TEST_F(StatsJson, RatioOfNothingIsNull) {
  result_.values = difference(result_.values, result_.values);
  EXPECT_TRUE(metric(parse().at("metrics"), "l1d_miss_rate").is_null());
}

TEST_F(StatsJson, ChecksAreListed) {
  CheckResult check;
  check.buffer = "y";
  check.passed = true;
  check.elements = 7;
  checks_.push_back(check);
  const auto json = parse().at("checks").at(0);
  EXPECT_EQ(json.at("buffer"), "y");
  EXPECT_EQ(json.at("passed"), true);
  EXPECT_EQ(json.at("elements"), 7);
}

TEST_F(StatsJson, FiguresOfAKindOfBlockStandOnOneLine) {
  const std::string text = stats_json(description_, result_, registry_, checks_);
  EXPECT_NE(text.find("\n    \"cycles\": 300,\n"), std::string::npos);
  EXPECT_NE(text.find("\n    \"sm.mshr\": {\"entry_cycles\":1800},\n"), std::string::npos);
  EXPECT_NE(text.find("\n      \"hits\": [30,30],\n"), std::string::npos);
  EXPECT_NE(text.find("\n    \"cycles\": [\"cycles\",\"count\","), std::string::npos);
}

TEST(SpeedJson, GivesRates) {
  const auto json = nlohmann::json::parse(speed_json({2.0, 1.5, 1000, 500, 70, 4096}));
  EXPECT_EQ(json.at("warp_instructions_per_second"), 500.0);
  EXPECT_EQ(json.at("cycles_per_second"), 250.0);
  EXPECT_EQ(json.at("cpu_seconds"), 1.5);
  EXPECT_EQ(json.at("block_ticks"), 70);
  EXPECT_EQ(json.at("peak_memory_bytes"), 4096);
}

}  // namespace
}  // namespace heddle
