#include "top/experiment/definition/experiment_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workloads/description/workload_error.h"

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(const std::string& text) {
  try {
    parse_experiment(text, "e.yaml");
    return "";
  } catch (const WorkloadError& error) {
    return error.what();
  }
}

TEST(ExperimentReader, ReadsEveryKey) {
  const Experiment e = parse_experiment(
      "name: all\n"
      "description: of everything\n"
      "size: large\n"
      "workloads:\n"
      "  - vector_add\n"
      "  - {workload: bfs, size: '', params: {nodes: 1024}, label: small}\n"
      "  - {at_once: [vector_add, atax], arrivals: [25%]}\n"
      "  - {pairs_of: [vector_add, spmv, bfs], both_orders: true}\n"
      "  - {timed: ercbench, together: 3, interference: 0.5}\n"
      "configs: gtx480\n"
      "schedulers: [gto, oaws_dynamic+lrr]\n"
      "tb_policies: [fifo, srtf]\n"
      "set: {core.sms: 2}\n"
      "axes: {l1d.mshr.entries: [16, 32], param.n: 8}\n"
      "arrivals: [100, 0-50%]\n"
      "seeds: [3, 4]\n"
      "repetitions: 5\n"
      "registers: ptxas:sm_35\n"
      "limits: {seconds: 60, memory: 1G, cycles: 1000}\n"
      "record: {tb_log: true, profile: true, interval: 500}\n"
      "metrics: [cycles]\n"
      "exceptions:\n"
      "  - {match: {workload: small, l1d.mshr.entries: [16, '3*']}, skip: true}\n"
      "  - {match: {scheduler: gto}, set: {core.sms: 1}, params: {block: 2}, limits: {seconds: 5}}\n",
      "e.yaml");
  EXPECT_EQ(e.name, "all");
  EXPECT_EQ(e.description, "of everything");
  ASSERT_EQ(e.workloads.size(), 10U);
  EXPECT_EQ(e.workloads[0].size, "large");
  EXPECT_EQ(e.workloads[1].label, "small");
  EXPECT_EQ(e.workloads[1].size, "");
  EXPECT_EQ(e.workloads[1].parameters.at("nodes"), 1024);
  EXPECT_THAT(e.workloads[2].programs, ElementsAre("vector_add", "atax"));
  EXPECT_THAT(e.workloads[2].arrivals, ElementsAre("25%"));
  EXPECT_EQ(e.workloads[3].label, "vector_add+spmv");
  EXPECT_EQ(e.workloads[8].label, "bfs+spmv");
  EXPECT_TRUE(e.workloads[9].timed);
  EXPECT_EQ(e.workloads[9].together, 3U);
  EXPECT_EQ(e.workloads[9].interference, 0.5);
  EXPECT_THAT(e.configs, ElementsAre("gtx480"));
  EXPECT_THAT(e.schedulers, ElementsAre("gto", "oaws_dynamic+lrr"));
  EXPECT_THAT(e.tb_policies, ElementsAre("fifo", "srtf"));
  EXPECT_THAT(e.assignments, ElementsAre("core.sms=2"));
  ASSERT_EQ(e.axes.size(), 2U);
  EXPECT_THAT(e.axes[0].values, ElementsAre("16", "32"));
  EXPECT_THAT(e.arrivals, ElementsAre("100", "0-50%"));
  EXPECT_THAT(e.seeds, ElementsAre(3, 4));
  EXPECT_EQ(e.repetitions, 5U);
  EXPECT_EQ(e.limits.seconds, 60U);
  EXPECT_EQ(e.limits.memory_bytes, std::uint64_t{1} << 30U);
  EXPECT_EQ(e.limits.cycles, 1000U);
  EXPECT_TRUE(e.record.tb_log && e.record.profile);
  EXPECT_EQ(e.record.interval_cycles, 500U);
  ASSERT_EQ(e.exceptions.size(), 2U);
  EXPECT_TRUE(e.exceptions[0].skip);
  EXPECT_THAT(e.exceptions[1].assignments, ElementsAre("core.sms=1"));
  EXPECT_EQ(e.exceptions[1].seconds, 5U);
  EXPECT_FALSE(e.exceptions[1].cycles);
}

