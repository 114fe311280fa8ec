#include "top/timeline/request_log.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

MemoryRequest request(std::uint64_t id, Ticks born) {
  MemoryRequest made;
  made.access_id = id;
  made.born(Stage::kLdst, born);
  return made;
}

TEST(RequestLog, TellsTheL2BeforeDramFromTheL2AfterIt) {
  RequestLog log(0, 1000, 1);
  MemoryRequest read = request(0, 10);
  read.enter(Stage::kL1d, 10);
  read.enter(Stage::kL2, 30);
  read.enter(Stage::kDramQueue, 37);
  read.l2_before_dram = read.spent()[static_cast<unsigned>(Stage::kL2)];
  read.enter(Stage::kDram, 50);
  read.enter(Stage::kL2, 90);
  read.enter(Stage::kFill, 93);
  read.finish(94);
  log.add(read, 0xC0000000, 94);
  ASSERT_EQ(log.lives().size(), 1U);
  const RequestLife& life = log.lives()[0];
  const std::vector<std::pair<Stage, Ticks>> expected{{Stage::kL1d, 10},       {Stage::kL2, 30},
                                                      {Stage::kDramQueue, 37}, {Stage::kDram, 50},
                                                      {Stage::kL2, 90},        {Stage::kFill, 93}};
  ASSERT_EQ(life.visits, expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(life.visit[i].stage, expected[i].first);
    EXPECT_EQ(life.visit[i].from, expected[i].second);
    EXPECT_EQ(life.visit[i].to, i + 1 < expected.size() ? expected[i + 1].second : 94);
  }
  EXPECT_EQ(log.visits(), 6U);
}

TEST(RequestLog, KeepsOneInSoManyOfThoseThatLiveInTheWindow) {
  RequestLog log(100, 200, 3);
  for (std::uint64_t id = 0; id < 12; ++id) {
    MemoryRequest one = request(id, 100);
    one.finish(150);
    log.add(one, 0, 150);
  }
  for (const auto& [born, end] : {std::pair<Ticks, Ticks>{99, 150}, {150, 200}}) {
    MemoryRequest one = request(30, born);
    one.finish(end);
    log.add(one, 0, end);
  }
  ASSERT_EQ(log.lives().size(), 4U);
  EXPECT_EQ(log.lives()[1].id, 3U);
  log.thin();
  ASSERT_EQ(log.lives().size(), 2U);
  EXPECT_EQ(log.lives()[1].id, 6U);
  EXPECT_EQ(log.visits(), 2U);
  RequestLog none(0, 1000, 0);
  none.add(request(0, 5), 0, 6);
  EXPECT_TRUE(none.lives().empty());
}

}  // namespace
}  // namespace heddle
