// Twins in step with the model, and in its place, on whole kernels.
#include "sc_tests/top/rtl/rtl_fixture.h"

namespace heddle {
namespace {

/// Divergence and several launches; barriers and several rounds of TBs; a choice in two stages.
const Words kBfs{"bfs", "--param", "nodes=1024", "--set", "core.sms=2"};
const Words kHistogram{"histogram", "--param", "words=8192", "--set", "core.sms=2"};

std::uint64_t warp_instructions(const nlohmann::json& stats) {
  std::uint64_t sum = 0;
  for (const auto& of_sm : stats.at("instances").at("sm").at("warp_instructions"))
    sum += of_sm.get<std::uint64_t>();
  return sum;
}

class Lockstep : public RtlProgram, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    if (!has_tool("verilator")) GTEST_SKIP() << "verilator is not installed (make check installs it)";
    RtlProgram::SetUp();
  }
};

std::string name_of(const ::testing::TestParamInfo<const char*>& scheduler) { return scheduler.param; }

class EachTwin : public Lockstep {};

TEST_P(EachTwin, ChoosesAsTheModelAtEveryEdge) {
  for (const Words& kernel : {kBfs, kHistogram}) {
    const ProgramOutcome run =
        run_with("lockstep", with(with(kernel, of_scheduler(GetParam())), {"--out", "lockstep"}));
    ASSERT_EQ(run.code, 0) << run.err;
    const auto compared = nlohmann::json::parse(read("lockstep/lockstep.json"));
    EXPECT_EQ(compared["mismatch"], false);
    EXPECT_GT(compared["edges"], 2000) << "the run has to say something";
    EXPECT_EQ(compared["grants"], warp_instructions(stats("lockstep")));
  }
}

TEST_P(EachTwin, GivesTheModelsStatisticsInItsPlace) {
  const Words kernel = with(kHistogram, of_scheduler(GetParam()));
  ASSERT_EQ(run_with("rtl", with(kernel, {"--out", "rtl"})).code, 0);
  ASSERT_EQ(
      run(with({"run", "--quiet", "--out", "model", "--set", "scheduler.timing=hardware"}, kernel)).code, 0);
  EXPECT_EQ(stats("rtl")["metrics"], stats("model")["metrics"]);
  EXPECT_EQ(stats("rtl")["instances"], stats("model")["instances"]);
  EXPECT_GT(warp_instructions(stats("rtl")), 1000U);
}

TEST_P(EachTwin, FollowsAChoiceInStages) {
  const ProgramOutcome run =
      run_with("lockstep", with(with(kHistogram, of_scheduler(GetParam())),
                                {"--set", "scheduler.choice_cycles=2", "--out", "staged"}));
  EXPECT_EQ(run.code, 0) << run.err;
}

INSTANTIATE_TEST_SUITE_P(Schedulers, EachTwin,
                         ::testing::Values("lrr", "oldest", "gto", "two_level", "two_level_active",
                                           "least_issued", "ipaws", "pro", "swl", "oaws_static",
                                           "oaws_dynamic", "mascar", "ccws"),
                         name_of);

class QualifierTwin : public Lockstep {};

// Each prioritizer behind it: what is held back makes room in an active set, and orders what is left.
TEST_F(QualifierTwin, StandsInFrontOfEachPrioritizer) {
  for (const char* const scheduler : {"swl+lrr", "swl+two_level", "swl+two_level_active"}) {
    for (const char* const limit : {"1", "3", "64"}) {
      const std::string setting = std::string("scheduler.swl.warps=") + limit;
      const ProgramOutcome run =
          run_with("lockstep", with(kBfs, {"--scheduler", scheduler, "--set", setting, "--out", "lockstep"}));
      ASSERT_EQ(run.code, 0) << scheduler << ", " << setting << ": " << run.err;
      const auto compared = nlohmann::json::parse(read("lockstep/lockstep.json"));
      EXPECT_EQ(compared["grants"], warp_instructions(stats("lockstep")));
    }
  }
}