TEST(ExperimentReader, IsCalledByItsFileUnlessItSaysAName) {
  EXPECT_EQ(parse_experiment("workloads: [vector_add]", "folder/figure4.yaml").name, "figure4");
}

TEST(ExperimentReader, ErrorsNameThePlaceAndTheNearestName) {
  const std::string start = "workloads: [vector_add]\n";
  EXPECT_THAT(error_of("schedulers: [gto]\n"), HasSubstr("e.yaml:1:1: experiment: missing key 'workloads'"));
  EXPECT_THAT(error_of(start + "scheduler: [gto]\n"),
              HasSubstr("e.yaml:2:1: experiment: unknown key 'scheduler'; did you mean 'schedulers'?"));
  EXPECT_THAT(error_of("workloads:\n  - vector_addd\n"),
              HasSubstr("e.yaml:2:5: there is no workload file "
                        "'vector_addd', and no workload of that name; "
                        "did you mean 'vector_add'?"));
  EXPECT_THAT(error_of("workloads:\n  - vector_add:huge\n"), HasSubstr("e.yaml:2:5: "));
  EXPECT_THAT(error_of("workloads:\n  - {workload: vector_add, params: {m: 3}}\n"),
              HasSubstr("workload 'vector_add' has no parameter 'm'"));
  const std::string several = "workloads:\n  - {at_once: [vector_add, vector_add, atax], params: {";
  EXPECT_EQ(error_of(several + "n: 64, vector_add#2.n: 32, atax.block: 64}}\n"), "");
  EXPECT_THAT(
      error_of(several + "vector_add#3.n: 64}}\n"),
      HasSubstr("e.yaml:2:5: workload 'vector_add+vector_add#2+atax' has no parameter 'vector_add#3.n'; "
                "did you mean 'vector_add#2.n'? (parameters: atax.block, atax.n, block, n, "));
  EXPECT_THAT(error_of("workloads: [vector_add, vector_add]\n"),
              HasSubstr("e.yaml:1:25: workload 'vector_add' stands twice"));
  EXPECT_THAT(
      error_of(start + "schedulers: [gto, lr]\n"),
      HasSubstr("e.yaml:2:19: schedulers: warp scheduler 'lr': 'lr' is unknown; did you mean 'lrr'?"));
  EXPECT_THAT(error_of(start + "tb_policies: [fif]\n"), HasSubstr("did you mean 'fifo'?"));
  EXPECT_THAT(error_of(start + "configs: [gtx481]\n"),
              HasSubstr("e.yaml:2:11: configs: there is no configuration"));
  EXPECT_THAT(error_of(start + "axes: {core.sm: [1, 2]}\n"),
              HasSubstr("e.yaml:2:18: unknown key 'core.sm'; did you mean 'core.sms'?"));
  EXPECT_THAT(error_of(start + "axes: {core.sms: [1, 0]}\n"), HasSubstr("e.yaml:2:22: core.sms: expected"));
  EXPECT_THAT(error_of(start + "axes: {core.sms: []}\n"), HasSubstr("found an empty list"));
  EXPECT_THAT(error_of(start + "schedulers: [gto, gto]\n"), HasSubstr("schedulers: 'gto' stands twice"));
  EXPECT_THAT(error_of(start + "limits: {memory: 2}\n"), HasSubstr("limits, memory: expected bytes"));
  EXPECT_THAT(error_of(start + "limits: {second: 2}\n"), HasSubstr("did you mean 'seconds'?"));
  EXPECT_THAT(error_of(start + "repetitions: 0\n"),
              HasSubstr("repetitions: expected a whole number 1 to 1000"));
  EXPECT_THAT(error_of(start + "arrivals: [soon]\n"), HasSubstr("e.yaml:2:12: arrival: found 'soon'"));
  EXPECT_THAT(error_of(start + "until_cycle: 5\nlimits: {cycles: 6}\n"), HasSubstr("found both"));
  EXPECT_THAT(error_of(start + "exceptions: [{match: {shceduler: gto}, skip: true}]\n"),
              HasSubstr("the experiment's points have no 'shceduler'"));
  const std::string axes =
      start + "axes: {core.sms: [1, 2], param.n: [64]}\nexceptions: [{match: {workload: '*'}, ";
  EXPECT_THAT(error_of(axes + "set: {core.sms: 4}}]\n"),
              HasSubstr("exception, set: 'core.sms' is an axis, whose values points are called by"));
  EXPECT_THAT(error_of(axes + "params: {n: 4}}]\n"), HasSubstr("exception, params: 'n' is an axis"));
  EXPECT_EQ(error_of(axes + "set: {core.warps: 16}, params: {block: 64}}]\n"), "");
  EXPECT_THAT(error_of(start + "exceptions: [{match: {workload: x}}]\n"),
              HasSubstr("exception: expected skip, set, params or limits"));
  EXPECT_THAT(error_of("workloads: [{workload: vector_add, together: 3}]\n"),
              HasSubstr("workload, together: it belongs to pairs_of and timed"));
  EXPECT_THAT(error_of("workloads: [{workload: vector_add, timed: ercbench}]\n"),
              HasSubstr("expected one of the keys workload, at_once, pairs_of and timed"));
  EXPECT_THAT(error_of("workloads: [{at_once: [vector_add]}]\n"), HasSubstr("expected 2 workloads at least"));
}

