#include "top/rtl/netlist_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sc_tests/support/swept_program.h"
#include "top/report/cost/cost_report.h"
#include "top/report/cost/scheduler_cost.h"

namespace heddle {
namespace {

hw::CostTable gto_cost() { return scheduler_cost(load_config("", {"scheduler.name=gto"}), std::nullopt); }

TwinNetlist netlist_of(double nand2) {
  TwinNetlist netlist;
  netlist.scheduler = "gto";
  netlist.module = "heddle_gto_sm";
  netlist.flip_flops = 612;
  netlist.nand2 = nand2;
  netlist.flip_flops_nand2 = 2448;
  netlist.fo4 = 30;
  netlist.from = "a_i[3]";
  netlist.to = "x.b_q";
  return netlist;
}

/// The line of a section that begins so, without what pads its cells.
std::string line_of(const std::string& section, const std::string& name) {
  std::istringstream in(section);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("| " + name + " |", 0) == 0) return line;
  }
  return "";
}

TEST(NetlistReport, HasTheModelsFiguresBesideTheNetlists) {
  const hw::CostTable table = gto_cost();
  const std::string section = netlist_section(table, netlist_of(8000), OutputFormat::kMarkdown);
  EXPECT_EQ(line_of(section, "flip-flops"), "| flip-flops | 612 | 612 | +0% |") << section;
  EXPECT_EQ(line_of(section, "of them storage"), "| of them storage | 2448 | 2448 | +0% |") << section;
  EXPECT_EQ(line_of(section, "cycles of it at a clock of 28 FO4"),
            "| cycles of it at a clock of 28 FO4 | 1 | 2 |  |")
      << section;
  EXPECT_NE(section.find("from a_i[3] to x.b_q"), std::string::npos) << section;
  EXPECT_EQ(table.totals.bits_per_sm, 612U);
}

// Each stage pays for its flip-flop, 4 of 28 FO4, as in the hardware's timing.
TEST(NetlistReport, CutsPathsIntoTheCyclesOfTheHardwaresTiming) {
  const hw::CostTable table = gto_cost();
  TwinNetlist netlist = netlist_of(8000);
  const auto cycles = [&](double fo4) {
    netlist.fo4 = fo4;
    return line_of(netlist_section(table, netlist, OutputFormat::kMarkdown),
                   "cycles of it at a clock of 28 FO4");
  };
  EXPECT_EQ(cycles(52), "| cycles of it at a clock of 28 FO4 | 1 | 2 |  |");
  EXPECT_EQ(cycles(52.1), "| cycles of it at a clock of 28 FO4 | 1 | 3 |  |");
}

// What registers cut is a stage at a time in the netlist.
TEST(NetlistReport, TakesTheLongestStageOfAPath) {
  hw::CostTable table = gto_cost();
  hw::CostPath stages{"gto", "in stages", {}, 0, 0, {}};
  stages.path.through("a", 20).held().through("b", hw::Depth{50, 36});  // of sized netlists, as this one is
  table.paths.push_back(stages);
  const std::string section = netlist_section(table, netlist_of(8000), OutputFormat::kMarkdown);
  EXPECT_EQ(line_of(section, "FO4 of the longest path"), "| FO4 of the longest path | 40.0 | 30.0 | +33% ! |")
      << section;
}

TEST(NetlistReport, MarksWhatIsMoreThanAFifthOff) {
  const hw::CostTable table = gto_cost();
  const double nand2 = table.totals.area_per_sm.total();
  const auto marked = [&](double netlist) {
    const std::string section = netlist_section(table, netlist_of(netlist), OutputFormat::kMarkdown);
    return line_of(section, "NAND2-equivalents").find('!') != std::string::npos;
  };
  EXPECT_FALSE(marked(nand2));
  EXPECT_FALSE(marked(nand2 / 1.199));
  EXPECT_TRUE(marked(nand2 / 1.201));
  EXPECT_FALSE(marked(nand2 / 0.801));
  EXPECT_TRUE(marked(nand2 / 0.799));
}

TEST(NetlistReport, MarksWhatTheNetlistHasNothingOf) {
  TwinNetlist netlist = netlist_of(8000);
  netlist.flip_flops = 0;
  hw::CostTable table = gto_cost();
  EXPECT_EQ(line_of(netlist_section(table, netlist, OutputFormat::kMarkdown), "flip-flops"),
            "| flip-flops | 612 | 0 | - ! |");
  table.rows.clear();
  EXPECT_EQ(line_of(netlist_section(table, netlist, OutputFormat::kMarkdown), "flip-flops"),
            "| flip-flops | 0 | 0 | - |");
}

