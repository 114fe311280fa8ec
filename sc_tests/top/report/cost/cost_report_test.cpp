#include "top/report/cost/cost_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "top/config/technology_file.h"
#include "top/report/cost/scheduler_cost.h"
#include "top/support/project_files.h"

namespace heddle {
namespace {

hw::CostTable cost_of(const std::string& scheduler) {
  return scheduler_cost(load_config("", {"scheduler.name=" + scheduler}),
                        load_technology(ProjectFiles().technologies(), "scaled40"));
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(CostReport, LeadsWithAScreenful) {
  for (const char* scheduler : {"gto", "pro", "ipaws", "oaws_dynamic", "ccws"}) {
    const std::string text = cost_report(cost_of(scheduler), OutputFormat::kText, false);
    EXPECT_LE(lines_of(text), 21U) << text;
    EXPECT_EQ(text.find("Assumptions"), std::string::npos) << text;
  }
}

TEST(CostReport, NamesTheFiveLargestStructuresInTheirOrder) {
  const hw::CostTable table = cost_of("pro");
  const std::string text = cost_report(table, OutputFormat::kMarkdown, false);
  std::size_t before = 0;
  for (const char* name : {"warp_order", "warp_progress", "tb_order", "tb_progress", "warp_selector*"}) {
    const std::size_t place = text.find(std::string("| pro | ") + name + " |");
    ASSERT_NE(place, std::string::npos) << name << "\n" << text;
    EXPECT_GT(place, before) << name;
    before = place;
  }
  EXPECT_EQ(text.find("warps_finished"), std::string::npos) << text;
  EXPECT_NE(text.find("The 5 largest of 21 structures"), std::string::npos) << text;
}

TEST(CostReport, NamesTheLongestPathAndWhatItTakes) {
  const std::string text = cost_report(cost_of("pro"), OutputFormat::kMarkdown, false);
  EXPECT_NE(text.find("pro, from ready to passed over: 80.6 FO4, 4 cycles at a clock of 28 FO4"),
            std::string::npos)
      << text;
  // Three levels of a tree over eight TBs.
  EXPECT_NE(text.find("request 8.8, 3 x (comparator 2.5, key multiplexer 2.9), warps"), std::string::npos)
      << text;
}

TEST(CostReport, AllHasEveryStructureAndTheAssumptions) {
  const hw::CostTable table = cost_of("pro");
  const std::string text = cost_report(table, OutputFormat::kText, true);
  for (const hw::CostRow& row : table.rows) EXPECT_NE(text.find(row.name), std::string::npos) << row.name;
  EXPECT_NE(text.find("Technology scaled40"), std::string::npos);
}

TEST(CostReport, FormatsAgree) {
  const hw::CostTable table = cost_of("pro");
  const std::string markdown = cost_report(table, OutputFormat::kMarkdown, true);
  EXPECT_NE(markdown.find("| bits that the paper counts | 1920 (240 bytes) |  |"), std::string::npos)
      << markdown;
  const std::string csv = cost_report(table, OutputFormat::kCsv, false);
  std::istringstream lines(csv);
  std::string head;
  std::getline(lines, head);
  const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line); ++rows) EXPECT_EQ(commas(line), commas(head)) << line;
  EXPECT_EQ(rows, table.rows.size());
  const auto json = nlohmann::json::parse(cost_report(table, OutputFormat::kJson, false));
  EXPECT_EQ(json.at("structures").size(), table.rows.size());
}

}  // namespace
}  // namespace heddle
