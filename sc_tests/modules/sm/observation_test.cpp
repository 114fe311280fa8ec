// What the issue stage and its schedulers report and show in waves.
#include <gtest/gtest.h>

#include "sc_tests/modules/sm/issue_rig.h"

namespace heddle {
namespace {

using testing::FakeKernel;
using testing::IssueRig;

class Scopes {
 protected:
  void push(std::string_view scope) { path_ += std::string(scope) + "."; }
  void pop() { path_.erase(path_.rfind('.', path_.size() - 2) + 1); }
  std::string path_;
};

class Recorder : public StatSink, private Scopes {
 public:
  void enter(std::string_view scope) override { push(scope); }
  void leave() override { pop(); }
  void count(std::string_view name, std::uint64_t value, std::string_view unit,
             std::string_view description) override {
    EXPECT_FALSE(unit.empty() || description.empty()) << name;
    EXPECT_TRUE(values.emplace(path_ + std::string(name), value).second) << "twice: " << path_ << name;
  }
  void level(std::string_view /*name*/, double /*value*/, std::string_view /*unit*/,
             std::string_view /*description*/) override {}
  std::map<std::string, std::uint64_t> values;
};

class Waves : public WaveSink, private Scopes {
 public:
  void enter(std::string_view scope) override { push(scope); }
  void leave() override { pop(); }
  bool wanted() const override { return true; }
  void signal(const std::uint64_t& variable, unsigned bits, std::string_view name) override {
    EXPECT_GE(bits, 1U);
    EXPECT_LE(bits, 64U);
    EXPECT_TRUE(variables.emplace(path_ + std::string(name), &variable).second) << "twice: " << path_ << name;
  }
  void enumeration(const std::uint64_t& variable, std::string_view name,
                   const std::vector<std::string>& names) override {
    EXPECT_GE(names.size(), 2U);
    signal(variable, 64, name);
  }
  std::map<std::string, const std::uint64_t*> variables;
};

TEST(ObservationTest, ReportsWhatHappened) {
  IssueRig rig;
  FakeKernel kernel(2, 64);
  kernel.fma({1}, {1});
  kernel.op(0).active = 0xFFU;
  kernel.load({2});
  kernel.op(1).active = 0;
  kernel.sfu({3}, {2});
  kernel.barrier();
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(500);
  Recorder stats;
  rig.issue->report(stats);
  EXPECT_EQ(stats.values.at("warp_instructions"), 20U);
  EXPECT_EQ(stats.values.at("thread_instructions"), 4U * (8 + 0 + 3 * 32));
  EXPECT_EQ(stats.values.at("lanes_0"), 4U);
  EXPECT_EQ(stats.values.at("lanes_1_8"), 4U);
  EXPECT_EQ(stats.values.at("lanes_32"), 12U);
  EXPECT_EQ(stats.values.at("sp_instructions"), 12U);
  EXPECT_EQ(stats.values.at("sfu_instructions"), 4U);
  EXPECT_EQ(stats.values.at("ldst_instructions"), 4U);
  EXPECT_EQ(stats.values.at("barriers"), 2U);
  for (const std::string scope : {"scheduler0.", "scheduler1."}) {
    EXPECT_EQ(stats.values.at(scope + "issued"), 10U);
    EXPECT_EQ(stats.values.at(scope + "cycles"), 500U);
    EXPECT_EQ(stats.values.at(scope + "issued") + stats.values.at(scope + "idle") +
                  stats.values.at(scope + "scoreboard") + stats.values.at(scope + "pipeline"),
              500U);
  }
}

TEST(ObservationTest, WavesShowTheSchedulersMasks) {
  IssueRig rig;
  FakeKernel kernel;
  kernel.fma({1}, {1});
  kernel.fma({1}, {1});
  kernel.exit();
  Waves waves;
  rig.issue->trace(waves);
  rig.fetch->trace(waves);
  rig.dispatcher->trace(waves);
  const auto value = [&](const std::string& name) { return *waves.variables.at(name); };
  std::vector<Cycle> issues;
  rig.issue->issuer.issued.listen(
      [&](const WarpInstruction& instruction) { issues.push_back(instruction.issued_at); });
  rig.dispatcher->launch(kernel, 0);
  Cycle cycle = 0;
  while (issues.empty()) rig.run_to(++cycle);
  EXPECT_EQ(value("scheduler0.selected"), 1U);
  EXPECT_EQ(value("scheduler0.issued"), 1U);
  EXPECT_EQ(value("scheduler0.selected_warp"), 0U);
  EXPECT_EQ(value("scheduler0.issue_class"), static_cast<std::uint64_t>(OpClass::kFp32Mad));
  EXPECT_EQ(value("scheduler0.issue_lanes"), kAllLanes);
  EXPECT_EQ(value("scheduler0.open_units"), 7U);
  EXPECT_EQ(value("scheduler0.ready"), 1U);
  EXPECT_EQ(value("scheduler0.cause"), static_cast<std::uint64_t>(IssueCause::kIssued));
  EXPECT_EQ(value("resident"), 1U);
  EXPECT_EQ(value("scheduler1.valid"), 0U);
  rig.run_to(cycle + 1);
  EXPECT_EQ(value("scheduler0.selected"), 0U);
  EXPECT_EQ(value("scheduler0.issued"), 0U);
  EXPECT_EQ(value("scheduler0.valid"), 1U);
  EXPECT_EQ(value("scheduler0.ready"), 0U);
  EXPECT_EQ(value("scoreboard_blocked"), 1U);
  EXPECT_EQ(value("scheduler0.cause"), static_cast<std::uint64_t>(IssueCause::kScoreboardAlu));
  EXPECT_EQ(value("resident_sm0"), 1U);
  rig.run_to(cycle + 60);
  EXPECT_EQ(value("resident"), 0U);
  EXPECT_EQ(value("scheduler0.cause"), static_cast<std::uint64_t>(IssueCause::kEmpty));
}

/// Two warps of a TB, a scheduler each, that meet at a barrier.
TEST(ObservationTest, WavesShowWhatPoliciesAreToldInTheCycleInWhichTheyAre) {
  IssueRig rig;
  FakeKernel kernel(1, 64);
  kernel.barrier();
  kernel.exit();
  Waves waves;
  rig.issue->trace(waves);
  const auto value = [&](const std::string& name) { return *waves.variables.at(name); };
  std::map<std::string, std::vector<std::pair<Cycle, std::uint64_t>>> told;
  const std::vector<std::string> masks{"tb_start",    "warp_start",  "barrier_arrive", "barrier_release",
                                       "warp_finish", "warp_retire", "tb_end"};
  std::vector<std::pair<Cycle, std::uint64_t>> expected;  // the same, by probes
  rig.issue->residency.tb_started.listen(
      [&](const TbTransaction& /*tb*/, Cycle cycle) { expected.emplace_back(cycle, 0); });
  rig.issue->residency.tb_finished.listen(
      [&](const TbTransaction& /*tb*/, Cycle cycle) { expected.emplace_back(cycle, 0); });
  std::vector<Cycle> issues;
  rig.issue->issuer.issued.listen(
      [&](const WarpInstruction& instruction) { issues.push_back(instruction.issued_at); });
  rig.dispatcher->launch(kernel, 0);
  for (Cycle cycle = 1; cycle < 200; ++cycle) {
    rig.run_to(cycle);
    for (const std::string& mask : masks) {
      const std::uint64_t shown = value("events." + mask);
      if (shown != 0) told[mask].emplace_back(cycle, shown);
    }
  }
  ASSERT_EQ(issues.size(), 4U);
  ASSERT_EQ(expected.size(), 2U);
  const auto in_all = [&](const std::string& mask) {
    std::uint64_t all = 0;
    for (const auto& [cycle, shown] : told[mask]) {
      EXPECT_EQ(all & shown, 0U) << mask << " twice";
      all |= shown;
    }
    return all;
  };
  for (const char* mask : {"warp_start", "barrier_arrive", "barrier_release", "warp_finish", "warp_retire"}) {
    EXPECT_EQ(in_all(mask), 3U) << mask;
  }
  EXPECT_EQ(in_all("tb_start"), 1U);
  EXPECT_EQ(in_all("tb_end"), 1U);
  EXPECT_EQ(told["tb_start"].front().first, expected.front().first);
  EXPECT_EQ(told["tb_end"].front().first, expected.back().first);
  EXPECT_EQ(told["warp_start"], (std::vector<std::pair<Cycle, std::uint64_t>>{{expected.front().first, 3}}));
  EXPECT_EQ(told["barrier_arrive"].front().first, issues.front());
  EXPECT_EQ(told["barrier_release"].front().first, issues[1]);
  EXPECT_EQ(told["warp_finish"].back().first, issues.back());
  EXPECT_EQ(value("events.missed"), 0U);
}

}  // namespace
}  // namespace heddle