TEST_F(QualifierTwin, DecidesInStages) {
  const Words kernel = with(kHistogram, {"--scheduler", "swl+gto", "--set", "scheduler.choice_cycles=2"});
  ASSERT_EQ(run_with("rtl", with(kernel, {"--out", "rtl"})).code, 0);
  ASSERT_EQ(
      run(with({"run", "--quiet", "--out", "model", "--set", "scheduler.timing=hardware"}, kernel)).code, 0);
  EXPECT_EQ(stats("rtl")["metrics"], stats("model")["metrics"]);
}

// Divergent loads on a machine with few MSHR entries, so that loads are held back.
TEST_F(QualifierTwin, OfOawsHoldsLoadsBackAsTheModelDoes) {
  const Words kernel{
      "atax",           "--param", "n=128",      "--param", "block=128",          "--config",
      "oaws",           "--set",   "core.sms=1", "--set",   "l1d.mshr.entries=8", "--scheduler",
      "oaws_static+lrr"};
  const ProgramOutcome run = run_with("lockstep", with(kernel, {"--out", "lockstep"}));
  ASSERT_EQ(run.code, 0) << run.err;
  const nlohmann::json oaws = stats("lockstep").at("metrics").at("sm.oaws_static");
  EXPECT_GT(oaws.at("held_loads"), 100) << oaws.dump();
  EXPECT_GT(oaws.at("dlc_hits"), 100) << oaws.dump();
  ASSERT_EQ(run_with("rtl", with(kernel, {"--out", "rtl", "--set", "scheduler.choice_cycles=2"})).code, 0);
  ASSERT_EQ(this->run(with({"run", "--quiet", "--out", "model", "--set", "scheduler.timing=hardware"},
                           with(kernel, {"--set", "scheduler.choice_cycles=2"})))
                .code,
            0);
  EXPECT_EQ(stats("rtl")["metrics"], stats("model")["metrics"]);
}

// All lanes are predicted to miss, which are more than there are MSHR entries, of a number that does not fill
// its bits: a load waits until all are free, and no longer.
TEST_F(QualifierTwin, OfOawsWaitsForAllEntriesAtMost) {
  const Words kernel{"atax",
                     "--param",
                     "n=128",
                     "--param",
                     "block=128",
                     "--config",
                     "oaws",
                     "--set",
                     "core.sms=1",
                     "--set",
                     "l1d.mshr.entries=12",
                     "--set",
                     "scheduler.oaws.miss_percent=100"};
  const Words few{"--set", "l1d.mshr.entries=3"};  // many times as many are predicted
  for (const auto& [name, size] :
       {std::pair<std::string, Words>{"oaws_static", {}}, {"oaws_dynamic", {}}, {"oaws_static", few}}) {
    const ProgramOutcome run =
        run_with("lockstep", with(with(kernel, size), {"--scheduler", name + "+lrr", "--out", "lockstep"}));
    ASSERT_EQ(run.code, 0) << name << ": " << run.err;
    const nlohmann::json oaws = stats("lockstep").at("metrics").at("sm." + name);
    EXPECT_GT(oaws.at("held_loads"), 100) << oaws.dump();
  }
}

// OCW changes both ways, loads are sensitive and not, counts are halved, and two kernels share the
// classifier.
TEST_F(QualifierTwin, OfDynamicOawsLearnsAsTheModelDoes) {
  const Words kernel = with(with(kSpmv, kHalfTheWarps),
                            {"--set", "scheduler.oaws.cnt_max=7", "--set", "scheduler.oaws.cnt_start=4",
                             "--set", "scheduler.oaws.dlc_entries=2", "--scheduler", "oaws_dynamic+lrr"});
  const ProgramOutcome run = run_with("lockstep", with(kernel, {"--out", "lockstep"}));
  ASSERT_EQ(run.code, 0) << run.err;
  const nlohmann::json oaws = stats("lockstep").at("metrics").at("sm.oaws_dynamic");
  EXPECT_GT(oaws.at("ocw_raised"), 5) << oaws.dump();
  EXPECT_GT(oaws.at("ocw_lowered"), 5) << oaws.dump();
  EXPECT_GT(oaws.at("dlc_replacements"), 0) << oaws.dump();
  EXPECT_GT(oaws.at("held_loads"), 100) << oaws.dump();
}

