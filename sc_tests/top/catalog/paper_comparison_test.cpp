// The papers' benchmarks beside the workloads that stand for them.
#include "top/catalog/paper_comparison.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "sc_tests/support/paths.h"

namespace heddle {
namespace {

using Names = std::vector<std::string>;

const GpuConfig& machine() {
  static const GpuConfig config;
  return config;
}

/// 100 TBs of 200 threads, 6 of which an SM holds, 20 registers a thread (24 as allocated), 1000 bytes
/// (1024).
PaperMatch ours() {
  PaperMatch match;
  match.exists = true;
  match.launch.grid = {10, 10, 1};
  match.launch.block = {200, 1, 1};
  match.launch.registers_per_thread = 20;
  match.launch.shared_bytes = 1000;
  match.launch.occupancy.tbs_per_sm = 6;
  match.launch.occupancy.demand.warps = 7;
  match.launch.occupancy.demand.registers_per_thread = 20;
  match.launch.occupancy.demand.shared_bytes = 1024;
  return match;
}

TEST(PaperMatch, NamesNoDifferenceWhereThePaperSaysNothing) {
  EXPECT_EQ(ours().differences(machine().core), Names());
}

TEST(PaperMatch, NamesEachFigureThatDiffers) {
  const auto differences = [](auto set) {
    PaperMatch match = ours();
    set(match.entry);
    return match.differences(machine().core);
  };
  EXPECT_EQ(differences([](PaperEntry& e) { e.tbs = 100; }), Names());
  EXPECT_EQ(differences([](PaperEntry& e) { e.tbs = 99; }), Names{"TBs"});
  EXPECT_EQ(differences([](PaperEntry& e) { e.threads_per_tb = 200; }), Names());
  EXPECT_EQ(differences([](PaperEntry& e) { e.threads_per_tb = 201; }), Names{"threads"});
  EXPECT_EQ(differences([](PaperEntry& e) { e.warps_per_tb = 7; }), Names());
  EXPECT_EQ(differences([](PaperEntry& e) { e.warps_per_tb = 6; }), Names{"threads"});
  EXPECT_EQ(differences([](PaperEntry& e) { e.resident_tbs = 6; }), Names());
  EXPECT_EQ(differences([](PaperEntry& e) { e.resident_tbs = 5; }), Names{"resident"});
  EXPECT_EQ(differences([](PaperEntry& e) { e.resident_warps = 42; }), Names());
  EXPECT_EQ(differences([](PaperEntry& e) { e.resident_warps = 43; }), Names{"resident"});
  EXPECT_EQ(differences([](PaperEntry& e) { e.shared_bytes = 900; }), Names());
  EXPECT_EQ(differences([](PaperEntry& e) { e.shared_bytes = 2000; }), Names{"shared memory"});
  // Per thread of whole warps, as the machine allocates them.
  const unsigned unit = machine().core.register_allocation_unit;
  EXPECT_EQ(differences([](PaperEntry& e) { e.warps_per_tb = 7, e.registers_per_tb = 7 * 32 * 20 - 5; }),
            Names());
  EXPECT_EQ(
      differences([&](PaperEntry& e) { e.warps_per_tb = 7, e.registers_per_tb = 7 * 32 * (20 + unit) + 1; }),
      Names{"registers"});
}

TEST(PaperMatch, OfAWorkloadThatIsMissingNamesNone) {
  PaperMatch match = ours();
  match.exists = false;
  match.entry.tbs = 1;
  EXPECT_EQ(match.differences(machine().core), Names());
}

/// Each entry's workload is there, and launches the kernel that stands for it.
TEST(PaperComparison, EveryEntryHasAWorkload) {
  std::set<std::string> missing;
  for (const PaperMatch& match : match_papers(ProjectFiles(test::source_dir()), machine())) {
    if (!match.exists) missing.insert(match.entry.workload);
  }
  EXPECT_EQ(missing, std::set<std::string>());
}

/// A figure that ours does not have is explained.
TEST(PaperComparison, EveryDifferenceHasANote) {
  for (const PaperMatch& match : match_papers(ProjectFiles(test::source_dir()), machine())) {
    const Names differences = match.differences(machine().core);
    EXPECT_TRUE(differences.empty() || !match.entry.note.empty())
        << match.entry.paper << ", " << match.entry.benchmark << ": " << differences.front();
  }
}

TEST(PaperComparison, TakesTheLaunchWithTheMostRounds) {
  WorkloadShape shape;
  const auto add = [&shape](const char* kernel, std::uint32_t tbs, double rounds) {
    LaunchShape launch;
    launch.kernel = kernel;
    launch.grid = {tbs, 1, 1};
    launch.tb_rounds = rounds;
    shape.launches.push_back(launch);
  };
  add("a", 10, 3);
  add("b", 30, 2);
  add("a", 20, 2.5);
  EXPECT_EQ(shape.main_launch().tbs(), 10U);
  EXPECT_EQ(shape.find("a")->tbs(), 20U);
  EXPECT_EQ(shape.find("b")->tbs(), 30U);
  EXPECT_EQ(shape.find("c"), nullptr);
}

}  // namespace
}  // namespace heddle
