#include "top/reproduction/logs/first_warp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "sc_tests/top/intervals/intervals_fixture.h"

namespace heddle {
namespace {

class FirstWarpOfARun : public IntervalsOfRuns {
 protected:
  /// The last cycle of the interval in which the first warp of run "o" ends.
  std::string last_cycle() const {
    std::ifstream in(folder_ / "o" / "thread_blocks.json");
    std::uint64_t end = ~std::uint64_t{0};
    const auto log = nlohmann::json::parse(in);
    for (const auto& tb : log.at("launches").at(0).at("tbs")) {
      for (const auto& warp : tb.at("warps")) end = std::min(end, warp.at(1).get<std::uint64_t>());
    }
    return value("o", "SELECT min(last_cycle) FROM intervals WHERE last_cycle >= " + std::to_string(end));
  }
};

TEST_F(FirstWarpOfARun, HasTheCountsOfARunThatStopsThere) {
  const std::vector<std::string> words{"scalar_product", "--set", "core.sms=2", "--interval", "200"};
  const auto with = [&words](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  ASSERT_EQ(run_into("o", with({"--tb-log"})).code, 0);
  ASSERT_EQ(run_into("stopped", with({"--max-cycles", last_cycle()})).code, 7);
  const FirstWarp first(folder_ / "o");
  const auto whole = figures("o", "metrics");
  for (const auto& [name, count] : figures("stopped", "metrics")) {
    if (name != "sm.l1d.loads" && name != "sm.warp_instructions" && name != "partition.slice.loads") continue;
    EXPECT_EQ(first.value(name), count) << name;
    EXPECT_GT(count, 0) << name;
    EXPECT_LT(count, whole.at(name)) << name;
  }
  EXPECT_EQ(first.value("sm.no_such_count"), std::nullopt);
}

TEST_F(FirstWarpOfARun, HasNoneWithoutItsRecords) {
  ASSERT_EQ(run_into("o", {"vector_add", "--interval", "200"}).code, 0);
  EXPECT_EQ(FirstWarp(folder_ / "o").value("sm.l1d.loads"), std::nullopt) << "no log of its warps";
  EXPECT_EQ(FirstWarp(folder_ / "none").value("sm.l1d.loads"), std::nullopt);
}

}  // namespace
}  // namespace heddle
