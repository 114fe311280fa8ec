#include "base/observe.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "hw/order/age_order.h"
#include "hw/order/in_place_sorter.h"
#include "hw/storage/counter_array.h"
#include "hw/storage/register.h"
#include "hw/storage/table.h"
#include "sc_tests/support/stat_values.h"

namespace heddle::hw {
namespace {

class Waves : public WaveSink {
 public:
  void enter(std::string_view scope) override { path_ += std::string(scope) + "."; }
  void leave() override { path_.erase(path_.rfind('.', path_.size() - 2) + 1); }
  bool wanted() const override { return true; }
  void signal(const std::uint64_t& variable, unsigned bits, std::string_view name) override {
    variables[path_ + std::string(name)] = &variable;
    widths[path_ + std::string(name)] = bits;
  }
  void enumeration(const std::uint64_t& variable, std::string_view name,
                   const std::vector<std::string>& /*names*/) override {
    signal(variable, 64, name);
  }
  std::uint64_t at(const std::string& name) const { return *variables.at(name); }

  std::map<std::string, const std::uint64_t*> variables;
  std::map<std::string, unsigned> widths;

 private:
  std::string path_;
};

TEST(Part, ReportsItsUse) {
  using Uses = std::map<std::string, double>;
  const auto uses_of = [](const Part& part) {
    heddle::test::StatValues values;
    part.report(values);
    return values.values;
  };
  CounterArray counters(Owner{}, "c", {4, 8, Overflow::kSaturate, 1, 1, 1, false, 0});
  counters.read(0, 1);
  counters.write(0, 1, 300);
  counters.add(0, 1, 1);
  EXPECT_EQ(uses_of(counters), (Uses{{"reads", 2},
                                     {"writes", 2},
                                     {"compares", 0},
                                     {"adds", 1},
                                     {"selects", 0},
                                     {"overflows", 2},
                                     {"port_conflicts", 0}}));
  // To find the n oldest, each of three members counts those before it, and compares.
  AgeOrderShape shape;
  shape.first_n = true;
  AgeOrder ages(Owner{}, "a", shape);
  for (const unsigned index : {5U, 3U, 8U}) ages.append(0, index);
  ages.oldest(0, ~0ULL);
  ages.oldest_n(~0ULL, 2);
  const Uses uses = uses_of(ages);
  EXPECT_EQ(uses.at("writes"), 3);
  EXPECT_EQ(uses.at("compares"), 3);
  EXPECT_EQ(uses.at("adds"), 3);
  EXPECT_EQ(uses.at("selects"), 1);
}

TEST(Part, ShowsItsContentsAsWavesOfItsWidth) {
  Register reg(Owner{}, "r", {5, Overflow::kWrap, 7});
  CounterArray counters(Owner{}, "c", {4, 8, Overflow::kWrap, 1, 1, 1, false, 0});
  Table table(Owner{}, "t", TableShape::cam(2, 6, {{"hits", 3}}));
  Waves waves;
  reg.trace(waves);
  counters.trace(waves);
  table.trace(waves);
  EXPECT_EQ(waves.at("r"), 7U);
  EXPECT_EQ(waves.widths.at("r"), 5U);
  counters.write(0, 3, 200);
  EXPECT_EQ(waves.at("c.entry3"), 200U);
  EXPECT_EQ(waves.widths.at("c.entry3"), 8U);
  const unsigned line = table.insert(0, 0, 9);
  table.write(0, line, 0, 5);
  EXPECT_EQ(waves.at("t.line0.tag"), 9U);
  EXPECT_EQ(waves.at("t.line0.hits"), 5U);
  EXPECT_EQ(waves.at("t.line0.valid"), 1U);
}

TEST(Part, ShowsTheOrderInForceOfASorter) {
  Owner owner;
  owner.timing = Timing::kHardware;
  InPlaceSorterShape shape;
  shape.entries = 2;
  shape.cycles_per_compare = 4;
  shape.dynamic = false;
  InPlaceSorter sorter(owner, "s", shape);
  Waves waves;
  sorter.trace(waves);
  const std::uint64_t keys[] = {2, 1};
  sorter.start(0, keys, SortDirection::kAscending);
  sorter.advance(3);
  EXPECT_EQ(waves.at("s.busy"), 1U);
  EXPECT_EQ(waves.at("s.place0"), 0U);
  sorter.advance(4);
  EXPECT_EQ(waves.at("s.busy"), 0U);
  EXPECT_EQ(waves.at("s.place0"), 1U);
}

}  // namespace
}  // namespace heddle::hw
