// What OAWS tells of its loads.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "modules/warp_scheduler/policies/oaws/parameters.h"
#include "sc_tests/modules/warp_scheduler/policies/oaws/oaws_rig.h"
#include "sc_tests/support/stat_table.h"

namespace heddle {
namespace {

using Counts = std::map<std::string, std::uint64_t>;
using testing::oaws_config;
using testing::OawsRig;

test::StatTable report_of(const OawsRig& rig) {
  test::StatTable table;
  rig.oaws.report(table);
  return table;
}

// 8 entries: a divergent load of 6 lanes, another one that finds no room until the first has its data, and
// one at a place that is not known to diverge.
TEST(OawsCounts, LoadsPredictionsAndWhatIsHeldBack) {
  GpuConfig gpu = oaws_config(4, 8);
  gpu.scheduler.settings.edit(oaws_parameters).miss_percent = 100;
  OawsRig rig(OawsPrediction::kStatic, gpu);
  rig.diverged();
  rig.diverged();  // known already
  for (unsigned w = 0; w < 3; ++w) rig.start(w);
  rig.next(0, rig.load, 6);
  rig.next(1, rig.load, 6);
  rig.next(2, rig.load, 32, 272);
  rig.step();
  rig.qualified();
  const std::uint64_t first = rig.issue(0);
  rig.step();
  rig.qualified();  // the second load is held back from here, cycle 2, on
  const std::uint64_t other = rig.issue(2);
  rig.step();
  rig.qualified();
  rig.left(first, 8);  // 2 more than predicted
  rig.left(other, 0, 1);
  rig.returned(8);
  for (unsigned i = 0; i < 5; ++i) rig.step();
  ASSERT_TRUE(rig.may_issue(1));
  const std::uint64_t second = rig.issue(1);  // in cycle 8
  rig.step();
  rig.left(second, 3);
  const test::StatTable table = report_of(rig);
  EXPECT_EQ(table.values, (Counts{{"loads", 3},
                                  {"predicted_misses", 6 + 1 + 6},
                                  {"misses", 8 + 0 + 3},
                                  {"predicted_too_low", 2},
                                  {"predicted_too_high", 1 + 3},
                                  {"held_loads", 1},
                                  {"held_cycles", 8 - 2},
                                  {"dlc_lookups", 3},
                                  {"dlc_hits", 2},
                                  {"dlc_insertions", 1},
                                  {"dlc_replacements", 0}}));
}

TEST(OawsCounts, AKnownLoadThatMakesRoomForAnotherIsCounted) {
  OawsRig rig(OawsPrediction::kStatic, oaws_config(4, 8));
  const unsigned known = OawsParameters().dlc_entries;
  for (unsigned i = 0; i < known + 2; ++i) rig.diverged(240 + 8 * i);
  const test::StatTable table = report_of(rig);
  EXPECT_EQ(table.values.at("dlc_insertions"), known + 2);
  EXPECT_EQ(table.values.at("dlc_replacements"), 2U);
}

// 127 fully cached loads raise OCW, as in OcwFollowsFullyCachedDivergentLoads.
TEST(OawsCounts, DivergentLoadsAndTheChangesOfOcw) {
  OawsRig rig(OawsPrediction::kDynamic, oaws_config(8, 32));
  rig.diverged();
  for (unsigned w = 0; w < 3; ++w) rig.start(w);
  const auto run = [&rig](unsigned loads, unsigned misses, unsigned hits) {
    for (unsigned i = 0; i < loads; ++i) {
      rig.next(0, rig.load);
      rig.step();
      rig.left(rig.issue(0), misses, hits);
      rig.returned(misses);
    }
  };
  run(127, 0, 32);
  test::StatTable table = report_of(rig);
  EXPECT_EQ(table.values.at("divergent_loads"), 127U);
  EXPECT_EQ(table.values.at("divergent_loads_fully_cached"), 127U);
  EXPECT_EQ(table.values.at("ocw_raised"), 1U);
  EXPECT_EQ(table.values.at("ocw_lowered"), 0U);
  EXPECT_EQ(table.levels.at("ocw"), 3);
  run(1, 2, 0);  // a coherent one teaches nothing
  {              // two accesses to each of 16 sets
    rig.diverged(304);
    rig.next(0, rig.load, 32, 304);
    rig.step();
    L1dAccess access;
    access.outcome = L1dOutcome::kHit;
    access.instruction = rig.issue(0);
    for (unsigned i = 0; i < 32; ++i) {
      access.cycle = 64 * rig.cycle + i;
      access.line.set = i % 16;
      rig.oaws.on_l1d_access(access);
    }
    rig.oaws.on_load_looked_up({rig.cycle, 0, 304, access.instruction, 32, 32, 0, 0});
  }
  unsigned others = 0;
  while (report_of(rig).levels.at("ocw") == 3 && others < 1000) {
    run(1, 32, 0);
    ++others;
  }
  table = report_of(rig);
  EXPECT_EQ(table.values.at("divergent_loads"), 128U + others);
  EXPECT_EQ(table.values.at("divergent_loads_fully_cached"), 128U);
  EXPECT_EQ(table.values.at("divergent_loads_associativity_sensitive"), 1U);
  EXPECT_EQ(table.values.at("ocw_raised"), 1U);
  EXPECT_EQ(table.values.at("ocw_lowered"), 1U);
  EXPECT_EQ(table.levels.at("ocw"), 2);
}

/// The outermost scope's variables by name.
class OccludeWaves : public WaveSink {
 public:
  void enter(std::string_view /*scope*/) override {}
  void leave() override {}
  bool wanted() const override { return true; }
  void signal(const std::uint64_t& variable, unsigned /*bits*/, std::string_view name) override {
    variables[std::string(name)] = &variable;
  }
  void enumeration(const std::uint64_t& /*variable*/, std::string_view /*name*/,
                   const std::vector<std::string>& /*names*/) override {}

  std::map<std::string, const std::uint64_t*> variables;
};

// A run would count uses of the parts that a run without waveforms doesn't have.
TEST(OawsCounts, WavesShowWhoOccludesWithoutARun) {
  OawsRig rig(OawsPrediction::kStatic, oaws_config(8, 32));
  OccludeWaves waves;
  rig.oaws.trace(waves);
  rig.start(0);
  rig.diverged();
  rig.next(0, rig.load);  // needs 16
  rig.step();
  static_cast<void>(rig.oaws.calls_for_run());
  const std::uint64_t& occlude = *waves.variables.at("occlude");
  EXPECT_EQ(occlude, 0U);
  rig.available(10);  // nobody has asked
  EXPECT_FALSE(rig.oaws.calls_for_run());
  EXPECT_EQ(occlude, 1U);
}

}  // namespace
}  // namespace heddle
