// What iPAWS reports, and the two schedulers that it holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "modules/warp_scheduler/policies/ipaws/ipaws.h"
#include "modules/warp_scheduler/policies/ipaws/parameters.h"
#include "sc_tests/modules/warp_scheduler/policies/ipaws/ipaws_fixture.h"
#include "sc_tests/support/stat_values.h"

namespace heddle {
namespace {

using testing::IpawsSm;

TEST_F(IpawsTest, ReportsThePatternAndItsConvexity) {
  IpawsSm& sm = make();
  convex_adapt(sm);
  sm.begin(11);
  test::StatValues values;
  sm.policy->report(values);
  EXPECT_EQ(values.values["kernels"], 1);
  EXPECT_EQ(values.values["convex"], 1);
  EXPECT_EQ(values.values["members"], 4);
  EXPECT_EQ(values.values["of_interest"], 4);
  EXPECT_EQ(values.values["score_sum"], 28);
  EXPECT_EQ(values.values["twice_threshold"], 40);
  EXPECT_DOUBLE_EQ(values.values["degree_of_convexity"], 1.4);
}

/// Variables by name, of the outermost scope only.
class Waves : public WaveSink {
 public:
  void enter(std::string_view /*scope*/) override { ++depth_; }
  void leave() override { --depth_; }
  bool wanted() const override { return true; }
  void signal(const std::uint64_t& variable, unsigned /*bits*/, std::string_view name) override {
    if (depth_ == 0) variables[std::string(name)] = &variable;
  }
  void enumeration(const std::uint64_t& variable, std::string_view name,
                   const std::vector<std::string>& names) override {
    signal(variable, 64, name);
    values[std::string(name)] = names;
  }
  std::string of(const std::string& name) const { return values.at(name).at(*variables.at(name)); }

  std::map<std::string, const std::uint64_t*> variables;
  std::map<std::string, std::vector<std::string>> values;

 private:
  unsigned depth_ = 0;
};

TEST_F(IpawsTest, WavesShowPhaseAndDecision) {
  IpawsSm& sm = make();
  Waves waves;
  sm.policy->trace(waves);
  EXPECT_EQ(waves.of("phase"), "adapt");
  EXPECT_EQ(waves.of("decision"), "open");
  convex_adapt(sm);
  EXPECT_EQ(waves.of("phase"), "judge");
  EXPECT_EQ(*waves.variables["woi"], 0xfU);
  EXPECT_EQ(*waves.variables["score_sum"], 28U);
  EXPECT_EQ(*waves.variables["score_max"], 10U);
  EXPECT_EQ(waves.of("decision"), "open");
  sm.begin(11);
  EXPECT_EQ(waves.of("phase"), "recover");
  EXPECT_EQ(waves.of("decision"), "convex");
}

/// Lets warps below 2 issue only.
class LowestTwo final : public Qualifier {
 public:
  WarpMask qualify(std::uint64_t /*cycle*/, WarpMask issuable) override { return issuable & 3U; }
};
const QualifierEntry kLowestTwo{"lowest_two", "test", [](const PolicyContext&) -> std::unique_ptr<Qualifier> {
                                  return std::make_unique<LowestTwo>();
                                }};
void register_lowest_two() {
  static const bool kDone = (add_policy(kLowestTwo), true);
  static_cast<void>(kDone);
}

TEST_F(IpawsTest, AQualifierOfTheGreedySideHoldsOnlyWhileItIsChosen) {
  register_lowest_two();
  config_.scheduler.settings.edit(ipaws_parameters).greedy = "lowest_two+gto";
  config_.scheduler.settings.edit(ipaws_parameters).recover = false;
  IpawsSm& sm = make();
  sm.begin(1);
  sm.start_tb(0, 1, {0, 1, 2, 3});
  EXPECT_EQ(sm.select(0xc), kNoWarp);
  EXPECT_EQ(sm.select(0xe), 1U);
  sm.table.stale = 0x8;  // to be come to, not to be qualified
  EXPECT_EQ(sm.select(0xc), 3U);
  sm.table.stale = 0;
  EXPECT_EQ(sm.facet_of(0).admitted(1, 0xe), 0x2U);  // what a choice of several cycles is held against
  for (const unsigned w : {1U, 2U, 3U}) sm.issue_n(w, 2);
  sm.begin(2);
  sm.finish(0);
  sm.begin(3);
  EXPECT_EQ(sm.phase(), IpawsPhase::kExecuteFair);
  EXPECT_EQ(sm.select(0xc), 2U);
  EXPECT_EQ(sm.facet_of(0).admitted(sm.cycle, 0xe), 0xeU);
}

TEST_F(IpawsTest, BothSidesMayBeOfTheSameKind) {
  config_.scheduler.settings.edit(ipaws_parameters).greedy = "least_issued";
  config_.scheduler.settings.edit(ipaws_parameters).fair = "least_issued";
  IpawsSm& sm = make();
  std::vector<std::string> counters;
  for (const hw::Part* part : sm.inventory.parts()) {
    if (part->name() == "issued") counters.push_back(part->owner());
  }
  EXPECT_THAT(counters, ::testing::UnorderedElementsAre("sm0/ipaws/greedy/least_issued",
                                                        "sm0/ipaws/fair/least_issued", "sm0/ipaws"));
}

TEST_F(IpawsTest, RejectsInnerSchedulersThatDoNotExistOrChooseThemselves) {
  const auto error = [this] {
    try {
      make();
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  config_.scheduler.settings.edit(ipaws_parameters).greedy = "gtx";
  EXPECT_THAT(error(), ::testing::AllOf(::testing::HasSubstr("scheduler.ipaws.greedy: "),
                                        ::testing::HasSubstr("'gtx' is unknown; did you mean 'gto'")));
  config_.scheduler.settings.edit(ipaws_parameters).greedy = "gto";
  config_.scheduler.settings.edit(ipaws_parameters).fair = "ipaws";
  EXPECT_THAT(error(), ::testing::HasSubstr("scheduler.ipaws.fair: expected a scheduler that does not choose "
                                            "between others itself, found 'ipaws'"));
}

}  // namespace
}  // namespace heddle
