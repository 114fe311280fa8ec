// The twin of WarpMan's dispatch checks and workload buffer: in step with the model and in its place.
#include <algorithm>

#include "sc_tests/top/rtl/rtl_fixture.h"

namespace heddle {
namespace {

using Words = std::vector<std::string>;

class WarpManTwinRun : public RtlProgram {
 protected:
  void SetUp() override {
    if (!has_tool("verilator")) GTEST_SKIP() << "verilator is not installed (make check installs it)";
    RtlProgram::SetUp();
  }
  /// Blocks of 8 warps of which 42 fit: the sixth starts in part.
  static Words fragments(const Words& more) {
    Words words{"matrix_multiply",
                "--config",
                "warpman",
                "--set",
                "core.resources.management=warp_temporal_spatial",
                "--set",
                "core.sms=2",
                "--twin",
                "workload_buffer"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// The run of the model alone: without the twin.
  static Words of_model(Words words) {
    const auto twin = std::find(words.begin(), words.end(), "--twin");
    words.erase(twin, twin + 2);
    words.insert(words.begin(), {"run", "--quiet"});
    return words;
  }
};

TEST_F(WarpManTwinRun, DecidesAsTheModelAtEveryEdge) {
  const ProgramOutcome run = run_with("lockstep", fragments({"--out", "run"}));
  ASSERT_EQ(run.code, 0) << run.err;
  const auto compared = nlohmann::json::parse(read("run/lockstep.json"));
  EXPECT_EQ(compared["twin"], "workload_buffer");
  EXPECT_EQ(compared["mismatch"], false);
  EXPECT_GT(compared["edges"], 20000) << "the run has to say something";
  const nlohmann::json dispatcher = stats("run").at("metrics").at("tb_dispatcher");
  EXPECT_GT(dispatcher.at("partial_tbs"), 10) << "blocks have to start in part";
  EXPECT_GT(compared["grants"], dispatcher.at("tbs_dispatched")) << "unissued warps have to issue";
}

TEST_F(WarpManTwinRun, GivesTheModelsStatisticsInItsPlace) {
  ASSERT_EQ(run_with("rtl", fragments({"--out", "rtl"})).code, 0);
  ASSERT_EQ(run(of_model(fragments({"--out", "model", "--set", "scheduler.timing=hardware"}))).code, 0);
  EXPECT_EQ(stats("rtl")["metrics"], stats("model")["metrics"]);
  EXPECT_EQ(stats("rtl")["instances"], stats("model")["instances"]);
}

// Several launches of other demands, one after the other; warps that end at different times.
TEST_F(WarpManTwinRun, FollowsKernelAfterKernel) {
  for (const char* const workload : {"srad", "long_warp"}) {
    const ProgramOutcome run =
        run_with("lockstep", {workload, "--config", "warpman", "--set",
                              "core.resources.management=warp_temporal_spatial", "--set", "core.sms=2",
                              "--twin", "workload_buffer", "--out", "run", "--max-cycles", "60000"});
    EXPECT_NE(run.code, 13) << run.err;
    const auto compared = nlohmann::json::parse(read("run/lockstep.json"));
    EXPECT_EQ(compared["mismatch"], false);
    EXPECT_GT(compared["edges"], 5000);
  }
}

TEST_F(WarpManTwinRun, SaysWhatDiffersAndLeavesTheCyclesBefore) {
  const std::string folder =
      mutated("dispatch/heddle_warp_man.sv", "WideWidth'(places) <= WideWidth'(behind)",
              "WideWidth'(places) < WideWidth'(behind)");
  const ProgramOutcome run = run_with("lockstep", fragments({"--out", "run", "--rtl-sources", folder}));
  EXPECT_EQ(run.code, 13) << run.err;
  EXPECT_NE(run.err.find(": the model has 0x"), std::string::npos) << run.err;
  EXPECT_NE(read("run/lockstep.vcd").find("model_buffer_i"), std::string::npos);
  EXPECT_EQ(stats("run")["status"], "partial");
}

TEST_F(WarpManTwinRun, RefusesWhatItDoesNotHave) {
  const std::vector<std::array<std::string, 2>> refused{
      {"core.resources.management=warp_temporal", "'workload_buffer' is of 'warp_temporal_spatial'"},
      {"core.resources.contention=threshold", "holds nothing back"},
      {"tb_dispatcher.mixed_sms=true", "TBs of one kernel"}};
  for (const auto& [setting, said] : refused) {
    const ProgramOutcome run = run_with("lockstep", fragments({"--set", setting, "--out", "refused"}));
    EXPECT_EQ(run.code, 3) << setting;
    EXPECT_NE(run.err.find(said), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(setting.substr(0, setting.find('='))), std::string::npos) << run.err;
  }
}

TEST_F(WarpManTwinRun, IsHandedOverWithItsVectors) {
  Words words =
      fragments({"--vectors", "3000", "--quiet", "--rtl-cache", cache(), "--no-synthesis", "--out", "out"});
  words.insert(words.begin(), "handover");
  const ProgramOutcome handed = run(words);
  ASSERT_EQ(handed.code, 0) << handed.err;
  fs::rename(folder_ / "out", folder_ / "bare");
  ASSERT_EQ(std::system(("make -C " + (folder_ / "bare").string() + " check lint >" +
                         (folder_ / "make.txt").string() + " 2>&1")
                            .c_str()),
            0)
      << read("make.txt");
  EXPECT_NE(read("make.txt").find("PASS: 3000 clock cycles"), std::string::npos) << read("make.txt");
}

TEST_F(WarpManTwinRun, HasTheModelsFlipFlopsAsANetlist) {
  if (!has_tool("yosys") || !has_tool("sta")) GTEST_SKIP() << "yosys and OpenSTA are not installed";
  const ProgramOutcome cost =
      run({"cost", "--config", "warpman", "--set", "core.resources.management=warp_temporal_spatial",
           "--twin", "workload_buffer", "--synthesize", "--format", "json"});
  ASSERT_EQ(cost.code, 0) << cost.err;
  const auto netlist = nlohmann::json::parse(cost.out).at("netlist");
  EXPECT_EQ(netlist.at("flip_flops"), netlist.at("model").at("flip_flops"));
  EXPECT_EQ(netlist.at("flip_flops"), 40 + 6 + 6 + 4 + 4);
  EXPECT_NEAR(netlist.at("nand2").get<double>() / netlist.at("model").at("nand2").get<double>(), 1, 0.2);
}

}  // namespace
}  // namespace heddle
