// The twin of WarpMan's dispatch checks and workload buffer: in step with the model and in its place.
#include "sc_tests/top/rtl/dispatch_twin_fixture.h"

namespace heddle {
namespace {

class WarpManTwinRun : public DispatchTwinRun {
 protected:
  /// Of WarpMan's machine.
  static Words warp_man() {
    return {"--config", "warpman",        "--set", "core.resources.management=warp_temporal_spatial",
            "--twin",   "workload_buffer"};
  }
  static Words program(const char* name, const Words& more = {}) {
    return with(with({name, "--set", "core.sms=2"}, warp_man()), more);
  }
  /// Blocks of 8 warps of which 42 fit: the sixth starts in part.
  static Words fragments() { return program("matrix_multiply"); }
};

TEST_F(WarpManTwinRun, DecidesAsTheModelAtEveryEdge) {
  const auto run = compared(fragments(), "workload_buffer");
  const nlohmann::json dispatcher = stats("run").at("metrics").at("tb_dispatcher");
  EXPECT_GT(dispatcher.at("partial_tbs"), 10) << "blocks have to start in part";
  EXPECT_GT(run["grants"], dispatcher.at("tbs_dispatched")) << "unissued warps have to issue";
}

TEST_F(WarpManTwinRun, GivesTheModelsStatisticsInItsPlace) { expect_the_models_statistics(fragments()); }

// Several launches of other demands, one after the other; warps that end at different times.
TEST_F(WarpManTwinRun, FollowsKernelAfterKernel) {
  for (const char* const workload : {"srad", "long_warp"}) {
    const ProgramOutcome run =
        run_with("lockstep", program(workload, {"--out", "run", "--max-cycles", "60000"}));
    EXPECT_NE(run.code, 13) << run.err;
    const auto compared = nlohmann::json::parse(read("run/lockstep.json"));
    EXPECT_EQ(compared["mismatch"], false);
    EXPECT_GT(compared["edges"], 5000);
  }
}

TEST_F(WarpManTwinRun, SaysWhatDiffersAndLeavesTheCyclesBefore) {
  expect_difference(fragments(),
                    mutated("dispatch/heddle_warp_man.sv", "WideWidth'(places) <= WideWidth'(behind)",
                            "WideWidth'(places) < WideWidth'(behind)"),
                    ": the model has 0x", "model_buffer_i");
}

TEST_F(WarpManTwinRun, RefusesWhatItDoesNotHave) {
  expect_refused(fragments(), {{"core.resources.management=warp_temporal",
                                "'workload_buffer' is of 'warp_temporal_spatial'"},
                               {"core.resources.contention=threshold", "holds nothing back"},
                               {"tb_dispatcher.mixed_sms=true", "TBs of one kernel"}});
}

TEST_F(WarpManTwinRun, IsHandedOverWithItsVectors) { expect_plays_its_vectors(fragments()); }

TEST_F(WarpManTwinRun, HasTheModelsFlipFlopsAsANetlist) {
  if (!has_tool("yosys") || !has_tool("sta")) GTEST_SKIP() << "yosys and OpenSTA are not installed";
  EXPECT_EQ(flip_flops_of_netlist(warp_man()), 40 + 6 + 6 + 4 + 4);
}

}  // namespace
}  // namespace heddle
