#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "top/fidelity/measurement.h"
#include "top/fidelity/reference.h"
#include "top/fidelity/table.h"
#include "top/fidelity/targets.h"
#include "top/support/stats_file.h"

namespace heddle::fidelity {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kHeadings =
    "desc,sched,gpu_tot_sim_cycle,ipc_warp,l1d_miss_rate,l2_access,dram_reads,Stall,W0_Idle,W0_Scoreboard,W1_"
    "31,W32\n";

Row row(const std::string& kernel, const std::string& scheduler, double reference, double ours) {
  Row made;
  made.kernel = kernel;
  made.scheduler = scheduler;
  made.reference.cycles = reference;
  made.ours.cycles = ours;
  return made;
}

TEST(FidelityReference, ReadsRatesAndShares) {
  std::istringstream csv(
      std::string(kHeadings) +
      "poly,two_level,200,0.5,0.25,40,10,20,30,40,5,5\n");  // 100 scheduler cycles of 15 SMs with 2 each
  const std::vector<Row> rows = read_reference(csv);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].kernel, "poly");
  EXPECT_EQ(rows[0].scheduler, "two_level_active");
  const Figures& figures = rows[0].reference;
  EXPECT_EQ(figures.cycles, 200);
  EXPECT_NEAR(figures.active_cycles, 100.0 / 30, 1e-12);
  EXPECT_EQ(figures.ipc, 0.5);
  EXPECT_EQ(figures.l1d_miss, 0.25);
  EXPECT_EQ(figures.l2_miss, 0.25);
  EXPECT_EQ(figures.pipeline, 0.2);
  EXPECT_EQ(figures.idle, 0.3);
  EXPECT_EQ(figures.scoreboard, 0.4);
  EXPECT_EQ(figures.issued, 0.1);
}

TEST(FidelityReference, RefusesMissingColumnsAndWords) {
  std::istringstream missing("desc,sched\npoly,gto\n");
  EXPECT_THROW(read_reference(missing), std::runtime_error);
  std::istringstream word(std::string(kHeadings) + "poly,gto,many,0.5,0.25,40,10,20,30,40,5,5\n");
  EXPECT_THROW(read_reference(word), std::runtime_error);
}

/// What 4 SMs with 2 schedulers each counted in 100 cycles, in half of which they had a TB.
nlohmann::json stats_of_100_cycles(const std::map<std::string, double>& more) {
  nlohmann::json stats;
  stats["config"]["values"]["core.schedulers"] = 2;
  stats["config"]["values"]["core.sms"] = 4;
  std::map<std::string, double> values = {{"cycles", 100},
                                          {"ipc_warp", 0.2},
                                          {"sm.active_cycles", 50},
                                          {"sm.scheduler.cycles", 200},
                                          {"sm.scheduler.idle", 130},
                                          {"sm.scheduler.scoreboard", 40},
                                          {"sm.scheduler.pipeline", 10},
                                          {"sm.scheduler.issued", 20},
                                          {"sm.l1d.loads", 60},
                                          {"sm.l1d.misses", 15},
                                          {"sm.l1d.stores", 40},
                                          {"sm.l1d.store_hits", 5},
                                          {"partition.slice.sectors", 8},
                                          {"partition.slice.fetched_sectors", 2}};
  values.insert(more.begin(), more.end());
  for (const auto& [full_name, value] : values) {
    const MetricName name(full_name);
    nlohmann::json& metrics = stats["metrics"];
    (name.scope.empty() ? metrics : metrics[name.scope])[name.name] = value;
  }
  stats["metrics"]["undefined"] = nullptr;
  return stats;
}

TEST(FidelityMeasurement, LeavesCyclesWithoutThreadBlockOut) {
  const Figures figures = figures_of(stats_of_100_cycles({}));
  EXPECT_EQ(figures.cycles, 100);
  EXPECT_EQ(figures.active_cycles, 12.5);
  EXPECT_EQ(figures.idle, 0.3);
  EXPECT_EQ(figures.scoreboard, 0.4);
  EXPECT_EQ(figures.pipeline, 0.1);
  EXPECT_EQ(figures.issued, 0.2);
  EXPECT_EQ(figures.l1d_miss, 0.5);
  EXPECT_EQ(figures.l2_miss, 0.25);
}

TEST(FidelityMeasurement, SharesOfASchedulerWithAnActiveSetAreThoseOfItsWarps) {
  const Figures figures = figures_of(stats_of_100_cycles({{"sm.scheduler.active_set.idle", 145},
                                                          {"sm.scheduler.active_set.scoreboard", 30},
                                                          {"sm.scheduler.active_set.pipeline", 5}}));
  EXPECT_EQ(figures.idle, 0.45);
  EXPECT_EQ(figures.scoreboard, 0.3);
  EXPECT_EQ(figures.pipeline, 0.05);
  EXPECT_EQ(figures.issued, 0.2);
}

TEST(FidelityMeasurement, FailedRunIsAnError) {
  EXPECT_THROW(Measurement("/bin/false", "gtx480").run("poly.yaml", "", "gto"), std::runtime_error);
  EXPECT_THROW(Measurement("/nonexistent", "gtx480").run("poly.yaml", "", "gto"), std::runtime_error);
}

