#include "top/batch/run_figures.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace heddle {
namespace {

/// A folder of results, in which cost.json says so many conflicts.
std::optional<RunFigures> figures_with(const std::string& bits, const std::string& conflicts) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("run_figures." + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "stats.json") << R"({"status": "complete", "metrics": [], "launches": []})";
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

}  // namespace
}  // namespace heddle
