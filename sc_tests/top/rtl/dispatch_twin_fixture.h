// Twins of what gives thread blocks to SMs (--twin): what is asked of each.
#pragma once

#include <algorithm>
#include <array>

#include "sc_tests/top/rtl/rtl_fixture.h"

namespace heddle {

class DispatchTwinRun : public RtlProgram {
 protected:
  void SetUp() override {
    if (!has_tool("verilator")) GTEST_SKIP() << "verilator is not installed (make check installs it)";
    RtlProgram::SetUp();
  }
  static Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// The run of the model alone: without the twin.
  static Words of_model(Words words) {
    const auto twin = std::find(words.begin(), words.end(), "--twin");
    words.erase(twin, twin + 2);
    words.insert(words.begin(), {"run", "--quiet"});
    return words;
  }
  /// lockstep.json of a run to its end, in which nothing differed.
  nlohmann::json compared(const Words& words, const std::string& twin) {
    const ProgramOutcome run = run_with("lockstep", with(words, {"--out", "run"}));
    EXPECT_EQ(run.code, 0) << run.err;
    auto compared = nlohmann::json::parse(read("run/lockstep.json"));
    EXPECT_EQ(compared["twin"], twin);
    EXPECT_EQ(compared["mismatch"], false);
    EXPECT_GT(compared["edges"], 20000) << "the run has to say something";
    return compared;
  }
  void expect_same_statistics(const std::string& a, const std::string& b) const {
    EXPECT_EQ(stats(a)["metrics"], stats(b)["metrics"]);
    EXPECT_EQ(stats(a)["instances"], stats(b)["instances"]);
  }
  /// The twin in the model's place gives what the model gives in hardware timing; results are in "rtl",
  /// "model".
  void expect_the_models_statistics(const Words& words) {
    ASSERT_EQ(run_with("rtl", with(words, {"--out", "rtl"})).code, 0);
    ASSERT_EQ(run(of_model(with(words, {"--out", "model", "--set", "scheduler.timing=hardware"}))).code, 0);
    expect_same_statistics("rtl", "model");
  }
  /// With the changed text the run ends with a message that has `said`; the cycles before it have `wave`.
  void expect_difference(const Words& words, const std::string& sources, const std::string& said,
                         const std::string& wave) {
    const ProgramOutcome run = run_with("lockstep", with(words, {"--out", "run", "--rtl-sources", sources}));
    EXPECT_EQ(run.code, 13) << run.err;
    EXPECT_NE(run.err.find(said), std::string::npos) << run.err;
    EXPECT_NE(read("run/lockstep.vcd").find(wave), std::string::npos);
    EXPECT_EQ(stats("run")["status"], "partial");
  }
  /// Each setting, and what the message says beside its key.
  void expect_refused(const Words& words, const std::vector<std::array<std::string, 2>>& settings) {
    for (const auto& [setting, said] : settings) {
      const ProgramOutcome run = run_with("lockstep", with(words, {"--set", setting, "--out", "refused"}));
      EXPECT_EQ(run.code, 3) << setting;
      EXPECT_NE(run.err.find(said), std::string::npos) << run.err;
      EXPECT_NE(run.err.find(setting.substr(0, setting.find('='))), std::string::npos) << run.err;
    }
  }
  /// A copy of what is handed over plays its vectors.
  void expect_plays_its_vectors(Words words) {
    words = with(words,
                 {"--vectors", "3000", "--quiet", "--rtl-cache", cache(), "--no-synthesis", "--out", "out"});
    words.insert(words.begin(), "handover");
    const ProgramOutcome handed = run(words);
    ASSERT_EQ(handed.code, 0) << handed.err;
    fs::rename(folder_ / "out", folder_ / "bare");
    ASSERT_EQ(std::system(("make -C " + (folder_ / "bare").string() + " check lint >" +
                           (folder_ / "make.txt").string() + " 2>&1")
                              .c_str()),
              0)
        << read("make.txt");
    EXPECT_NE(read("make.txt").find("PASS: 3000 clock cycles"), std::string::npos) << read("make.txt");
  }
  /// Its flip-flops are the model's, its area is near; how many they are.
  unsigned flip_flops_of_netlist(Words words) {
    words = with(words, {"--synthesize", "--format", "json"});
    words.insert(words.begin(), "cost");
    const ProgramOutcome cost = run(words);
    EXPECT_EQ(cost.code, 0) << cost.err;
    const auto netlist = nlohmann::json::parse(cost.out).at("netlist");
    EXPECT_EQ(netlist.at("flip_flops"), netlist.at("model").at("flip_flops"));
    EXPECT_NEAR(netlist.at("nand2").get<double>() / netlist.at("model").at("nand2").get<double>(), 1, 0.2);
    return netlist.at("flip_flops");
  }
};

}  // namespace heddle