TEST(NetlistReport, CountsAQualifierAndItsPrioritizer) {
  const hw::CostTable table = scheduler_cost(load_config("", {"scheduler.name=swl"}), std::nullopt);
  TwinNetlist netlist = netlist_of(8000);
  netlist.scheduler = "swl";
  netlist.flip_flops = table.totals.bits_per_sm;
  ASSERT_GT(netlist.flip_flops, 612U) << "gto's are among them";
  const std::string line = line_of(netlist_section(table, netlist, OutputFormat::kMarkdown), "flip-flops");
  EXPECT_NE(line.find("+0%"), std::string::npos) << line;
}

// The stages that a choice goes through stand around the schedulers.
TEST(NetlistReport, LeavesOutTheStagesOfAChoice) {
  const std::vector<std::string> timing{"scheduler.name=gto", "scheduler.timing=hardware"};
  const hw::CostTable whole = scheduler_cost(load_config("", timing), std::nullopt);
  const hw::CostTable staged =
      scheduler_cost(load_config("", {timing[0], timing[1], "scheduler.choice_cycles=3"}), std::nullopt);
  ASSERT_GT(staged.totals.bits_per_sm, whole.totals.bits_per_sm);
  EXPECT_EQ(netlist_section(staged, netlist_of(8000), OutputFormat::kText),
            netlist_section(whole, netlist_of(8000), OutputFormat::kText));
}

TEST(NetlistReport, LeavesOutWhatAnSmHasBesideItsSchedulers) {
  hw::CostTable table = gto_cost();
  hw::CostRow other = table.rows.front();
  other.block = "workload_buffer";
  table.rows.push_back(other);
  hw::CostRow of_gpu = table.rows.front();
  of_gpu.in_sm = false;
  table.rows.push_back(of_gpu);
  EXPECT_EQ(netlist_section(table, netlist_of(8000), OutputFormat::kText),
            netlist_section(gto_cost(), netlist_of(8000), OutputFormat::kText));
}

TEST(NetlistReport, IsAKeyOfJsonAndTwoLinesOfCsv) {
  const hw::CostTable table = gto_cost();
  const auto json = nlohmann::json::parse(with_netlist(cost_report(table, OutputFormat::kJson, false), table,
                                                       netlist_of(8000), OutputFormat::kJson));
  EXPECT_EQ(json.at("netlist").at("flip_flops"), 612);
  EXPECT_EQ(json.at("netlist").at("model").at("flip_flops"), 612);
  EXPECT_EQ(json.at("netlist").at("nand2"), 8000);
  EXPECT_EQ(json.at("netlist").at("cycles"), 2);
  EXPECT_EQ(json.at("netlist").at("model").at("cycles"), 1);
  EXPECT_TRUE(json.contains("structures")) << "what the report has stays";

  const std::string before = cost_report(table, OutputFormat::kCsv, false);
  const std::string csv = with_netlist(before, table, netlist_of(8000), OutputFormat::kCsv);
  ASSERT_EQ(csv.substr(0, before.size()), before);
  const auto rows = csv_rows(csv);
  ASSERT_EQ(rows.size(), csv_rows(before).size() + 2);
  const auto& model = rows.at(rows.size() - 2);
  const auto& netlist = rows.back();
  EXPECT_EQ(model.at("kind"), "model");
  EXPECT_EQ(netlist.at("kind"), "netlist");
  for (const auto& row : {model, netlist}) {
    EXPECT_EQ(row.at("block"), "netlist");
    EXPECT_EQ(row.at("structure"), "heddle_gto_sm");
    EXPECT_EQ(row.at("bits"), "612");
  }
  EXPECT_EQ(netlist.at("total_nand2"), "8000.0");
  EXPECT_EQ(netlist.at("cycles_per_operation"), "2");
  EXPECT_EQ(model.at("cycles_per_operation"), "1");
  EXPECT_NEAR(std::stod(model.at("total_nand2")), json.at("netlist").at("model").at("nand2"), 0.05);
  EXPECT_NEAR(std::stod(model.at("depth_fo4")), json.at("netlist").at("model").at("fo4"), 0.005);
}

}  // namespace
}  // namespace heddle
