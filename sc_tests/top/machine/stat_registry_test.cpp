#include "top/machine/stat_registry.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace heddle {
namespace {

struct Block {
  std::uint64_t hits = 0;
  double peak = 0;
  void report(StatSink& sink) const {
    sink.count("hits", hits, "requests", "found in the cache");
    sink.level("peak", peak, "entries", "most entries in use");
  }
};

struct Machine {
  Block a;
  Block b;
  StatValues read(StatRegistry& registry) const {
    registry.begin();
    {
      StatScope sm(registry, "sm0");
      StatScope l1d(registry, "l1d");
      a.report(registry);
    }
    {
      StatScope sm(registry, "sm1");
      StatScope l1d(registry, "l1d");
      b.report(registry);
    }
    return registry.end();
  }
};

TEST(StatRegistry, KeepsNamesUnitsAndScopes) {
  StatRegistry registry;
  Machine machine;
  machine.a.hits = 7;
  machine.b.peak = 2.5;
  const StatValues values = machine.read(registry);
  ASSERT_EQ(registry.metrics().size(), 4U);
  EXPECT_EQ(registry.metrics()[0].full_name(), "sm0.l1d.hits");
  EXPECT_EQ(registry.metrics()[0].unit, "requests");
  EXPECT_EQ(registry.metrics()[0].description, "found in the cache");
  EXPECT_EQ(registry.metrics()[3].full_name(), "sm1.l1d.peak");
  EXPECT_FALSE(registry.metrics()[3].is_count);
  EXPECT_EQ(values.counts, (std::vector<std::uint64_t>{7, 0}));
  EXPECT_EQ(values.levels, (std::vector<double>{0, 2.5}));
}

// stats.json has scope and name apart, and the blocks of a kind under "block".
TEST(StatRegistry, RefusesNamesThatStatsJsonCantHold) {
  for (const char* const name : {"l1d.hits", "block", ""}) {
    StatRegistry registry;
    registry.begin();
    EXPECT_THROW(registry.count(name, 1, "requests", "d"), std::logic_error) << name;
  }
}

TEST(StatRegistry, DifferencesSubtractCountsAndKeepLevels) {
  StatRegistry registry;
  Machine machine;
  machine.a = {10, 3};
  const StatValues before = machine.read(registry);
  machine.a = {25, 4};
  machine.b = {5, 1};
  const StatValues span = difference(machine.read(registry), before);
  EXPECT_EQ(span.counts, (std::vector<std::uint64_t>{15, 5}));
  EXPECT_EQ(span.levels, (std::vector<double>{4, 1}));
}

TEST(StatRegistry, TotalsSumCountsAndTakeTheLargestLevel) {
  StatRegistry registry;
  Machine machine;
  machine.a = {10, 3};
  machine.b = {5, 9};
  const StatValues values = machine.read(registry);
  ASSERT_EQ(registry.total_metrics().size(), 2U);
  EXPECT_EQ(registry.total_metrics()[0].full_name(), "sm.l1d.hits");
  const StatValues totals = registry.totals(values);
  EXPECT_EQ(totals.counts, (std::vector<std::uint64_t>{15}));
  EXPECT_EQ(totals.levels, (std::vector<double>{9}));
  const TotalView view(registry, values);
  EXPECT_EQ(view.count("sm.l1d.hits"), 15U);
  EXPECT_THROW(view.count("sm.l1d.misses"), std::out_of_range);
}

TEST(StatRegistry, PassThatReportsOtherMetricsIsAnError) {
  StatRegistry registry;
  registry.begin();
  registry.count("a", 1, "cycles", "first");
  registry.end();
  registry.begin();
  EXPECT_THROW(registry.count("b", 1, "cycles", "second"), std::logic_error);
  registry.begin();
  EXPECT_THROW(registry.end(), std::logic_error);
}

TEST(StatRegistry, PassWithOtherScopesIsAnError) {
  StatRegistry registry;
  const auto pass = [&registry](const char* first, const char* second) {
    registry.begin();
    {
      const StatScope scope(registry, first);
      registry.count("a", 1, "cycles", "first");
      const StatScope inner(registry, second);
      registry.count("b", 2, "cycles", "second");
    }
    registry.count("c", 3, "cycles", "third");
    registry.end();
  };
  pass("x", "y");
  pass("x", "y");
  EXPECT_THROW(registry.enter("x"), std::logic_error);  // the pass is over
  registry.begin();
  EXPECT_THROW(registry.enter("z"), std::logic_error);
  EXPECT_THROW(registry.count("a", 1, "cycles", "first"), std::logic_error);  // outside of its scope
  registry.enter("x");
  registry.count("a", 1, "cycles", "first");
  registry.leave();  // "y" comes first
  EXPECT_THROW(registry.count("b", 2, "cycles", "second"), std::logic_error);
  EXPECT_THROW(registry.end(), std::logic_error);
}

TEST(KindOfScope, DropsNumbersOfInstancesOnly) {
  EXPECT_EQ(kind_of_scope("sm12.scheduler1"), "sm.scheduler");
  EXPECT_EQ(kind_of_scope("sm0.l1d"), "sm.l1d");
  EXPECT_EQ(kind_of_scope("partition3.l2"), "partition.l2");
  EXPECT_EQ(kind_of_scope("partition3.slice1.l2"), "partition.slice.l2");
  EXPECT_EQ(kind_of_scope(""), "");
}

}  // namespace
}  // namespace heddle