// Of two values of a key for the same points one would never be used, and points be called by it.
TEST(ExperimentReader, RefusesASecondValueOfAKey) {
  const std::string start = "workloads: [vector_add]\nschedulers: [gto]\ntb_policies: [fifo]\n";
  EXPECT_THAT(error_of(start + "axes: {scheduler.name: [lrr, pro]}\n"),
              HasSubstr("e.yaml:4:24: axes, scheduler.name: expected it or schedulers, found both"));
  EXPECT_THAT(error_of(start + "axes: {tb_dispatcher.policy: [srtf]}\n"),
              HasSubstr("axes, tb_dispatcher.policy: expected it or tb_policies, found both"));
  EXPECT_THAT(error_of(start + "set: {scheduler.name: lrr}\n"),
              HasSubstr("e.yaml:4:23: set, scheduler.name: expected it or schedulers, found both"));
  EXPECT_THAT(error_of(start + "set: {core.sms: 1}\naxes: {core.sms: [2, 3]}\n"),
              HasSubstr("e.yaml:4:17: set, core.sms: expected it or axes, found both"));
  EXPECT_EQ(error_of("workloads: [vector_add]\naxes: {scheduler.name: [lrr, 'gto:lrr']}\n"), "");
  EXPECT_THAT(
      error_of("workloads: [vector_add]\naxes: {scheduler.name: [lrr, gtoo]}\n"),
      HasSubstr(
          "e.yaml:2:30: scheduler.name: warp scheduler 'gtoo': 'gtoo' is unknown; did you mean 'gto'?"));
}

TEST(ExperimentReader, RefusesWhatNothingWouldComeOfForDrawnTimes) {
  for (const char* const key : {"record: {tb_log: true}", "sample: true", "registers: ptxas",
                                "until_cycle: 9", "limits: {cycles: 9}"}) {
    const std::string line = std::string(key) + "\n";
    EXPECT_THAT(error_of("workloads: [{timed: ercbench}]\n" + line),
                HasSubstr("it belongs to workloads that execute instructions, all are of kind timed"))
        << key;
    EXPECT_EQ(error_of("workloads: [{timed: ercbench}, vector_add]\n" + line), "") << key;
  }
}

TEST(ExperimentReader, NamesNoFilesOutsideOfItsFolder) {
  EXPECT_THAT(error_of("workloads: [../x.yaml]\n"), HasSubstr("e.yaml:1:13: workload: "));
  EXPECT_THAT(error_of("workloads: [/etc/x.yaml]\n"), HasSubstr("e.yaml:1:13: workload: "));
  EXPECT_THAT(error_of("workloads: [vector_add]\nconfigs: [/etc/x.yaml]\n"),
              HasSubstr("e.yaml:2:11: configs: "));
}

}  // namespace
}  // namespace heddle
