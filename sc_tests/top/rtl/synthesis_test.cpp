// heddle cost --synthesize: the netlist of the configuration's twin beside the estimate.
#include <map>

#include "sc_tests/top/rtl/rtl_fixture.h"

namespace heddle {
namespace {

class Synthesis : public RtlProgram {
 protected:
  std::vector<std::string> cost(const std::string& scheduler, const std::vector<std::string>& more) {
    const Words twin = with(with(of_scheduler(scheduler), kEightWarps), kFewLoads);
    return with(with({"cost", "--synthesize"}, twin), more);
  }
};

class SynthesisOf : public Synthesis, public ::testing::WithParamInterface<const char*> {};

/// A scheduler at sizes at which registers never change, or never use their upper bits.
struct Unusual {
  const char* name;
  const char* scheduler;
  Words settings;
};
class SynthesisOfUnusual : public Synthesis, public ::testing::WithParamInterface<Unusual> {};

// Flip-flops are what a netlist can't have otherwise; the rest depends on the mapping, and is measured by
// make rtl-cost.
TEST_P(SynthesisOf, HasTheModelsFlipFlops) {
  if (!has_tool("yosys") || !has_tool("sta")) GTEST_SKIP() << "yosys and OpenSTA are not installed";
  const ProgramOutcome run = this->run(cost(GetParam(), {"--format", "json"}));
  ASSERT_EQ(run.code, 0) << run.err;
  const auto netlist = nlohmann::json::parse(run.out).at("netlist");
  EXPECT_EQ(netlist.at("flip_flops"), netlist.at("model").at("flip_flops"));
  EXPECT_GT(netlist.at("flip_flops"), 0);
  EXPECT_GT(netlist.at("nand2"), netlist.at("flip_flops_nand2"));
  EXPECT_GT(netlist.at("fo4"), 4);
  EXPECT_FALSE(netlist.at("from").get<std::string>().empty());
}

INSTANTIATE_TEST_SUITE_P(Schedulers, SynthesisOf,
                         ::testing::Values("lrr", "oldest", "gto", "two_level", "two_level_active",
                                           "least_issued", "ipaws", "swl", "oaws_static", "oaws_dynamic",
                                           "mascar", "ccws"),
                         [](const auto& scheduler) { return scheduler.param; });

TEST_P(SynthesisOfUnusual, HasTheModelsFlipFlops) {
  if (!has_tool("yosys") || !has_tool("sta")) GTEST_SKIP() << "yosys and OpenSTA are not installed";
  Words words{"--format", "json"};
  for (const std::string& setting : GetParam().settings) words.insert(words.end(), {"--set", setting});
  const ProgramOutcome run = this->run(cost(GetParam().scheduler, words));
  ASSERT_EQ(run.code, 0) << run.err;
  const auto netlist = nlohmann::json::parse(run.out).at("netlist");
  EXPECT_EQ(netlist.at("flip_flops"), netlist.at("model").at("flip_flops"));
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, SynthesisOfUnusual,
    ::testing::Values(
        Unusual{"GroupsOfOne", "two_level", {"scheduler.two_level.fetch_group_warps=1"}},
        Unusual{"LastGroupOfOne", "two_level", {"scheduler.two_level.fetch_group_warps=3"}},
        Unusual{"FewPredicted", "oaws_static", {"scheduler.oaws.miss_percent=25"}},
        Unusual{"UnequalOrders", "oaws_dynamic", {"core.schedulers=3", "scheduler.oaws.miss_percent=25"}},
        Unusual{"ComparatorsInPairs",
                "pro",
                {"core.schedulers=1", "scheduler.pro.tb_comparators=2", "scheduler.pro.warp_comparators=2"}},
        Unusual{"Tripled", "ccws", {"scheduler.ccws.k_throttle=3"}},
        Unusual{"TenTimes", "ccws", {"scheduler.ccws.k_throttle=10"}}),
    [](const auto& unusual) { return unusual.param.name; });

// Victim tags of three warps, in one piece and as a module that is there three times, its reset left out
// likewise.
TEST_F(Synthesis, CountsAModuleThatIsKeptAsOftenAsItIsThere) {
  if (!has_tool("yosys") || !has_tool("sta")) GTEST_SKIP() << "yosys and OpenSTA are not installed";
  const auto figures = [this](const std::string& keep) {
    const std::string command =
        "KEEP=" + keep + " " + sources() +
        "/synthesis/synthesise.sh heddle_ccws_tags 'NumWarps 3 LineWidth 8 Sets 2 Ways 2' >" +
        (folder_ / "figures.txt").string();
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::istringstream lines(read("figures.txt"));
    std::map<std::string, double> figures;
    std::string name;
    for (double figure = 0; lines >> name >> figure;) figures[name] = figure;
    return figures;
  };
  const auto whole = figures("");
  const auto kept = figures("heddle_table");
  ASSERT_GT(whole.at("flip_flops"), 3 * 2 * 2 * 7);  // a tag of 7 bits each
  EXPECT_EQ(kept.at("flip_flops"), whole.at("flip_flops"));
  EXPECT_EQ(kept.at("flip_flops_nand2"), whole.at("flip_flops_nand2"));
  EXPECT_NEAR(kept.at("nand2"), whole.at("nand2"), 0.1 * whole.at("nand2"));
  EXPECT_NEAR(kept.at("fo4"), whole.at("fo4"), 0.2 * whole.at("fo4"));
}

TEST_F(Synthesis, NamesThePackagesWhenItHasNoCells) {
  setenv("CELLS", "/nowhere/cells", 1);
  const ProgramOutcome run = this->run(cost("lrr", {}));
  unsetenv("CELLS");
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_NE(run.err.find("install the Debian packages yosys, opensta and qflow-tech-osu018"),
            std::string::npos)
      << run.err;
  EXPECT_EQ(run.out, "") << "half a report is none";
}

TEST_F(Synthesis, RefusesANameThatIsNotDeclared) {
  if (!has_tool("yosys") || !has_tool("sta")) GTEST_SKIP() << "yosys and OpenSTA are not installed";
  const std::string changed =
      mutated("schedulers/heddle_lrr.sv", "\nendmodule", "\nassign nowhere = ready_i[0];\nendmodule");
  const ProgramOutcome run = this->run(cost("lrr", {"--rtl-sources", changed}));
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_NE(run.err.find("`\\nowhere' is implicitly declared"), std::string::npos) << run.err;
  EXPECT_EQ(run.out, "") << "half a report is none";
}

TEST_F(Synthesis, IsLookedForBeforeAHandoverBegins) {
  setenv("CELLS", "/nowhere/cells", 1);
  const ProgramOutcome run = this->run({"handover", "histogram", "--scheduler", "lrr", "--out", "new"});
  unsetenv("CELLS");
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_NE(run.err.find("install the Debian packages yosys"), std::string::npos) << run.err;
  EXPECT_FALSE(fs::exists(folder_ / "new"));
}

TEST_F(Synthesis, RefusesASchedulerWithoutATwin) {
  const ProgramOutcome run = this->run(cost("ocw_throttling", {}));
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_NE(run.err.find("'ocw_throttling' has no SystemVerilog twin"), std::string::npos) << run.err;
}

TEST_F(Synthesis, SourcesAreOfWhatIsSynthesised) {
  const ProgramOutcome run = this->run({"cost", "--rtl-sources", "x"});
  EXPECT_EQ(run.code, 2) << run.err;
  EXPECT_NE(run.err.find("--synthesize"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace heddle