TEST(FidelityMeasurement, RunsWithItsSizeAndSettings) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("heddle-fidelity-test-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "stats.json") << stats_of_100_cycles({});
  const std::filesystem::path program = folder / "heddle";
  // Keeps its arguments and leaves the statistics where --out says.
  std::ofstream(program) << "#!/bin/sh\n"
                         << "echo \"$*\" > " << (folder / "arguments").string() << "\n"
                         << "while [ \"$1\" != --out ]; do shift; done\n"
                         << "mkdir \"$2\" && cp " << (folder / "stats.json").string() << " \"$2\"\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const Measurement measurement(program.string(), "gtx480", {"l2.banks=2", "texture.lanes_per_cycle=32"});
  EXPECT_EQ(measurement.run("poly.yaml", "large", "lrr").cycles, 100);
  std::string arguments;
  std::getline(std::ifstream(folder / "arguments"), arguments);
  EXPECT_THAT(arguments, AllOf(HasSubstr("run poly.yaml --config gtx480 --scheduler lrr"),
                               HasSubstr("--size large --set l2.banks=2 --set texture.lanes_per_cycle=32")));
  std::filesystem::remove_all(folder);
}

TEST(FidelityTargets, ErrorIsTheSameBothWays) {
  EXPECT_NEAR(error_of(100, 125), 0.25, 1e-12);
  EXPECT_NEAR(error_of(125, 100), 0.25, 1e-12);
  EXPECT_NEAR(mean_error({row("a", "gto", 100, 121), row("b", "gto", 100, 100)}), 0.1, 1e-12);
  EXPECT_NEAR(mean_error({row("a", "gto", 100, 110), row("b", "gto", 110, 100)}), 0.1, 1e-12);
}

TEST(FidelityTargets, RowsAndMean) {
  const auto among_equals = [](Row first) {
    std::vector<Row> rows{std::move(first)};
    for (const char* other : {"b", "c", "d", "e", "f", "g", "h", "i", "j"})
      rows.push_back(row(other, "gto", 100, 100));
    return rows;
  };
  EXPECT_THAT(judge(among_equals(row("a", "gto", 1000, 1079))).misses, IsEmpty());
  EXPECT_THAT(judge(among_equals(row("a", "gto", 1000, 1081))).misses,
              ElementsAre(HasSubstr("a under gto: 8.1% is more than 8%")));
  EXPECT_THAT(judge({row("a", "gto", 1000, 1024)}).misses, IsEmpty());
  EXPECT_THAT(judge({row("a", "gto", 1000, 1026)}).misses,
              ElementsAre(HasSubstr("geometric mean: 2.6% is more than 2.5%")));
}

TEST(FidelityTargets, RowsThatSingleCyclesDecideHaveALimitOfTheirOwn) {
  const auto misses = [](const char* kernel, const char* scheduler, unsigned ours) {
    std::vector<Row> rows(40, row("other", "gto", 100, 100));
    rows.push_back(row(kernel, scheduler, ours, 1000));
    return judge(rows).misses;
  };
  EXPECT_THAT(misses("mvt", "gto", 1199), IsEmpty());
  EXPECT_THAT(misses("mvt", "gto", 1201), ElementsAre(HasSubstr("20.1% is more than 20%")));
  EXPECT_THAT(misses("mvt", "two_level_active", 1081), ElementsAre(HasSubstr("8.1% is more than 8%")));
}

TEST(FidelityTargets, EveryStallShareWithinFivePoints) {
  Row within = row("a", "gto", 100, 100);
  within.reference.idle = 0.300;
  within.ours.idle = 0.349;
  within.reference.scoreboard = 0.500;
  within.ours.scoreboard = 0.451;
  EXPECT_THAT(judge({within}).misses, IsEmpty());
  for (double Figures::*share : {&Figures::idle, &Figures::scoreboard, &Figures::pipeline}) {
    Row beyond = row("a", "gto", 100, 100);
    beyond.ours.*share = 0.051;
    EXPECT_EQ(judge({beyond}).misses.size(), 1U);
    std::swap(beyond.ours, beyond.reference);
    beyond.ours.cycles = beyond.reference.cycles = 100;
    EXPECT_EQ(judge({beyond}).misses.size(), 1U);
  }
}

TEST(FidelityTargets, RankingCountsFromThreePercent) {
  const Verdict near = judge({row("a", "gto", 1000, 1000), row("a", "lrr", 1029, 990)});
  EXPECT_EQ(near.pairs, 0U);
  EXPECT_THAT(near.misses, IsEmpty());
  const Verdict far = judge({row("a", "gto", 1000, 1000), row("a", "lrr", 1031, 990)});
  EXPECT_EQ(far.pairs, 1U);
  EXPECT_THAT(far.misses, ElementsAre(HasSubstr("gto should be faster than lrr")));
  EXPECT_THAT(judge({row("a", "lrr", 1031, 1001), row("a", "gto", 1000, 1000)}).misses, IsEmpty());
  EXPECT_EQ(judge({row("a", "gto", 1000, 1000), row("b", "lrr", 2000, 2000)}).pairs, 0U);
}

TEST(FidelityTable, MarkdownAndText) {
  Table table({"kernel", "x"});
  table.add({"a", "12"});
  EXPECT_EQ(table.markdown(), "| kernel | x |\n| --- | --- |\n| a | 12 |\n");
  EXPECT_EQ(table.text(), "kernel  x\na       12\n");
}

}  // namespace
}  // namespace heddle::fidelity
