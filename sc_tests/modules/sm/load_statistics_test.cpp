#include "modules/sm/load_statistics.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sc_tests/support/fake_kernel.h"
#include "sc_tests/support/stat_table.h"

namespace heddle {
namespace {

class LoadStatisticsTest : public ::testing::Test {
 protected:
  WarpInstruction load(std::uint64_t id, std::uint32_t index, Cycle issued_at) {
    WarpInstruction result;
    result.id = id;
    result.index = index;
    result.pc = kernel_.code_base() + index * std::uint64_t{Instruction::kBytes};
    result.issued_at = issued_at;
    result.launch = &kernel_;
    return result;
  }
  void access(std::uint64_t id, L1dOutcome outcome, Cycle occluded) {
    L1dAccess event;
    event.instruction = id;
    event.outcome = outcome;
    statistics_.accessed(event, occluded);
  }
  std::map<std::string, double> values() const {
    test::StatTable table;
    statistics_.report(table);
    std::map<std::string, double> values = table.levels;
    for (const auto& [name, value] : table.values) values[name] = static_cast<double>(value);
    return values;
  }

  testing::FakeKernel kernel_;
  LoadStatistics statistics_{4};
};

TEST_F(LoadStatisticsTest, OcclusionIsFromIssueToTheLastLookUp) {
  const WarpInstruction divergent = load(1, 30, 100);
  const WarpInstruction coherent = load(2, 34, 110);
  statistics_.issued(divergent, 3, 50);
  statistics_.issued(coherent, 0, 55);
  access(1, L1dOutcome::kMiss, 55);
  access(1, L1dOutcome::kRefused, 56);
  access(1, L1dOutcome::kMerged, 60);
  access(1, L1dOutcome::kHit, 70);
  access(2, L1dOutcome::kHit, 75);
  statistics_.completed(coherent, 150);
  statistics_.completed(divergent, 200);
  const auto got = values();
  EXPECT_EQ(got.at("divergent.loads"), 1);
  EXPECT_EQ(got.at("divergent.latency"), 100);
  EXPECT_EQ(got.at("divergent.occlusion"), 20);
  EXPECT_EQ(got.at("divergent.fully_cached"), 0);
  EXPECT_EQ(got.at("divergent.accesses"), 3);
  EXPECT_EQ(got.at("divergent.mshr_entries"), 1);
  EXPECT_EQ(got.at("coherent.latency"), 40);
  EXPECT_EQ(got.at("coherent.occlusion"), 20);
  EXPECT_EQ(got.at("coherent.fully_cached"), 1);
  EXPECT_EQ(got.at("load1.pc"), 240);
  EXPECT_EQ(got.at("load1.age3.loads"), 1);
  EXPECT_EQ(got.at("load1.age3.mshr_entries"), 1);
  EXPECT_EQ(got.at("load0.pc"), 272);
  EXPECT_EQ(got.at("load0.age0.loads"), 1);
}

TEST_F(LoadStatisticsTest, CountsWhatWarpsOfEachAgeIssue) {
  for (const unsigned age : {2U, 0U, 2U}) statistics_.executed(age);
  const auto got = values();
  EXPECT_EQ(got.at("age0.issued"), 1);
  EXPECT_EQ(got.at("age1.issued"), 0);
  EXPECT_EQ(got.at("age2.issued"), 2);
}

TEST_F(LoadStatisticsTest, LoadsThatAreNotLookedUpAreNotCounted) {
  const WarpInstruction bypassing = load(1, 3, 10);
  statistics_.issued(bypassing, 0, 0);
  statistics_.completed(bypassing, 90);
  EXPECT_EQ(values().at("coherent.loads"), 0);
}

TEST_F(LoadStatisticsTest, TellsTheFirstLoadsApart) {
  for (unsigned i = 0; i < LoadStatistics::kPcs + 2; ++i) {
    const WarpInstruction one = load(i, i, 10);
    statistics_.issued(one, 0, 0);
    access(i, L1dOutcome::kMiss, 0);
    statistics_.completed(one, 20);
  }
  const auto got = values();
  EXPECT_EQ(got.at("load7.pc"), 56);
  EXPECT_EQ(got.at("coherent.loads"), 10);
}

TEST_F(LoadStatisticsTest, ALoadOfTwoLinesIsCoherentOneOfThreeDivergent) {
  for (const unsigned lines : {1U, 2U, 3U, 4U}) {
    const WarpInstruction one = load(lines, lines, 10);
    statistics_.issued(one, lines % 4, 0);
    for (unsigned i = 0; i < lines; ++i) access(lines, L1dOutcome::kMiss, 0);
    statistics_.completed(one, 20 + lines);
  }
  const auto got = values();
  EXPECT_EQ(got.at("coherent.loads"), 2);
  EXPECT_EQ(got.at("coherent.accesses"), 1 + 2);
  EXPECT_EQ(got.at("coherent.mshr_entries"), 1 + 2);
  EXPECT_EQ(got.at("coherent.latency"), 11 + 12);
  EXPECT_EQ(got.at("coherent.fully_cached"), 0);
  EXPECT_EQ(got.at("divergent.loads"), 2);
  EXPECT_EQ(got.at("divergent.accesses"), 3 + 4);
  EXPECT_EQ(got.at("divergent.mshr_entries"), 3 + 4);
}

TEST_F(LoadStatisticsTest, AnAccessThatWaitsForAReplayIsCountedWhenItIsLookedUpAgain) {
  const WarpInstruction one = load(1, 3, 10);
  statistics_.issued(one, 0, 0);
  for (const L1dOutcome outcome : {L1dOutcome::kQueued, L1dOutcome::kRefused, L1dOutcome::kMiss}) {
    access(1, outcome, 0);
  }
  statistics_.completed(one, 20);
  EXPECT_EQ(values().at("coherent.accesses"), 1);
  EXPECT_EQ(values().at("coherent.mshr_entries"), 1);
}

}  // namespace
}  // namespace heddle
