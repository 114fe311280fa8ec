// What PRO tells of itself.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "modules/warp_scheduler/policies/pro/parameters.h"
#include "sc_tests/modules/warp_scheduler/policies/pro/pro_rig.h"

namespace heddle {
namespace {

using testing::ProRig;

/// Reads statistics by name, with their scopes.
class Values : public StatSink {
 public:
  void enter(std::string_view scope) override { path_ += std::string(scope) + "."; }
  void leave() override { path_.erase(path_.rfind('.', path_.size() - 2) + 1); }
  void count(std::string_view name, std::uint64_t value, std::string_view /*unit*/,
             std::string_view /*description*/) override {
    values[path_ + std::string(name)] = static_cast<double>(value);
  }
  void level(std::string_view name, double value, std::string_view /*unit*/,
             std::string_view /*description*/) override {
    values[path_ + std::string(name)] = value;
  }
  std::map<std::string, double> values;

 private:
  std::string path_;
};

std::map<std::string, double> report_of(const ProRig& rig) {
  Values values;
  rig.policy->report(values);
  return values.values;
}

// A row of PRO table IV: the TBs of the grid in their order when the threshold ran out.
TEST(ProReportTest, LogsTheOrderOfTheBlocksAtEachThreshold) {
  ProParameters pro;
  pro.logged_sorts = 2;
  pro.cycles_per_compare = 4;
  ProRig rig(hw::Timing::kHardware, pro);
  rig.start_all(3);
  rig.update_at(100);
  rig.issue(8);
  rig.arrive(4);
  rig.update_at(1000);
  EXPECT_EQ(report_of(rig).at("sort0.cycle"), -1);  // not yet in force
  rig.update_at(1400);
  const std::map<std::string, double> first = report_of(rig);
  EXPECT_EQ(first.at("sort0.cycle"), 1000);
  EXPECT_EQ(first.at("sort0.place0"), 11);
  EXPECT_EQ(first.at("sort0.place1"), 12);
  EXPECT_EQ(first.at("sort0.place2"), 10);
  EXPECT_EQ(first.at("sort0.place3"), -1);
  EXPECT_EQ(first.at("sort1.cycle"), -1);
}

TEST(ProReportTest, CountsSortsStatesAndInstructionsUnderAStaleOrder) {
  ProParameters pro;
  pro.cycles_per_compare = 10;
  ProRig rig(hw::Timing::kHardware, pro);
  rig.start_all(2);
  rig.update_at(500);
  rig.arrive(4);
  rig.cycle = 509;
  rig.issue(5);
  rig.cycle = 510;  // the TBs are sorted, their warps not yet: three comparisons at least
  rig.issue(5);
  rig.issue(0);
  const std::map<std::string, double> values = report_of(rig);
  EXPECT_EQ(values.at("issues_under_stale_tb_order"), 1);
  EXPECT_EQ(values.at("issues_under_stale_warp_order"), 2);
  EXPECT_EQ(values.at("issues.barrierWait"), 2);
  EXPECT_EQ(values.at("issues.noWait"), 1);
  EXPECT_EQ(values.at("tb_order.swaps"), 1);
  EXPECT_EQ(values.at("tb_order.longest_cycles"), 10);
  EXPECT_EQ(values.at("warp_order.sorts"), 0);
  EXPECT_EQ(values.at("threshold_sorts"), 0);
}

}  // namespace
}  // namespace heddle
