#include <gtest/gtest.h>

#include "sc_tests/modules/l1d/l1d_rig.h"

namespace heddle::test {
namespace {

/// Keeps the signals by name, with their names of values.
class Signals : public WaveSink {
 public:
  void enter(std::string_view /*scope*/) override {}
  void leave() override {}
  bool wanted() const override { return true; }
  void signal(const std::uint64_t& variable, unsigned bits, std::string_view name) override {
    EXPECT_GE(bits, 1U);
    EXPECT_LE(bits, 64U);
    EXPECT_TRUE(variables.emplace(name, &variable).second) << "twice: " << name;
  }
  void enumeration(const std::uint64_t& variable, std::string_view name,
                   const std::vector<std::string>& value_names) override {
    signal(variable, 64, name);
    names[std::string(name)] = value_names;
  }
  std::string shown(const std::string& name) const { return names.at(name).at(*variables.at(name)); }
  std::uint64_t value(const std::string& name) const { return *variables.at(name); }
  std::map<std::string, const std::uint64_t*> variables;
  std::map<std::string, std::vector<std::string>> names;
};

TEST(L1dWave, TheExitOfThePipeShowsWhatHappensInItsCycleAlsoWhileAsleep) {
  Rig rig("rig", {});
  Signals signals;
  rig.l1d->trace(signals);
  rig.cpu->at(5, 0x1000);   // looked up at 9, filled at 23
  rig.cpu->at(10, 0x1000);  // merged at 14
  rig.cpu->at(40, 0x1000);  // hits at 44
  std::map<Cycle, std::string> head;
  std::map<Cycle, std::uint64_t> pipe;
  sc_core::sc_start(ns(0.5));
  for (Cycle cycle = 1; cycle < 60; ++cycle) {
    sc_core::sc_start(ns(1));
    head[cycle] = signals.shown("head");
    pipe[cycle] = signals.value("pipe_occupancy");
  }
  for (Cycle cycle = 1; cycle < 60; ++cycle) {
    const std::string expected = cycle == 9    ? "miss"
                                 : cycle == 14 ? "pending_hit"
                                 : cycle == 44 ? "hit"
                                               : "empty";
    EXPECT_EQ(head[cycle], expected) << "cycle " << cycle;
    const bool inside =
        (cycle >= 5 && cycle < 9) || (cycle >= 10 && cycle < 14) || (cycle >= 40 && cycle < 44);
    EXPECT_EQ(pipe[cycle], inside ? 1U : 0U) << "cycle " << cycle;
  }
}

TEST(L1dWave, ABlockedExitNamesItsReason) {
  Rig::Shape shape;
  shape.config.mshr.entries = 1;
  Rig rig("rig", shape);
  Signals l1d;
  Signals mshr;
  rig.l1d->trace(l1d);
  rig.mshr->trace(mshr);
  rig.cpu->at(5, 0x1000);
  rig.cpu->at(6, 0x2080);
  sc_core::sc_start(ns(15.5));
  EXPECT_EQ(l1d.shown("head"), "blocked");
  EXPECT_EQ(l1d.shown("blocked"), "mshr_entries");
  EXPECT_EQ(mshr.shown("refusal"), "mshr_entries");
  EXPECT_EQ(mshr.value("occupancy"), 1U);
  EXPECT_EQ(mshr.value("free_entries"), 0U);
  sc_core::sc_start(ns(50));
  EXPECT_EQ(l1d.shown("head"), "empty");
  EXPECT_EQ(l1d.shown("blocked"), "none");
  EXPECT_EQ(mshr.shown("refusal"), "none");
  EXPECT_EQ(mshr.value("occupancy"), 0U);
}

}  // namespace
}  // namespace heddle::test