// Memory that is saturated again and again, owners of whom some wait, and accesses in the re-execution queue.
TEST_F(QualifierTwin, OfMascarOwnsTheMemoryAsTheModelDoes) {
  for (const char* const scheduler : {"mascar", "mascar+lrr"}) {
    const Words kernel = with(
        kSpmv, {"--set", "l1d.mshr.entries=8", "--set", "ldst.replay_entries=4", "--scheduler", scheduler});
    const ProgramOutcome run = run_with("lockstep", with(kernel, {"--out", "lockstep"}));
    ASSERT_EQ(run.code, 0) << run.err;
    const nlohmann::json mascar = stats("lockstep").at("metrics").at("sm.mascar");
    EXPECT_GT(mascar.at("saturations"), 100) << mascar.dump();
    EXPECT_GT(mascar.at("owners"), mascar.at("saturations")) << mascar.dump();
    EXPECT_GT(mascar.at("queued_accesses"), 100) << mascar.dump();
    ASSERT_EQ(run_with("rtl", with(kernel, {"--out", "rtl", "--set", "scheduler.choice_cycles=2"})).code, 0);
    ASSERT_EQ(this->run(with({"run", "--quiet", "--out", "model", "--set", "scheduler.timing=hardware"},
                             with(kernel, {"--set", "scheduler.choice_cycles=2"})))
                  .code,
              0);
    EXPECT_EQ(stats("rtl")["metrics"], stats("model")["metrics"]);
  }
}

// Lines that are lost and fetched again, scores that rise and fall, warps that finish during sorts and walks.
// On few warps with few victim tags, as the twin's build takes as long as it has tags.
TEST_F(QualifierTwin, OfCcwsScoresAsTheModelDoes) {
  const Words kernel = with(kCcwsKernel, {"--scheduler", "ccws+lrr"});
  const ProgramOutcome run = run_with("lockstep", with(kernel, {"--out", "lockstep"}));
  ASSERT_EQ(run.code, 0) << run.err;
  const nlohmann::json ccws = stats("lockstep").at("metrics").at("sm.ccws");
  EXPECT_GT(ccws.at("vta_hits"), 100) << ccws.dump();
  EXPECT_GT(ccws.at("walks"), 100) << ccws.dump();
  EXPECT_GT(ccws.at("throttled_cycles"), 1000) << ccws.dump();
  ASSERT_EQ(run_with("rtl", with(kernel, {"--out", "rtl", "--set", "scheduler.choice_cycles=2"})).code, 0);
  ASSERT_EQ(this->run(with({"run", "--quiet", "--out", "model", "--set", "scheduler.timing=hardware"},
                           with(kernel, {"--set", "scheduler.choice_cycles=2"})))
                .code,
            0);
  EXPECT_EQ(stats("rtl")["metrics"], stats("model")["metrics"]);
}

