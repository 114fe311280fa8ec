#include "top/energy/energy_account.h"

#include <gtest/gtest.h>

#include <map>

#include "top/energy/energy_metrics.h"

namespace heddle {
namespace {

using Counts = std::map<std::string, std::uint64_t>;

MetricLookup lookup(Counts counts) {
  return [counts = std::move(counts)](const std::string& name) -> std::optional<std::uint64_t> {
    const auto found = counts.find(name);
    if (found == counts.end()) return std::nullopt;
    return found->second;
  };
}

EnergyEvent event(const std::string& block, std::vector<EnergyEvent::Count> counts, double nj,
                  EnergyLanes lanes = EnergyLanes::kNone) {
  EnergyEvent result;
  result.name = block + " event";
  result.block = block;
  result.counts = std::move(counts);
  result.lanes = lanes;
  result.nj = {nj, nj / 2, nj * 3, "test"};
  return result;
}

GpuConfig two_sms_at_1000_mhz() {
  GpuConfig config;
  config.core.sms = 2;
  config.clock.core_mhz = 1000;
  return config;
}

const BlockEnergy& of(const EnergyAccount& account, const std::string& block) {
  for (const BlockEnergy& known : account.blocks) {
    if (known.block == block) return known;
  }
  throw std::out_of_range(block);
}

TEST(EnergyAccountTest, AnEventCostsItsEnergyEachTime) {
  EnergyTable table;
  table.events = {event("l1d", {{"sm.l1d.hits", 1}, {"sm.l1d.misses", 0.5}}, 2)};
  const EnergyAccount account =
      energy_of_gpu(table, lookup({{"sm.l1d.hits", 10}, {"sm.l1d.misses", 4}}), 100, two_sms_at_1000_mhz());
  EXPECT_DOUBLE_EQ(of(account, "l1d").dynamic.nj, 24);
  EXPECT_DOUBLE_EQ(of(account, "l1d").dynamic.low_nj, 12);
  EXPECT_DOUBLE_EQ(of(account, "l1d").dynamic.high_nj, 72);
  EXPECT_DOUBLE_EQ(account.total().nj, 24);
  EXPECT_EQ(account.static_share(), 0);
}

TEST(EnergyAccountTest, LanesScaleWhatTheirInstructionsCost) {
  const Counts counts{{"sm.sp.instructions_simple", 10}, {"sm.collector.reads", 10},
                      {"sm.sp_instructions", 20},        {"sm.sp_lanes", 20 * 8},
                      {"sm.warp_instructions", 40},      {"sm.thread_instructions", 40 * 24}};
  EnergyTable table;
  table.events = {event("execution", {{"sm.sp.instructions_simple", 1}}, 1, EnergyLanes::kSp),
                  event("register_file", {{"sm.collector.reads", 1}}, 1, EnergyLanes::kAll)};
  const EnergyAccount account = energy_of_gpu(table, lookup(counts), 0, two_sms_at_1000_mhz());
  EXPECT_DOUBLE_EQ(of(account, "execution").dynamic.nj, 2.5);      // 8 of 32 lanes
  EXPECT_DOUBLE_EQ(of(account, "register_file").dynamic.nj, 7.5);  // 24 of 32 lanes
}

TEST(EnergyAccountTest, PowerGoesWithTimeAndSms) {
  EnergyTable table;
  table.power = {{"leakage", "sm", true, {3, 2, 4, "test"}}, {"clock", "clock", false, {10, 10, 10, "test"}}};
  // 2,000 cycles of 1 ns.
  const EnergyAccount account = energy_of_gpu(table, lookup({}), 2000, two_sms_at_1000_mhz());
  EXPECT_DOUBLE_EQ(account.seconds, 2e-6);
  EXPECT_DOUBLE_EQ(of(account, "sm").static_.nj, 2 * 3 * 2000);
  EXPECT_DOUBLE_EQ(of(account, "clock").static_.nj, 10 * 2000);
  EXPECT_DOUBLE_EQ(account.static_share(), 1);
  EXPECT_DOUBLE_EQ(account.delay_product_nj_s(), 32000 * 2e-6);
  const EnergyAccount of_one = energy_of_sm(table, lookup({}), 2000, two_sms_at_1000_mhz());
  EXPECT_DOUBLE_EQ(of_one.total().nj, 3 * 2000);
}

TEST(EnergyAccountTest, AnSmHasItsOwnEventsOnly) {
  EnergyTable table;
  table.events = {event("l1d", {{"sm.l1d.hits", 1}}, 1), event("dram", {{"partition.dram.activates", 1}}, 1)};
  const EnergyAccount account = energy_of_sm(table, lookup({{"sm.l1d.hits", 5}}), 10, two_sms_at_1000_mhz());
  EXPECT_DOUBLE_EQ(account.total().nj, 5);
  EXPECT_TRUE(account.not_counted.empty());
}

TEST(EnergyAccountTest, SaysWhatNobodyCounts) {
  EnergyTable table;
  table.events = {event("dram", {{"partition.dram.activates", 1}}, 1)};
  const EnergyAccount account = energy_of_gpu(table, lookup({}), 10, two_sms_at_1000_mhz());
  EXPECT_EQ(account.not_counted, std::vector<std::string>{"dram event"});
}

TEST(EnergyAccountTest, CountsOfAnSmAreItsOwn) {
  StatRegistry registry;
  registry.begin();
  for (unsigned sm = 0; sm < 12; ++sm) {
    StatScope in_sm(registry, "sm" + std::to_string(sm));
    registry.count("warps", 100 + sm, "u", "d");
    for (const char* scheduler : {"scheduler0", "scheduler1"}) {
      StatScope scope(registry, scheduler);
      registry.count("issued", sm, "u", "d");
    }
  }
  const StatValues values = registry.end();
  const MetricLookup first = counts_of_sm(registry, values, 1);
  EXPECT_EQ(first("sm.warps"), 101U);
  EXPECT_EQ(first("sm.scheduler.issued"), 2U) << "of both schedulers, and not of sm10 and sm11";
  EXPECT_EQ(first("partition.dram.reads"), std::nullopt);
  EXPECT_EQ(all_counts(registry, values)("sm.scheduler.issued"), 2U * 66);
}

TEST(EnergyMetricsTest, BlocksAddUpToTheTotal) {
  EnergyTable table;
  table.events = {event("l1d", {{"sm.l1d.hits", 1}}, 1), event("l2", {{"sm.l1d.hits", 1}}, 2)};
  table.power = {{"leakage", "l2", false, {3, 2, 4, "test"}}};
  const EnergyAccount account =
      energy_of_gpu(table, lookup({{"sm.l1d.hits", 5}}), 100, two_sms_at_1000_mhz());
  std::map<std::string, double> values;
  for (const EnergyMetric& metric : energy_metrics(account)) values[metric.name] = metric.value;
  EXPECT_DOUBLE_EQ(values.at("energy"), 5 + 10 + 300);
  EXPECT_DOUBLE_EQ(values.at("energy_l1d") + values.at("energy_l2"), values.at("energy"));
  EXPECT_DOUBLE_EQ(values.at("energy_low"), 2.5 + 5 + 200);
  EXPECT_DOUBLE_EQ(values.at("energy_high"), 15 + 30 + 400);
  EXPECT_DOUBLE_EQ(values.at("energy_static_share"), 300.0 / 315);
}

}  // namespace
}  // namespace heddle
