#include "top/report/metrics/derived_metrics.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace heddle {
namespace {

constexpr std::uint64_t kCycles = 900;

using Counts = std::map<std::string, std::uint64_t>;

/// The derived metrics of a machine at 500 MHz that reports these counts of each scope.
class Figures {
 public:
  explicit Figures(const std::map<std::string, Counts>& scopes) {
    config_.clock.core_mhz = 500;
    registry_.begin();
    for (const auto& [scope, counts] : scopes) {
      const StatScope guard(registry_, scope);
      for (const auto& [name, value] : counts) registry_.count(name, value, "u", "d");
    }
    const StatValues values = registry_.end();
    totals_ = std::make_unique<TotalView>(registry_, registry_.totals(values));
  }

  double operator[](const std::string& metric) const {
    return derived_metric(metric, {*totals_, kCycles, config_}).value();
  }
  bool concerned_by(const std::string& metric) const {
    for (const DerivedMetric& known : derived_metrics()) {
      if (known.name == metric) return concerns(known, *totals_);
    }
    ADD_FAILURE() << "no metric " << metric;
    return false;
  }

 private:
  GpuConfig config_;
  StatRegistry registry_;
  std::unique_ptr<TotalView> totals_;
};

TEST(DerivedMetrics, EachCauseAndClassHasItsShareOfTheSchedulersCycles) {
  const Counts counts{
      {"issued", 100},       {"idle", 21},           {"scoreboard", 34},       {"pipeline", 45},
      {"idle_no_warp", 1},   {"idle_drain", 2},      {"idle_barrier", 3},      {"idle_membar", 4},
      {"idle_flush", 5},     {"idle_fetch", 6},      {"scoreboard_memory", 7}, {"scoreboard_shared", 8},
      {"scoreboard_sfu", 9}, {"scoreboard_alu", 10}, {"pipeline_sp", 11},      {"pipeline_sfu", 12},
      {"pipeline_ldst", 13}, {"pipeline_policy", 14}};
  Counts with_cycles = counts;
  with_cycles["cycles"] = 200;
  const Figures figures({{"sm0.scheduler0", with_cycles}});
  for (const auto& [name, value] : counts) {
    EXPECT_DOUBLE_EQ(figures["scheduler_share_" + name], static_cast<double>(value) / 200) << name;
  }
}

TEST(DerivedMetrics, WhatBecomesOfAnAccessIsItsShareOfTheAccesses) {
  const Figures figures({{"sm0.l1d", {{"loads", 100}, {"hits", 11}, {"pending_hits", 22}, {"misses", 67}}},
                         {"sm0.texture", {{"hits", 6}, {"pending_hits", 3}, {"misses", 1}}},
                         {"partition0.slice0", {{"hits", 2}, {"merged", 5}, {"misses", 1}}}});
  EXPECT_DOUBLE_EQ(figures["l1d_hit_rate"], 0.11);
  EXPECT_DOUBLE_EQ(figures["l1d_pending_hit_rate"], 0.22);
  EXPECT_DOUBLE_EQ(figures["l1d_miss_rate"], 0.67);
  EXPECT_DOUBLE_EQ(figures["texture_hit_rate"], 0.6);
  EXPECT_DOUBLE_EQ(figures["texture_pending_hit_rate"], 0.3);
  EXPECT_DOUBLE_EQ(figures["texture_miss_rate"], 0.1);
  EXPECT_DOUBLE_EQ(figures["l2_hit_rate"], 0.25);
  EXPECT_DOUBLE_EQ(figures["l2_merge_rate"], 0.625);
  EXPECT_DOUBLE_EQ(figures["l2_miss_rate"], 0.125);
}

TEST(DerivedMetrics, LifetimesAndTheirStagesAreMeansInCoreCycles) {
  const std::vector<std::string> kinds{"loads_l1_hit", "loads_l2_hit", "loads_dram", "stores", "atomics"};
  const std::vector<std::string> stages{
      "ldst", "l1d",        "mshr", "memory_port", "request_network", "l2_queue",
      "l2",   "dram_queue", "dram", "reply_queue", "reply_network",   "fill"};
  constexpr std::uint64_t kCycleFs = 2'000'000;
  constexpr std::uint64_t kRequests = 3;
  std::map<std::string, Counts> scopes;
  for (std::uint64_t k = 0; k < kinds.size(); ++k) {
    Counts& counts = scopes["sm0.ldst.requests." + kinds[k]];
    counts = {{"requests", kRequests}, {"lifetime", (1000 + k) * kRequests * kCycleFs}};
    for (std::uint64_t s = 0; s < stages.size(); ++s) {
      counts[stages[s]] = (100 * k + s) * kRequests * kCycleFs;
    }
  }
  const Figures figures(scopes);
  for (std::uint64_t k = 0; k < kinds.size(); ++k) {
    const std::string name = "request_lifetime_" + kinds[k];
    EXPECT_DOUBLE_EQ(figures[name], static_cast<double>(1000 + k)) << name;
    for (std::uint64_t s = 0; s < stages.size(); ++s) {
      EXPECT_DOUBLE_EQ(figures[name + "_" + stages[s]], static_cast<double>(100 * k + s))
          << name << stages[s];
    }
  }
}

// 900 cycles of 2 ns; bytes per ns are GB/s.
TEST(DerivedMetrics, AMachineWithExternalMemoriesHasTheirBandwidthInsteadOfDram) {
  const Figures figures(
      {{"partition0.memory", {{"reads", 40}, {"read_bytes", 3000}, {"written_bytes", 1500}}}});
  EXPECT_DOUBLE_EQ(figures["external_memory_bandwidth"], 2.5);
  EXPECT_TRUE(figures.concerned_by("external_memory_bandwidth"));
  EXPECT_FALSE(figures.concerned_by("dram_bandwidth"));
}

}  // namespace
}  // namespace heddle
