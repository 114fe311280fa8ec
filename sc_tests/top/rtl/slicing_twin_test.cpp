// The twin of the Simple Slicing predictor: in step with the model and in its place, on pairs of programs.
#include "sc_tests/top/rtl/dispatch_twin_fixture.h"

namespace heddle {
namespace {

class SlicingTwinRun : public DispatchTwinRun {
 protected:
  /// Of SRTF's machine.
  static Words srtf(const std::string& policy) {
    return {"--config", "srtf", "--set", "tb_dispatcher.policy=" + policy, "--twin", "simple_slicing"};
  }
  /// Two programs that share four SMs, the second one with several launches.
  static Words pair(const std::string& policy, const Words& more = {}) {
    const Words programs{"vector_add", "bfs", "--param", "nodes=1024", "--arrival",   "0",
                         "--arrival",  "500", "--set",   "core.sms=4", "--scheduler", "gto"};
    return with(with(programs, srtf(policy)), more);
  }
};

TEST_F(SlicingTwinRun, PredictsAsTheModelAtEveryEdge) {
  for (const char* const policy : {"srtf", "srtf_slice_unaware"}) {
    for (const char* const mixed : {"false", "true"}) {
      const auto run = compared(pair(policy, {"--set", std::string("tb_dispatcher.mixed_sms=") + mixed}),
                                "simple_slicing");
      EXPECT_GT(run["grants"], 20) << "a kernel has to be chosen by what is predicted";
      const nlohmann::json predictor = stats("run").at("metrics").at(std::string("tb_dispatcher.") + policy);
      EXPECT_GT(predictor.at("predictions"), 20);
      EXPECT_GT(predictor.at("samples"), 0);
    }
  }
}

TEST_F(SlicingTwinRun, GivesTheModelsStatisticsInItsPlace) {
  expect_the_models_statistics(pair("srtf"));
  // What is predicted takes time, so that it is another run than that of ideal timing.
  ASSERT_EQ(run(of_model(pair("srtf", {"--out", "ideal"}))).code, 0);
  EXPECT_NE(stats("ideal")["metrics"]["tb_dispatcher.srtf"], stats("model")["metrics"]["tb_dispatcher.srtf"]);
}

// Blocks that sleep, or are built in another order, change nothing of a run in which predictions take time.
TEST_F(SlicingTwinRun, TheModelInHardwareTimingDoesNotDependOnSleep) {
  const Words words = of_model(pair("srtf", {"--set", "scheduler.timing=hardware"}));
  ASSERT_EQ(run(with(words, {"--out", "sleeping"})).code, 0);
  ASSERT_EQ(run(with(words, {"--out", "awake", "--no-sleep", "--reverse-construction"})).code, 0);
  expect_same_statistics("sleeping", "awake");
}

// One that takes the wrong kernel is found, with the cycles before it.
TEST_F(SlicingTwinRun, SaysWhatDiffersAndLeavesTheCyclesBefore) {
  expect_difference(pair("srtf"),
                    mutated("dispatch/simple_slicing/heddle_simple_slicing_predictor.sv",
                            ".valid_i(waiting_i & known_q)", ".valid_i(known_q)"),
                    "FirstWaits_A", "model_first_i");
  expect_difference(pair("srtf"),
                    mutated("dispatch/simple_slicing/heddle_simple_slicing_predictor.sv",
                            ".a_i       (base_q),\n    .amount_i  (remaining_o),",
                            ".a_i       (active),\n    .amount_i  (remaining_o),"),
                    "pred_cycles_o: the model has 0x", "model_pred_cycles_i");
}

TEST_F(SlicingTwinRun, RefusesWhatItDoesNotHave) {
  expect_refused(pair("srtf"), {{"tb_dispatcher.policy=fifo",
                                 "'simple_slicing' is of 'srtf' and 'srtf_slice_unaware', found 'fifo'"},
                                {"tb_dispatcher.max_kernels=1", "2 kernels or more"},
                                {"core.tb_slots=16", "64 of them times TB slots at most"}});
  EXPECT_EQ(run({"run", "vector_add", "--twin", "simple_slicing"}).code, 2) << "without --impl";
  const ProgramOutcome unknown =
      run_with("lockstep", {"vector_add", "--twin", "scoreboard", "--out", "refused"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_NE(unknown.err.find("there are: scheduler, simple_slicing, workload_buffer"), std::string::npos)
      << unknown.err;
}

TEST_F(SlicingTwinRun, IsHandedOverWithItsVectors) {
  expect_plays_its_vectors(with({"bfs", "--param", "nodes=1024", "--set", "core.sms=4"}, srtf("srtf")));
  EXPECT_NE(read("bare/twin.txt").find("module heddle_simple_slicing\n"), std::string::npos);
}

TEST_F(SlicingTwinRun, HasTheModelsFlipFlopsAsANetlist) {
  if (!has_tool("yosys") || !has_tool("sta")) GTEST_SKIP() << "yosys and OpenSTA are not installed";
  EXPECT_GT(flip_flops_of_netlist(with(srtf("srtf"), {"--set", "tb_dispatcher.max_kernels=3"})), 500U);
  EXPECT_EQ(run({"cost", "--twin", "simple_slicing"}).code, 2) << "without --synthesize";
}

}  // namespace
}  // namespace heddle