TEST_F(QualifierTwin, OfCcwsHasTwoWarpsAtLeast) {
  const ProgramOutcome run =
      run_with("lockstep",
               with(kHistogram, {"--scheduler", "ccws", "--set", "core.warps=1", "--set", "core.threads=32",
                                 "--set", "core.tb_slots=1", "--set", "core.schedulers=1", "--out", "x"}));
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_NE(run.err.find("core.warps"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("2 or more, found 1"), std::string::npos) << run.err;
}

TEST_F(QualifierTwin, OfMascarStandsInFrontOfItsPrioritizer) {
  const ProgramOutcome run =
      run_with("lockstep", with(kHistogram, {"--scheduler", "swl+mascar", "--out", "refused"}));
  EXPECT_EQ(run.code, 3);
  EXPECT_NE(run.err.find("mascar in front of mascar"), std::string::npos) << run.err;
}

TEST_F(QualifierTwin, OfOawsRefusesWhatItDoesNotHave) {
  const std::vector<std::array<std::string, 2>> refused{
      {"operand_collector.mem_issue_slots=2", "one load a cycle"},
      {"scheduler.oaws.dlc_entries=1", "2 to 64, found 1"},
      {"scheduler.oaws.dlc_entries=65", "2 to 64, found 65"},
      {"scheduler.clock_fo4=20", "predicts in 4 cycles"},
      {"l1d.mshr.entries=256",
       "decides in 1 cycle whether the free entries of 256 are enough for a load, which "
       "takes 2 "}};
  for (const auto& [setting, said] : refused) {
    const ProgramOutcome run = run_with(
        "lockstep", with(kHistogram, {"--scheduler", "oaws_static", "--set", setting, "--out", "refused"}));
    EXPECT_EQ(run.code, 3) << setting;
    EXPECT_NE(run.err.find(said), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(setting.substr(0, setting.find('='))), std::string::npos) << run.err;
  }
}

TEST_F(QualifierTwin, RefusesAClockThatAStepDoesNotFitInto) {
  const ProgramOutcome run = run_with(
      "lockstep", with(kHistogram, {"--scheduler", "swl", "--set", "scheduler.clock_fo4=16", "--out", "x"}));
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_NE(run.err.find("scheduler.clock_fo4: the SystemVerilog twin of swl takes a step in a cycle"),
            std::string::npos)
      << run.err;
}

class ProTwin : public Lockstep {};

TEST_F(ProTwin, RefusesWhatItDoesNotHave) {
  const std::vector<std::array<std::string, 2>> refused{
      {"scheduler.pro.same_tb=bank", "'merge'"},
      {"scheduler.pro.add_cycles=0", "1 cycle"},
      {"scheduler.pro.progress_bits=5", "6 bits"},
      {"core.resources.management=warp_temporal", "whole TBs"},
      {"core.tb_slots=17", "at most 16"}};
  for (const auto& [setting, said] : refused) {
    const ProgramOutcome run =
        run_with("lockstep", with(kHistogram, {"--scheduler", "pro", "--set", setting, "--out", "refused"}));
    EXPECT_EQ(run.code, 3) << setting;
    EXPECT_NE(run.err.find(said), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(setting.substr(0, setting.find('='))), std::string::npos) << run.err;
  }
}

class IpawsTwin : public Lockstep {};

TEST_F(IpawsTwin, RefusesWhatItDoesNotHave) {
  const std::vector<std::array<std::string, 2>> refused{
      {"scheduler.ipaws.greedy=ccws+gto", "'gto'"},
      {"scheduler.ipaws.fair=two_level", "'lrr'"},
      {"scheduler.ipaws.recover=false", "Recover phase"},
      {"scheduler.ipaws.decider=sm_pair", "'each_sm'"},
      {"scheduler.ipaws.counters=tb", "'warp'"},
      {"scheduler.ipaws.stall_of=oldest_valid", "'first_tried'"},
      {"scheduler.ipaws.stall_when=none_issues", "'all_blocked'"},
      {"scheduler.ipaws.stall_scope=scheduler", "'sm'"},
      {"scheduler.ipaws.judge_at=first_tb", "'oldest_warp'"},
      {"core.resources.management=warp_temporal", "whole TBs"}};
  for (const auto& [setting, said] : refused) {
    const ProgramOutcome run = run_with(
        "lockstep", with(kHistogram, {"--scheduler", "ipaws", "--set", setting, "--out", "refused"}));
    EXPECT_EQ(run.code, 3) << setting;
    EXPECT_NE(run.err.find(said), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(setting.substr(0, setting.find('='))), std::string::npos) << run.err;
  }
}

// Each SM for itself, by all warps, charged to the oldest, judged at its exit, with a higher threshold.
TEST_F(IpawsTwin, FollowsTheOtherReadings) {
  const Words readings{"--scheduler", "ipaws",
                       "--set",       "scheduler.ipaws.decider=each_sm",
                       "--set",       "scheduler.ipaws.warps_of_interest=false",
                       "--set",       "scheduler.ipaws.stall_of=oldest",
                       "--set",       "scheduler.ipaws.judge_at=oldest_warp",
                       "--set",       "scheduler.ipaws.convex_eighths=13",
                       "--out",       "readings"};
  for (const Words& kernel : {kBfs, kHistogram}) {
    const ProgramOutcome run = run_with("lockstep", with(with(kernel, readings), kHalfTheWarps));
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_GT(nlohmann::json::parse(read("readings/lockstep.json"))["edges"], 2000);
  }
}

// What an SM tells the others is compared, too: a wrong verdict is found although nobody follows it.
TEST_F(IpawsTwin, ComparesItsVerdicts) {
  const std::string folder = mutated("schedulers/ipaws/heddle_ipaws_judge.sv", "assign convex_o = !less;",
                                     "assign convex_o = less;");
  const ProgramOutcome run =
      run_with("lockstep", with(with(kHistogram, kHalfTheWarps),
                                {"--scheduler", "ipaws", "--out", "mutant", "--rtl-sources", folder}));
  EXPECT_EQ(run.code, 13) << run.err;
  EXPECT_NE(run.err.find("verdict_o: the model has 0x"), std::string::npos) << run.err;
  EXPECT_NE(read("mutant/lockstep.vcd").find("model_verdict_i"), std::string::npos);
}

class MutatedTwin : public Lockstep {};

// One whose own assertion is broken says so.
TEST_F(MutatedTwin, SaysWhichAssertionOfItsIsBroken) {
  const std::string folder = mutated("schedulers/heddle_gto.sv", "assign grant_o = greedy ? last : oldest;",
                                     "assign grant_o = oldest;");
  const ProgramOutcome run = run_with(
      "lockstep", with(kHistogram, {"--scheduler", "gto", "--out", "mutant", "--rtl-sources", folder}));
  EXPECT_EQ(run.code, 13) << run.err;
  EXPECT_NE(run.err.find("LastIsGranted_A"), std::string::npos) << run.err;
}

// What is held back is compared by itself, and before what is chosen from it.
TEST_F(MutatedTwin, SaysWhomItsQualifierLetsIssue) {
  const std::string folder =
      mutated("schedulers/heddle_swl.sv", "assign among = left & ~waits_q;", "assign among = left;");
  const ProgramOutcome run = run_with(
      "lockstep", with(kHistogram, {"--scheduler", "swl+lrr", "--out", "mutant", "--rtl-sources", folder}));
  EXPECT_EQ(run.code, 13) << run.err;
  EXPECT_NE(run.err.find("qualified_o: the model has 0x"), std::string::npos) << run.err;
  EXPECT_NE(read("mutant/lockstep.vcd").find("model_qualified_i"), std::string::npos);
}

// The window ends with the cycle of the mismatch, and begins a hundred cycles before.
TEST_F(MutatedTwin, LeavesTheCyclesBeforeTheMismatch) {
  const std::string folder = mutated("schedulers/heddle_lrr.sv", "((n + 1 < Warps) ?", "((n + 2 < Warps) ?");
  const ProgramOutcome run = run_with(
      "lockstep", with(kHistogram, {"--scheduler", "lrr", "--out", "mutant", "--rtl-sources", folder}));
  ASSERT_EQ(run.code, 13) << run.err;
  EXPECT_NE(run.err.find("grant_o: the model has 0x"), std::string::npos) << run.err;
  EXPECT_FALSE(fs::exists(folder_ / "mutant/lockstep.vcd.tmp"));
  EXPECT_NE(read("mutant/lockstep.vcd").find("model_grant_i"), std::string::npos);
  EXPECT_EQ(stats("mutant")["status"], "partial");
  const std::size_t at = run.err.find("core cycle ");
  ASSERT_NE(at, std::string::npos) << run.err;
  const std::uint64_t cycle = std::stoull(run.err.substr(at + 11));
  std::istringstream waves(read("mutant/lockstep.vcd"));
  std::uint64_t first = ~std::uint64_t{0};
  std::uint64_t last = 0;
  for (std::string line; std::getline(waves, line);) {
    if (line.empty() || line[0] != '#') continue;
    last = std::stoull(line.substr(1));
    if (first == ~std::uint64_t{0}) first = last;
  }
  EXPECT_GE(first, (cycle - 100) * 10);
  EXPECT_LE(first, cycle * 10);
  EXPECT_EQ(last / 10, cycle);
}

}  // namespace
}  // namespace heddle
