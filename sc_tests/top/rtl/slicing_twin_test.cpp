// The twin of the Simple Slicing predictor: in step with the model and in its place, on pairs of programs.
#include <algorithm>

#include "sc_tests/top/rtl/rtl_fixture.h"

namespace heddle {
namespace {

using Words = std::vector<std::string>;

class SlicingTwinRun : public RtlProgram {
 protected:
  void SetUp() override {
    if (!has_tool("verilator")) GTEST_SKIP() << "verilator is not installed (make check installs it)";
    RtlProgram::SetUp();
  }
  /// Two programs that share four SMs, the second one with several launches.
  static Words pair(const std::string& policy, const Words& more) {
    Words words{"vector_add",     "bfs",         "--param",    "nodes=1024", "--config",
                "srtf",           "--set",       "core.sms=4", "--set",      "tb_dispatcher.policy=" + policy,
                "--arrival",      "0",           "--arrival",  "500",        "--twin",
                "simple_slicing", "--scheduler", "gto"};
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

TEST_F(SlicingTwinRun, PredictsAsTheModelAtEveryEdge) {
  for (const char* const policy : {"srtf", "srtf_slice_unaware"}) {
    for (const char* const mixed : {"false", "true"}) {
      const ProgramOutcome run =
          run_with("lockstep",
                   pair(policy, {"--set", std::string("tb_dispatcher.mixed_sms=") + mixed, "--out", "run"}));
      ASSERT_EQ(run.code, 0) << run.err;
      const auto compared = nlohmann::json::parse(read("run/lockstep.json"));
      EXPECT_EQ(compared["twin"], "simple_slicing");
      EXPECT_EQ(compared["mismatch"], false);
      EXPECT_GT(compared["edges"], 20000) << "the run has to say something";
      EXPECT_GT(compared["grants"], 20) << "a kernel has to be chosen by what is predicted";
      const nlohmann::json predictor = stats("run").at("metrics").at(std::string("tb_dispatcher.") + policy);
      EXPECT_GT(predictor.at("predictions"), 20);
      EXPECT_GT(predictor.at("samples"), 0);
    }
  }
}

TEST_F(SlicingTwinRun, GivesTheModelsStatisticsInItsPlace) {
  ASSERT_EQ(run_with("rtl", pair("srtf", {"--out", "rtl"})).code, 0);
  ASSERT_EQ(run(of_model(pair("srtf", {"--out", "model", "--set", "scheduler.timing=hardware"}))).code, 0);
  EXPECT_EQ(stats("rtl")["metrics"], stats("model")["metrics"]);
  EXPECT_EQ(stats("rtl")["instances"], stats("model")["instances"]);
  // What is predicted takes time, so that it is another run than that of ideal timing.
  ASSERT_EQ(run(of_model(pair("srtf", {"--out", "ideal"}))).code, 0);
  EXPECT_NE(stats("ideal")["metrics"]["tb_dispatcher.srtf"], stats("model")["metrics"]["tb_dispatcher.srtf"]);
}

// Blocks that sleep, or are built in another order, change nothing of a run in which predictions take time.
TEST_F(SlicingTwinRun, TheModelInHardwareTimingDoesNotDependOnSleep) {
  const Words words = of_model(pair("srtf", {"--set", "scheduler.timing=hardware"}));
  const auto with = [&words](const Words& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  ASSERT_EQ(run(with({"--out", "sleeping"})).code, 0);
  ASSERT_EQ(run(with({"--out", "awake", "--no-sleep", "--reverse-construction"})).code, 0);
  EXPECT_EQ(stats("sleeping")["metrics"], stats("awake")["metrics"]);
  EXPECT_EQ(stats("sleeping")["instances"], stats("awake")["instances"]);
}

// One that takes the wrong kernel is found, with the cycles before it.
TEST_F(SlicingTwinRun, SaysWhatDiffersAndLeavesTheCyclesBefore) {
  const std::string folder =
      mutated("dispatch/heddle_simple_slicing.sv", ".valid_i(waiting_i & known_q)", ".valid_i(known_q)");
  const ProgramOutcome run = run_with("lockstep", pair("srtf", {"--out", "run", "--rtl-sources", folder}));
  EXPECT_EQ(run.code, 13) << run.err;
  EXPECT_NE(run.err.find("SM "), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("FirstWaits_A"), std::string::npos) << run.err;
  EXPECT_NE(read("run/lockstep.vcd").find("model_first_i"), std::string::npos);
  const std::string other =
      mutated("dispatch/heddle_simple_slicing.sv", ".a_i       (base_q),\n    .amount_i  (remaining),",
              ".a_i       (active),\n    .amount_i  (remaining),");
  const ProgramOutcome wrong = run_with("lockstep", pair("srtf", {"--out", "run", "--rtl-sources", other}));
  EXPECT_EQ(wrong.code, 13) << wrong.err;
  EXPECT_NE(wrong.err.find("pred_cycles_o: the model has 0x"), std::string::npos) << wrong.err;
  EXPECT_EQ(stats("run")["status"], "partial");
}

TEST_F(SlicingTwinRun, RefusesWhatItDoesNotHave) {
  const std::vector<std::array<std::string, 2>> refused{
      {"tb_dispatcher.policy=fifo", "'simple_slicing' is of 'srtf' and 'srtf_slice_unaware', found 'fifo'"},
      {"tb_dispatcher.max_kernels=1", "2 kernels or more"},
      {"core.tb_slots=16", "64 of them times TB slots at most"}};
  for (const auto& [setting, said] : refused) {
    const ProgramOutcome run = run_with("lockstep", pair("srtf", {"--set", setting, "--out", "refused"}));
    EXPECT_EQ(run.code, 3) << setting;
    EXPECT_NE(run.err.find(said), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(setting.substr(0, setting.find('='))), std::string::npos) << run.err;
  }
  EXPECT_EQ(run({"run", "vector_add", "--twin", "simple_slicing"}).code, 2) << "without --impl";
  const ProgramOutcome unknown =
      run_with("lockstep", {"vector_add", "--twin", "scoreboard", "--out", "refused"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_NE(unknown.err.find("there are: scheduler, simple_slicing, workload_buffer"), std::string::npos)
      << unknown.err;
}

TEST_F(SlicingTwinRun, IsHandedOverWithItsVectors) {
  const ProgramOutcome handed = run({"handover",  "bfs",
                                     "--param",   "nodes=1024",
                                     "--config",  "srtf",
                                     "--set",     "core.sms=4",
                                     "--set",     "tb_dispatcher.policy=srtf",
                                     "--twin",    "simple_slicing",
                                     "--vectors", "3000",
                                     "--quiet",   "--rtl-cache",
                                     cache(),     "--no-synthesis",
                                     "--out",     "out"});
  ASSERT_EQ(handed.code, 0) << handed.err;
  EXPECT_NE(read("out/twin.txt").find("module heddle_simple_slicing\n"), std::string::npos);
  fs::rename(folder_ / "out", folder_ / "bare");
  ASSERT_EQ(std::system(("make -C " + (folder_ / "bare").string() + " check lint >" +
                         (folder_ / "make.txt").string() + " 2>&1")
                            .c_str()),
            0)
      << read("make.txt");
  EXPECT_NE(read("make.txt").find("PASS: 3000 clock cycles"), std::string::npos) << read("make.txt");
}

TEST_F(SlicingTwinRun, HasTheModelsFlipFlopsAsANetlist) {
  if (!has_tool("yosys") || !has_tool("sta")) GTEST_SKIP() << "yosys and OpenSTA are not installed";
  const ProgramOutcome cost =
      run({"cost", "--config", "srtf", "--set", "tb_dispatcher.policy=srtf", "--set",
           "tb_dispatcher.max_kernels=3", "--twin", "simple_slicing", "--synthesize", "--format", "json"});
  ASSERT_EQ(cost.code, 0) << cost.err;
  const auto netlist = nlohmann::json::parse(cost.out).at("netlist");
  EXPECT_EQ(netlist.at("flip_flops"), netlist.at("model").at("flip_flops"));
  EXPECT_GT(netlist.at("flip_flops"), 500);
  EXPECT_NEAR(netlist.at("nand2").get<double>() / netlist.at("model").at("nand2").get<double>(), 1, 0.2);
  EXPECT_EQ(run({"cost", "--twin", "simple_slicing"}).code, 2) << "without --synthesize";
}

}  // namespace
}  // namespace heddle
