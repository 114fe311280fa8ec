#include "top/batch/run_figures.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace heddle {
namespace {

constexpr const char* kStats =
    R"({"format": 2, "status": "complete", "metrics": {}, "definitions": {}, "launches": []})";

/// A folder of results, in which cost.json says so many conflicts.
std::optional<RunFigures> figures_with(const std::string& bits, const std::string& conflicts,
                                       const std::string& stats = kStats) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("run_figures." + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "stats.json") << stats;
  std::ofstream(folder / "cost.json")
      << R"({"totals": {"bits_per_sm": )" << bits << R"(, "nand2_per_sm": {"total": 2}}, "structures":
        [{"block": "b", "structure": "s", "activity": {"port_conflicts": )"
      << conflicts << "}}]}";
  const std::optional<RunFigures> figures = read_run_figures(folder.string());
  fs::remove_all(folder);
  return figures;
}

TEST(RunFigures, CountsAreWholeNumbers) {
  const std::optional<RunFigures> figures = figures_with("240", "3");
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->bits_per_sm, 240U);
  ASSERT_EQ(figures->conflicts.size(), 1U);
  EXPECT_EQ(figures->conflicts[0].conflicts, 3U);
  for (const char* const wrong : {"1e300", "-1", "1.5", "true", "null"}) {
    EXPECT_FALSE(figures_with("240", wrong)) << wrong;
    EXPECT_FALSE(figures_with(wrong, "3")) << wrong;
  }
}

// A share of nothing is null in stats.json; of what has no definition the unit is not known.
TEST(RunFigures, HaveTheMetricsOfTheRunWithTheirUnits) {
  const std::optional<RunFigures> figures = figures_with("240", "3", R"({"format": 2, "status": "partial",
      "metrics": {"cycles": 7, "l1d_hit_rate": null, "sm.l1d": {"hits": 5}},
      "definitions": {"cycles": ["cycles", "count", "core cycles"], "sm.l1d": {"hits": ["accesses", "count", "x"]}},
      "launches": []})");
  ASSERT_TRUE(figures);
  EXPECT_FALSE(figures->complete);
  EXPECT_EQ(figures->value("cycles"), 7);
  EXPECT_EQ(figures->value("sm.l1d.hits"), 5);
  EXPECT_EQ(figures->metrics.at("sm.l1d.hits").unit, "accesses");
  EXPECT_EQ(figures->metrics.count("l1d_hit_rate"), 1U);
  EXPECT_FALSE(figures->value("l1d_hit_rate"));
}

TEST(RunFigures, AreNotThereOfAnotherForm) {
  EXPECT_TRUE(figures_with("240", "3"));
  EXPECT_FALSE(
      figures_with("240", "3", R"({"format": 1, "status": "complete", "metrics": [], "launches": []})"));
  EXPECT_FALSE(
      figures_with("240", "3", R"({"format": 3, "status": "complete", "metrics": {}, "definitions": {},
                                           "launches": []})"));
}

}  // namespace
}  // namespace heddle
