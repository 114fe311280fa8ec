#include "top/report/cost/scheduler_cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hw/reports/cost_json.h"
#include "sc_tests/support/paths.h"
#include "sc_tests/top/report/priced_policy.h"
#include "top/commands/commands.h"
#include "top/config/technology_file.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"
#include "top/report/cost/cost_report.h"
#include "top/support/project_files.h"
#include "workloads/description/workload_loader.h"

namespace heddle {
namespace {

const std::string kTechnologies = test::source_dir() + "/configs/technology/estimates.yaml";

class SchedulerCost : public ::testing::Test {
 protected:
  SchedulerCost() { testing::register_priced(); }

  static LoadedConfig config(std::vector<std::string> assignments = {}) {
    assignments.emplace_back("scheduler.name=priced");
    return load_config("", assignments);
  }
  static const hw::CostRow& row(const hw::CostTable& table, const std::string& name) {
    for (const hw::CostRow& candidate : table.rows) {
      if (candidate.name == name) return candidate;
    }
    throw std::runtime_error("no row " + name);
  }
};

TEST_F(SchedulerCost, TheWorkloadBufferHasThe40BitsOfWarpMan) {
  std::uint64_t papers = 0;
  const auto bits = [&papers](const std::vector<std::string>& assignments) {
    std::uint64_t sum = 0;
    papers = 0;
    for (const hw::CostRow& row :
         scheduler_cost(load_config(ProjectFiles().config("warpman"), assignments), std::nullopt).rows) {
      if (row.block != "lrr") sum += row.bits;
      if (row.block != "lrr") papers += row.paper_bits;
    }
    return sum;
  };
  EXPECT_EQ(bits({}), 0U);
  EXPECT_EQ(bits({"core.resources.management=warp_temporal_spatial"}), 40U + 20)
      << "with the dispatch checks";
  EXPECT_EQ(papers, 40U);
  // A counter of up to 48 warps more.
  EXPECT_EQ(bits({"core.resources.management=warp_temporal_spatial", "core.resources.contention=threshold"}),
            46U + 20);
}

TEST_F(SchedulerCost, OneSmIsBuiltAndStandsForAll) {
  const hw::CostTable table = scheduler_cost(config({"core.sms=7"}), std::nullopt);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(row(table, "warp_issues").bits, 48U * 16);
  EXPECT_EQ(row(table, "warp_issues").instances_per_gpu, 7U);
  EXPECT_EQ(row(table, "last").block, "scheduler*/priced");
  EXPECT_EQ(row(table, "last").instances, 2U);  // one per scheduler
  EXPECT_EQ(table.totals.bits_per_sm, 48U * 16 + 2 * 6);
  EXPECT_EQ(table.totals.bits_per_gpu, 7 * table.totals.bits_per_sm);
  EXPECT_EQ(table.totals.paper_bits_per_sm, 48U * 16);
}

TEST_F(SchedulerCost, SharesAreOfTheConfiguredRegisterFileAndL1d) {
  const hw::CostTable table =
      scheduler_cost(config({"core.registers=1024", "l1d.cache.ways=8", "l1d.cache.sets=16"}), std::nullopt);
  EXPECT_DOUBLE_EQ(row(table, "warp_issues").register_file_share, 48.0 * 16 / (1024 * 32));
  EXPECT_DOUBLE_EQ(row(table, "warp_issues").l1d_share, 48.0 * 16 / (16 * 8 * 128 * 8));
}

TEST_F(SchedulerCost, OperationsTakeCyclesInHardwareTimingOnly) {
  EXPECT_EQ(row(scheduler_cost(config(), std::nullopt), "warp_issues").structure.cycles_per_operation, 0U);
  const hw::CostTable table = scheduler_cost(config({"scheduler.timing=hardware"}), std::nullopt);
  EXPECT_GE(row(table, "warp_issues").structure.cycles_per_operation, 1U);
  EXPECT_EQ(table.context.about[1], (std::pair<std::string, std::string>{"timing", "hardware"}));
}

TEST_F(SchedulerCost, WhatSaysThatItNeedsNoHardwareCostsNothing) {
  testing::register_bare();
  const hw::CostTable table =
      scheduler_cost(load_config("", {"scheduler.name=free"}), load_technology(kTechnologies, "scaled40"));
  EXPECT_TRUE(table.rows.empty());
  EXPECT_TRUE(table.context.unpriced.empty());
  EXPECT_EQ(table.totals.bits_per_sm, 0U);
  const std::string text = cost_report(table, OutputFormat::kMarkdown, true);
  EXPECT_NE(text.find("There are no parts: it costs nothing."), std::string::npos);
  EXPECT_NE(text.find("\n| bits | 0 | 0 |\n"), std::string::npos) << text;
}

TEST_F(SchedulerCost, APolicyWithoutPartsIsUnpricedInEveryFormat) {
  testing::register_bare();
  const hw::CostTable table = scheduler_cost(load_config("", {"scheduler.name=bare"}), std::nullopt);
  EXPECT_EQ(table.context.unpriced, std::vector<std::string>{"bare"});
  const std::string text = cost_report(table, OutputFormat::kMarkdown, true);
  EXPECT_NE(text.find("\n- unpriced: bare (built of no parts from hw/: what it costs is not known)\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n| bits | unpriced | unpriced |\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n| NAND2-equivalents | unpriced | unpriced |\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("| 0 |"), std::string::npos) << text;

  const auto json = nlohmann::json::parse(hw::cost_json(table));
  EXPECT_EQ(json.at("unpriced"), nlohmann::json({"bare"}));
  for (const auto& [name, total] : json.at("totals").items()) EXPECT_TRUE(total.is_null()) << name;

  const std::string csv = cost_report(table, OutputFormat::kCsv, false);
  const std::string head = csv.substr(0, csv.find('\n'));
  const std::string row = csv.substr(head.size() + 1);
  EXPECT_EQ(row.rfind("bare,,unpriced,", 0), 0U) << row;
  EXPECT_EQ(std::count(row.begin(), row.end(), ','), std::count(head.begin(), head.end(), ','));
}

TEST_F(SchedulerCost, OneUnpricedHalfLeavesTheTotalsIncomplete) {
  testing::register_bare();
  const hw::CostTable table =
      scheduler_cost(load_config("", {"scheduler.name=bare_qualifier+lrr"}), std::nullopt);
  EXPECT_EQ(table.context.unpriced, std::vector<std::string>{"bare_qualifier"});
  EXPECT_NE(
      cost_report(table, OutputFormat::kMarkdown, true).find("\n| bits | 10 + unpriced | 150 + unpriced |\n"),
      std::string::npos)
      << cost_report(table, OutputFormat::kMarkdown, true);
  const hw::CostTable both =
      scheduler_cost(load_config("", {"scheduler.name=bare_qualifier+bare"}), std::nullopt);
  EXPECT_EQ(both.context.unpriced, (std::vector<std::string>{"bare_qualifier", "bare"}));
}

// The parts of the schedulers inside an adaptive one are not its own, nor its parts theirs.
TEST_F(SchedulerCost, AnUnpricedSchedulerInsideAnAdaptiveOneIsNamed) {
  testing::register_bare();
  const hw::CostTable table =
      scheduler_cost(load_config("", {"scheduler.name=ipaws", "scheduler.ipaws.fair=bare"}), std::nullopt);
  EXPECT_EQ(table.context.unpriced, std::vector<std::string>{"bare"});
}

TEST_F(SchedulerCost, EverySchedulerOfTheLibraryIsPriced) {
  const auto unpriced = [](const std::string& name) {
    return scheduler_cost(load_config("", {"scheduler.name=" + name}), std::nullopt).context.unpriced;
  };
  const auto of_tests = [](const std::string& description) {
    return description.find("test") != std::string::npos;
  };
  unsigned priced = 0;
  for (const PrioritizerEntry* entry : prioritizers()) {
    if (of_tests(entry->description)) continue;
    EXPECT_TRUE(unpriced(entry->name).empty()) << entry->name;
    ++priced;
  }
  for (const QualifierEntry* entry : qualifiers()) {
    if (of_tests(entry->description)) continue;
    EXPECT_TRUE(unpriced(std::string(entry->name) + "+lrr").empty()) << entry->name;
    ++priced;
  }
  EXPECT_EQ(priced, 17U);
}

TEST_F(SchedulerCost, TheCommandSaysThatASchedulerIsUnpricedByItsExitCode) {
  testing::register_bare();
  const auto code_of = [](const std::string& scheduler) {
    CostOptions options;
    options.scheduler = scheduler;
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    const ExitCode code = cost_command(options);
    ::testing::internal::GetCapturedStdout();
    return std::pair(code, ::testing::internal::GetCapturedStderr());
  };
  const auto [code, message] = code_of("bare");
  EXPECT_EQ(code, ExitCode::kUnpriced);
  EXPECT_EQ(message, "heddle cost: unpriced: bare: built of no parts, so that nothing says what it costs\n");
  EXPECT_EQ(code_of("gto"), std::pair(ExitCode::kOk, std::string()));
}

// Two schedulers of 24 warps each: numbers of 5 bits, an age matrix of 24 x 23 / 2 pairs and who is present.
TEST_F(SchedulerCost, ThePlainSchedulersAreBuiltOfPartsToo) {
  constexpr std::uint64_t kMatrix = 24 * 23 / 2 + 24;
  const auto bits = [](const std::string& scheduler, const std::string& assignment = "core.sms=1") {
    return scheduler_cost(load_config("", {"scheduler.name=" + scheduler, assignment}), std::nullopt)
        .totals.bits_per_sm;
  };
  EXPECT_EQ(bits("lrr"), 2U * 5);
  EXPECT_EQ(bits("oldest"), 2 * kMatrix);
  EXPECT_EQ(bits("gto"), 2 * (kMatrix + 5 + 1));     // the last one, and whether it runs
  EXPECT_EQ(bits("two_level"), 2U * (3 * 3 + 2));    // three groups of eight
  EXPECT_EQ(bits("two_level_active"), 4 * kMatrix);  // active and queue
  EXPECT_EQ(bits("two_level_active", "scheduler.two_level_active.long_wait=until_data"),
            2 * (24 + kMatrix + 5));  // who is active, queue, whose turn it is
  EXPECT_EQ(bits("mascar") - bits("mascar+lrr"), bits("gto") - bits("lrr"));
}

TEST_F(SchedulerCost, ThePapersTotalsStandBesideWhatTheyLeaveOut) {
  struct Case {
    const char* config;
    const char* scheduler;
    double paper_bytes;
    std::vector<std::string> assignments;
  };
  const std::vector<Case> cases{
      {"pro", "pro", 240, {}},
      {"ipaws", "ipaws", 384, {}},
      {"ipaws", "ipaws", 64, {"scheduler.ipaws.counters=tb", "scheduler.ipaws.recover=false"}},
      {"oaws", "oaws_dynamic", 348, {}},
      {"oaws", "oaws_dynamic+adapt_local", 348, {}}};
  for (const Case& one : cases) {
    for (const std::string timing : {"ideal", "hardware"}) {
      std::vector<std::string> assignments = one.assignments;
      assignments.push_back("scheduler.name=" + std::string(one.scheduler));
      assignments.push_back("scheduler.timing=" + timing);
      const hw::CostTable table =
          scheduler_cost(load_config(ProjectFiles().config(one.config), assignments), std::nullopt);
      EXPECT_DOUBLE_EQ(static_cast<double>(table.totals.paper_bits_per_sm) / 8, one.paper_bytes)
          << one.scheduler;
      for (const hw::CostRow& row : table.rows) {
        const bool left_out = row.paper_bits == 0 && row.bits_per_gpu != 0 && row.block != "adapt_local";
        EXPECT_EQ(left_out, !row.note.empty()) << one.scheduler << ": " << row.block << '/' << row.name;
      }
    }
  }
}

TEST_F(SchedulerCost, LeftOutStorageIsShownWithItsReason) {
  const hw::CostTable table =
      scheduler_cost(load_config(ProjectFiles().config("pro"), {"scheduler.name=pro"}), std::nullopt);
  const std::string text = cost_report(table, OutputFormat::kMarkdown, true);
  EXPECT_NE(text.find("## Storage beside the 240 bytes that the paper counts"), std::string::npos);
  EXPECT_NE(text.find("| pro | sort_due | 7 | 98 | the timer of THRESHOLD"), std::string::npos) << text;
  const auto json = nlohmann::json::parse(hw::cost_json(table));
  for (const auto& row : json.at("structures")) {
    EXPECT_EQ(row.contains("not_in_the_paper"), row.at("paper_bits") == 0 && row.at("bits") != 0) << row;
  }
  // Nothing to be compared with: nothing is left out.
  EXPECT_EQ(cost_report(scheduler_cost(load_config("", {"scheduler.name=mascar"}), std::nullopt),
                        OutputFormat::kMarkdown, true)
                .find("that the paper counts\n\n"),
            std::string::npos);
}

// OAWS 5: "a 6-bit Warp ID field in the tag of cache block"; iPAWS 5.3: "warp and core IDs for each cache
// line of both L1 and L2".
TEST_F(SchedulerCost, WhoNeedsTheWarpOfALinePaysForIt) {
  const auto bits_of = [](const std::string& scheduler, const std::string& block) {
    const hw::CostTable table =
        scheduler_cost(load_config(ProjectFiles().config("ipaws"),
                                   {"scheduler.name=ipaws", "scheduler.ipaws.greedy=" + scheduler}),
                       std::nullopt);
    std::uint64_t bits = 0;
    for (const hw::CostRow& row : table.rows) {
      if (row.name == "line_owner" && row.block == block) bits += row.bits_per_gpu;
    }
    return bits;
  };
  EXPECT_EQ(bits_of("gto", "l1d"), 0U);
  EXPECT_EQ(bits_of("swl+gto", "l1d"), 0U);
  EXPECT_EQ(bits_of("ccws+gto", "l1d"), 15U * 256 * 6);  // 15 SMs, 32 KB in lines of 128 bytes
  EXPECT_EQ(bits_of("ccws+gto", "l2_slice*"), 0U);

  const hw::CostTable table = scheduler_cost(
      load_config(ProjectFiles().config("ipaws"), {"scheduler.name=ccws+adapt_local"}), std::nullopt);
  std::uint64_t l1d = 0;
  std::uint64_t l2 = 0;
  for (const hw::CostRow& row : table.rows) {
    if (row.name == "line_owner") (row.block == "l1d" ? l1d : l2) += row.bits_per_gpu;
  }
  EXPECT_EQ(l1d, 15U * 256 * 6);                   // once for both
  EXPECT_EQ(l2, 6U * 128 * 1024 / 128 * (6 + 4));  // 6 x 128 KB; a warp of 48, an SM of 15
}

TEST_F(SchedulerCost, ARunAddsWhatThePartsDid) {
  const LoadedConfig loaded = config({"core.sms=2"});
  const std::unique_ptr<Gpu> gpu = build_gpu(loaded);
  const Workload workload = load_workload(ProjectFiles(test::source_dir()).workload("vector_add"));
  HostProgram program(workload, {{"n", 2048}});
  Host host("host", *gpu, program, {});
  const RunResult result = host.run();
  ASSERT_EQ(result.end, RunEnd::kComplete);

  const hw::Technology technology = load_technology(kTechnologies, "osu018");
  const hw::CostTable table = run_cost(*gpu, technology, result.cycles);
  const hw::CostRow& counters = row(table, "warp_issues");
  EXPECT_EQ(counters.instances_per_gpu, 2U);
  EXPECT_EQ(counters.activity.adds, gpu->warp_instructions());                  // of both SMs
  const double accesses = 3.0 * static_cast<double>(gpu->warp_instructions());  // read, add, write
  EXPECT_DOUBLE_EQ(counters.accesses_per_kilocycle, 1000 * accesses / static_cast<double>(result.cycles) / 2);
  ASSERT_TRUE(counters.energy_fj && counters.run_energy_nj);
  EXPECT_DOUBLE_EQ(counters.run_energy_nj->value, counters.energy_fj->value * accesses / 1e6);
  EXPECT_LT(counters.run_energy_nj->low, counters.run_energy_nj->value);

  // Structures cost the same whether they ran or not.
  const hw::CostTable alone = scheduler_cost(loaded, technology);
  EXPECT_EQ(alone.totals.bits_per_gpu, table.totals.bits_per_gpu);
  EXPECT_DOUBLE_EQ(alone.totals.nand2_per_gpu, table.totals.nand2_per_gpu);
  EXPECT_FALSE(alone.totals.run_energy_nj.has_value());

  const auto json = nlohmann::json::parse(hw::cost_json(table));
  EXPECT_EQ(json.at("scheduler"), "priced");
  EXPECT_EQ(json.at("run_cycles"), result.cycles);
  EXPECT_EQ(json.at("structures").at(0).at("activity").at("adds"), gpu->warp_instructions());
}

}  // namespace
}  // namespace heddle
