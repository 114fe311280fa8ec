#include "top/experiment/definition/points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> texts_of(const Experiment& experiment) {
  std::vector<std::string> texts;
  for (const Point& point : points_of(experiment)) texts.push_back(text_of(point.labels));
  return texts;
}

Experiment two_by_two() {
  Experiment experiment;
  experiment.workloads = {{"a", {"a"}}, {"b:large", {"b:large"}}};
  experiment.schedulers = {"gto", "lrr"};
  return experiment;
}

TEST(Points, AreAllCombinationsTheLastListFastest) {
  Experiment experiment = two_by_two();
  experiment.configs = {"one"};
  experiment.axes = {{"core.sms", {"1", "2"}}};
  EXPECT_THAT(texts_of(experiment),
              ElementsAre("a config=one gto core.sms=1", "a config=one gto core.sms=2",
                          "a config=one lrr core.sms=1", "a config=one lrr core.sms=2",
                          "b:large config=one gto core.sms=1", "b:large config=one gto core.sms=2",
                          "b:large config=one lrr core.sms=1", "b:large config=one lrr core.sms=2"));
}

// 10^9 of them took all memory there was.
TEST(Points, AreCountedBeforeTheyAreMade) {
  Experiment experiment = two_by_two();
  experiment.axes = {{"core.sms", std::vector<std::string>(25'000, "1")}};
  EXPECT_EQ(points_of(experiment).size(), 100'000U);
  experiment.axes = {{"core.sms", std::vector<std::string>(25'001, "1")}};
  try {
    points_of(experiment);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("lists have 100004 combinations, expected at most 100000"));
  }
  experiment = Experiment();
  experiment.workloads = {{"a+b", {"a", "b"}}};
  experiment.seeds.assign(1000, 1);
  experiment.repetitions = 1000;
  experiment.arrivals = {"0-100", "5"};
  EXPECT_THROW(points_of(experiment), std::invalid_argument);
  experiment.arrivals = {"5"};  // draws nothing
  EXPECT_EQ(points_of(experiment).size(), 1U);
}

TEST(Points, SayHowTheyRun) {
  Experiment experiment = two_by_two();
  experiment.configs = {"one"};
  experiment.tb_policies = {"srtf"};
  experiment.assignments = {"core.tb_slots=4"};
  experiment.axes = {{"core.sms", {"2"}}, {"param.n", {"7"}}};
  experiment.limits = {9, 1024, 500};
  const Point point = points_of(experiment).back();
  EXPECT_EQ(point.run.workload, "b:large");
  EXPECT_EQ(point.run.scheduler, "lrr");
  EXPECT_EQ(point.run.config.config, "one");
  EXPECT_THAT(point.run.config.assignments,
              ElementsAre("core.tb_slots=4", "tb_dispatcher.policy=srtf", "core.sms=2"));
  EXPECT_EQ(point.run.on.parameters.at("n"), 7);
  EXPECT_EQ(point.run.on.max_cycles, 500U);
  EXPECT_EQ(point.limits.seconds, 9U);
  EXPECT_FALSE(point.until_cycle);
}

TEST(Points, AnAxisOfConfigurationsNamesThem) {
  Experiment experiment;
  experiment.workloads = {{"a", {"a"}}};
  experiment.axes = {{"config", {"one", "two"}}};
  const std::vector<Point> points = points_of(experiment);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[1].run.config.config, "two");
  EXPECT_THAT(points[1].run.config.assignments, IsEmpty());
}

TEST(Points, ExceptionsSkipAndOverrideWhereAllTheirLabelsMatch) {
  Experiment experiment = two_by_two();
  experiment.limits.cycles = 100;
  ExperimentException skip;
  skip.match = {{"workload", {"b*"}}, {"scheduler", {"x", "l?r"}}};
  skip.skip = true;
  ExperimentException other;
  other.match = {{"workload", {"a"}}};
  other.assignments = {"core.sms=3"};
  other.cycles = 50;
  ExperimentException last;
  last.match = {{"scheduler", {"lrr"}}};
  last.cycles = 60;
  experiment.exceptions = {skip, other, last};
  const std::vector<Point> points = points_of(experiment);
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0].run.on.max_cycles, 50U);
  EXPECT_THAT(points[0].run.config.assignments, ElementsAre("core.sms=3"));
  EXPECT_EQ(points[1].run.on.max_cycles, 60U) << "the later exception goes over the earlier one";
  EXPECT_EQ(points[2].run.on.max_cycles, 100U);
  EXPECT_THAT(points[2].run.config.assignments, IsEmpty());
}

TEST(Points, AnExceptionMayNameTheScheduler) {
  Experiment experiment = two_by_two();
  experiment.exceptions = {{{{"scheduler", {"lrr"}}}, false, {"scheduler.name=pro"}}};
  const std::vector<Point> points = points_of(experiment);
  EXPECT_EQ(points[0].run.scheduler, "gto");
  EXPECT_EQ(points[1].run.scheduler, "") << "it would go over the key";
  EXPECT_THAT(points[1].run.config.assignments, ElementsAre("scheduler.name=pro"));
}

TEST(Points, SetParametersThatTheirWorkloadsHave) {
  Experiment experiment = two_by_two();
  experiment.axes = {{"param.n", {"8"}, "e.yaml:7:3"}};
  EXPECT_EQ(points_of(experiment).size(), 4U) << "of these workloads nobody has looked";
  experiment.workloads[0].parameter_names = {"block", "n"};
  experiment.workloads[1].parameter_names = {"nodes"};
  const auto error = [&experiment]() -> std::string {
    try {
      points_of(experiment);
      return "";
    } catch (const std::invalid_argument& failed) {
      return failed.what();
    }
  };
  EXPECT_EQ(error(),
            "e.yaml:7:3: axes, param.n: workload 'b:large' has no parameter 'n' (parameters: nodes)");
  experiment.exceptions = {{{{"workload", {"b*"}}}, true}};
  EXPECT_EQ(error(), "") << "these points are skipped";
  experiment.exceptions.push_back({{{"workload", {"a"}}}, false, {}, {{"blok", 2}}});
  experiment.exceptions.back().place = "e.yaml:9:5";
  EXPECT_EQ(error(),
            "e.yaml:9:5: exception, params: workload 'a' has no parameter 'blok'; did you mean 'block'? "
            "(parameters: block, n)");
}

TEST(Points, AnExceptionIsOfPointsThatHaveItsLabels) {
  Experiment experiment;
  experiment.workloads = {{"a", {"a"}}, {"b+c", {"b", "c"}}};
  ExperimentException exception;
  exception.match = {{"arrival", {"*"}}};
  exception.cycles = 9;
  experiment.exceptions = {exception};
  const std::vector<Point> points = points_of(experiment);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].limits.cycles, 0U) << "it does not arrive";
  EXPECT_EQ(points[1].limits.cycles, 9U);
}

TEST(Points, AnExceptionThatMatchesNothingIsASlip) {
  Experiment experiment = two_by_two();
  ExperimentException exception;
  exception.match = {{"workload", {"c"}}};
  exception.skip = true;
  exception.place = "e.yaml:7:3";
  experiment.exceptions = {exception};
  try {
    points_of(experiment);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("e.yaml:7:3: no point"));
  }
}

