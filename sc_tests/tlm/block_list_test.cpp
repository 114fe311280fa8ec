#include "tlm/block_list.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace heddle {
namespace {

using Log = std::vector<std::string>;

/// Writes down what is asked of it.
struct FakeBlock {
  const char* basename() const { return name.c_str(); }
  bool idle() const { return is_idle; }
  void settle() { log.push_back("settle " + name); }
  void report(StatSink& sink) const { sink.count(name + "_figure", 1, "", ""); }
  void trace(WaveSink& sink) { sink.signal(signal, 1, name + "_signal"); }
  std::string name;
  Log& log;
  bool is_idle = true;
  std::uint64_t signal = 0;
};

struct StatLog : StatSink {
  explicit StatLog(Log& told) : log(told) {}
  void enter(std::string_view scope) override { log.push_back("enter " + std::string(scope)); }
  void leave() override { log.emplace_back("leave"); }
  void count(std::string_view name, std::uint64_t /*value*/, std::string_view /*unit*/,
             std::string_view /*description*/) override {
    log.emplace_back(name);
  }
  void level(std::string_view name, double /*value*/, std::string_view /*unit*/,
             std::string_view /*description*/) override {
    log.emplace_back(name);
  }
  Log& log;
};

struct WaveLog : WaveSink {
  explicit WaveLog(Log& told) : log(told) {}
  void enter(std::string_view scope) override { log.push_back("enter " + std::string(scope)); }
  void leave() override { log.emplace_back("leave"); }
  bool wanted() const override { return true; }
  void signal(const std::uint64_t& /*variable*/, unsigned /*bits*/, std::string_view name) override {
    log.emplace_back(name);
  }
  void enumeration(const std::uint64_t& /*variable*/, std::string_view name,
                   const std::vector<std::string>& /*names*/) override {
    log.emplace_back(name);
  }
  Log& log;
};

struct BlockListTest : ::testing::Test {
  BlockListTest() {
    list.add(b);
    list.add_without_scope(a);
    list.add(c);
  }
  Log log;
  FakeBlock a{"a", log};
  FakeBlock b{"b", log};
  FakeBlock c{"c", log};
  BlockList list;
};

TEST_F(BlockListTest, IsIdleWhenEveryBlockIs) {
  EXPECT_TRUE(list.idle());
  for (FakeBlock* const block : {&a, &b, &c}) {
    block->is_idle = false;
    EXPECT_FALSE(list.idle()) << block->name;
    block->is_idle = true;
  }
  EXPECT_TRUE(list.idle());
}

TEST_F(BlockListTest, SettlesEachBlockOnceInItsOrder) {
  list.settle();
  EXPECT_EQ(log, (Log{"settle b", "settle a", "settle c"}));
}

TEST_F(BlockListTest, ReportsEachBlockInAScopeOfItsNameUnlessTold) {
  StatLog sink(log);
  list.report(sink);
  EXPECT_EQ(log, (Log{"enter b", "b_figure", "leave", "a_figure", "enter c", "c_figure", "leave"}));
}

TEST_F(BlockListTest, TracesEachBlockInAScopeOfItsNameUnlessTold) {
  WaveLog sink(log);
  list.trace(sink);
  EXPECT_EQ(log, (Log{"enter b", "b_signal", "leave", "a_signal", "enter c", "c_signal", "leave"}));
}

}  // namespace
}  // namespace heddle