TEST(Points, SeedsAndRepetitionsAreOfWhatDraws) {
  Experiment experiment;
  experiment.workloads = {{"a", {"a"}}, {"a+b", {"a", "b"}}};
  experiment.arrivals = {"100", "0-50"};
  experiment.seeds = {1, 2};
  experiment.repetitions = 2;
  EXPECT_THAT(texts_of(experiment),
              ElementsAre("a", "a+b arrival=100 seed=1 repetition=1", "a+b arrival=0-50 seed=1 repetition=1",
                          "a+b arrival=0-50 seed=1 repetition=2", "a+b arrival=0-50 seed=2 repetition=1",
                          "a+b arrival=0-50 seed=2 repetition=2"));
}

TEST(Points, ATimedWorkloadIsAPointWithASeedOfItsOwn) {
  Experiment experiment;
  ExperimentWorkload timed{"ercbench", {"ercbench"}};
  timed.timed = true;
  experiment.workloads = {timed};
  experiment.repetitions = 2;
  const std::vector<Point> points = points_of(experiment);
  ASSERT_EQ(points.size(), 2U);
  ASSERT_TRUE(points[0].timed && points[1].timed);
  EXPECT_EQ(points[0].timed->seed, 1U);
  EXPECT_NE(points[1].timed->seed, 1U);
  EXPECT_THAT(points[1].timed->arrivals, ElementsAre("100"));
}

TEST(Points, AProgramAloneRunsUnderFifoOnTheSameMachine) {
  Experiment experiment;
  experiment.workloads = {{"a+b", {"a", "b:large"}}};
  experiment.tb_policies = {"srtf"};
  experiment.schedulers = {"lrr"};
  const RunOptions alone = alone_run_options(points_of(experiment).front(), 1);
  EXPECT_EQ(alone.workload, "b:large");
  EXPECT_THAT(alone.beside, IsEmpty());
  EXPECT_THAT(alone.arrivals, ElementsAre(0));
  EXPECT_EQ(alone.scheduler, "lrr");
  EXPECT_EQ(alone.config.assignments.back(), "tb_dispatcher.policy=fifo");
}

}  // namespace
}  // namespace heddle
