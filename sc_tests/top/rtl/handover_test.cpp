// heddle handover: a folder that works without Heddle.
#include <fmt/format.h>

#include <algorithm>

#include "sc_tests/top/rtl/rtl_fixture.h"

namespace heddle {
namespace {

class HandoverCommand : public RtlProgram {
 protected:
  Words words(const std::string& scheduler, const Words& more = {}) const {
    const Words words{"handover", "histogram", "--param", "words=4096",  "--set", "core.sms=2",
                      "--out",    "out",       "--quiet", "--rtl-cache", cache(), "--no-synthesis"};
    return with(with(words, of_scheduler(scheduler)), more);
  }
  /// `make` in the bare copy: 0 when it passes; what it printed is in make.txt. Testbenches run for a moment,
  /// so that Verilator's makefile is told not to optimize them.
  int make(const std::string& target, const std::string& folder = "bare") const {
    return std::system(("make -C '" + (folder_ / folder).string() + "' " + target +
                        " OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 >" + (folder_ / "make.txt").string() +
                        " 2>&1")
                           .c_str());
  }
  std::string read_page() const { return read(std::string("out/README") + ".md"); }
  /// Of the ports that there are, all that the choice of the cycle has an effect on, and no others.
  void names_what_depends_on_the_choice() const {
    const std::string page = read_page();
    const std::size_t begin = page.find("may depend on\n`grant_o`");
    ASSERT_NE(begin, std::string::npos) << page;
    const std::string text = page.substr(begin, page.find("\n\n", begin) - begin);
    for (const char* const port : {"issue_i", "lanes_i", "arrive_i", "finish_i", "release_i", "take_i"}) {
      const std::string quoted = "`" + std::string(port) + "`";
      EXPECT_EQ(text.find(quoted) != std::string::npos, page.find("| " + quoted + " |") != std::string::npos)
          << port << ": " << text;
    }
  }
  /// Nothing of Heddle's is in reach of a copy of the folder.
  void copy_bare() {
    fs::rename(folder_ / "out", folder_ / "bare");
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "bare")) {
      if (entry.path().extension() != ".sv" && entry.path().extension() != ".f") continue;
      const std::string text = read(fs::relative(entry.path(), folder_).string());
      EXPECT_EQ(text.find(test::source_dir()), std::string::npos) << entry.path();
    }
  }
  void replace(const std::string& file, const std::string& text, const std::string& by) const {
    std::string whole = read(file);
    const std::size_t at = whole.find(text);
    ASSERT_NE(at, std::string::npos) << file << " has no '" << text << "'";
    write(file, whole.replace(at, text.size(), by));
  }
};

class Handover : public HandoverCommand {
 protected:
  void SetUp() override {
    if (!has_tool("verilator")) GTEST_SKIP() << "verilator is not installed (make check installs it)";
    HandoverCommand::SetUp();
  }
};

class HandoverOf : public Handover, public ::testing::WithParamInterface<const char*> {};

TEST_P(HandoverOf, PlaysItsVectorsInABareCopy) {
  const ProgramOutcome run =
      this->run(words(GetParam(), with(with(kEightWarps, kFewLoads), {"--vectors", "3000"})));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_FALSE(fs::exists(folder_ / "out/unfinished"));
  EXPECT_NE(read("out/twin.txt").find("scheduler " + std::string(GetParam()) + "\n"), std::string::npos);
  names_what_depends_on_the_choice();
  copy_bare();
  ASSERT_EQ(make("check lint"), 0) << read("make.txt");
  EXPECT_NE(read("make.txt").find("PASS: 3000 clock cycles"), std::string::npos) << read("make.txt");
}

// Those with different ports; lrr is below.
INSTANTIATE_TEST_SUITE_P(Schedulers, HandoverOf,
                         ::testing::Values("gto", "two_level_active", "pro", "ipaws", "swl", "oaws_static",
                                           "oaws_dynamic", "mascar", "ccws"),
                         [](const auto& scheduler) { return scheduler.param; });

// A vector that says something else, and a twin that does something else.
TEST_F(Handover, FailsForAWrongVectorAndForAWrongTwin) {
  ASSERT_EQ(run(words("lrr", with(kEightWarps, {"--vectors", "3000"}))).code, 0);
  copy_bare();
  ASSERT_EQ(make("check"), 0) << read("make.txt");
  const std::string vectors = read("bare/run/vectors.txt");
  // The first grant: the second number from the end of a line.
  std::istringstream lines(vectors);
  std::string line;
  while (std::getline(lines, line)) {
    const std::size_t passed = line.rfind(' ');
    const std::size_t grant = passed - 2;
    if (line.front() != '#' && line.find_first_not_of('0', grant) < passed) {
      std::string changed = line;
      changed.replace(grant, 2, "00");
      replace("bare/run/vectors.txt", line, changed);
      break;
    }
  }
  EXPECT_NE(make("check"), 0);
  const std::string cycle = line.substr(0, line.find(' '));
  EXPECT_NE(read("make.txt").find("core cycle " + cycle + ": grant_o: expected 00, found "),
            std::string::npos)
      << read("make.txt");

  write("bare/run/vectors.txt", vectors);
  replace("bare/rtl/schedulers/heddle_lrr.sv", "((n + 1 < Warps) ?", "((n + 2 < Warps) ?");
  EXPECT_NE(make("check"), 0);
  EXPECT_NE(read("make.txt").find("grant_o: expected "), std::string::npos) << read("make.txt");
}

TEST_F(Handover, ShowsTheTwinsWaves) {
  ASSERT_EQ(run(words("lrr", with(kEightWarps, {"--vectors", "300"}))).code, 0);
  copy_bare();
  ASSERT_EQ(make("check WAVES=twin.vcd"), 0) << read("make.txt");
  const std::string waves = read("bare/twin.vcd");
  EXPECT_NE(waves.find("grant_o"), std::string::npos);
  EXPECT_NE(waves.find("\n#"), std::string::npos) << "no time has passed";
}

TEST_F(Handover, ProvesWhatIsInTheFolderAlone) {
  if (!has_tool("yosys-smtbmc") || !has_tool("z3")) GTEST_SKIP() << "yosys and z3 are not installed";
  ASSERT_EQ(run(words("gto")).code, 0);
  copy_bare();
  if (fs::exists("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")) {
    ASSERT_EQ(make("equal ENTRIES=4"), 0) << read("make.txt");
    EXPECT_NE(read("make.txt").find("heddle_gto (Warps 4): "), std::string::npos) << read("make.txt");
  }
  ASSERT_EQ(make("prove ENTRIES=4"), 0) << read("make.txt");
  EXPECT_NE(read("make.txt").find("heddle_gto (Warps 4): "), std::string::npos) << read("make.txt");
  EXPECT_EQ(read("make.txt").find("heddle_two_level"), std::string::npos) << read("make.txt");
}

// Of pro without what the SM keeps of its TBs, of mascar as one netlist.
TEST_F(Handover, SynthesisesWhatItsCostIsOf) {
  if (!has_tool("yosys") || !has_tool("sta")) GTEST_SKIP() << "yosys and OpenSTA are not installed";
  Words words = this->words("mascar", with(kEightWarps, {"--vectors", "300"}));
  words.erase(std::find(words.begin(), words.end(), "--no-synthesis"));
  ASSERT_EQ(run(words).code, 0);
  const auto netlist = nlohmann::json::parse(read("out/cost.json")).at("netlist");
  copy_bare();
  ASSERT_EQ(make("synthesise"), 0) << read("make.txt");
  const std::string made = read("make.txt");
  EXPECT_NE(made.find("heddle_mascar_both NumWarps 8 "), std::string::npos) << made;
  EXPECT_NE(made.find(fmt::format("\nflip_flops {}\n", netlist.at("flip_flops").get<unsigned>())),
            std::string::npos)
      << made;
  EXPECT_NE(made.find(fmt::format("\nnand2 {:.1f}\n", netlist.at("nand2").get<double>())), std::string::npos)
      << made;

  ASSERT_EQ(run(this->words("pro", with(kEightWarps, {"--vectors", "300"}))).code, 0);
  const std::string twin = read("out/twin.txt");
  EXPECT_NE(twin.find("\nmodule heddle_pro_sm\n"), std::string::npos) << twin;
  EXPECT_NE(twin.find("\nsynthesised heddle_pro NumWarps 8 "), std::string::npos) << twin;

  if (!has_tool("cadical")) return;
  // With what proofs share.
  const std::string proof =
      "cd " + (folder_ / "out").string() + " && rtl/prove.sh 3 group_sorter_proof >proof.txt";
  EXPECT_EQ(std::system(proof.c_str()), 0) << read("out/proof.txt");
}

// Of a cache and a folder of any name. Make itself, which Verilator's testbenches are built by, has no paths
// with spaces.
TEST_F(Handover, WorksInAFolderWithSpaces) {
  Words words = this->words("swl+lrr", with(kEightWarps, {"--vectors", "300"}));
  std::replace(words.begin(), words.end(), std::string("out"), std::string("of a user/out"));
  std::replace(words.begin(), words.end(), cache(), (folder_ / "a cache").string());
  fs::create_directory(folder_ / "of a user");
  ASSERT_EQ(run(words).code, 0);
  std::string targets = "check lint BUILD=" + (folder_ / "build").string();
  if (has_tool("yosys-smtbmc") && has_tool("z3")) targets += " prove ENTRIES=3";
  if (fs::exists("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")) {
    targets += " equal";
    if (has_tool("sta")) targets += " synthesise";
  }
  fs::rename(folder_ / "of a user/out", folder_ / "bare folder");
  EXPECT_EQ(make(targets, "bare folder"), 0) << read("make.txt");
}

TEST_F(Handover, ReplacesAnEarlierOneWhenItIsWhole) {
  ASSERT_EQ(run(words("gto")).code, 0);
  ASSERT_TRUE(fs::exists(folder_ / "out/rtl/schedulers/heddle_gto.sv"));
  const std::string readme = read_page();
  for (const Words& wrong : {Words{"--param", "wrds=1"}, Words{"--set", "core.threads=64"},
                             Words{"--vectors-sm", "2"}, Words{"--rtl-sources", "nowhere"}}) {
    const ProgramOutcome refused = run(words("lrr", wrong));
    EXPECT_EQ(refused.code, 3) << refused.err;
    EXPECT_EQ(read_page(), readme) << wrong.front();
    EXPECT_TRUE(fs::exists(folder_ / "out/twin.txt"));
    EXPECT_TRUE(fs::exists(folder_ / "out/rtl/schedulers/heddle_gto.sv"));
    EXPECT_FALSE(fs::exists(folder_ / "out/unfinished"));
  }
  ASSERT_EQ(run(words("lrr")).code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "out/rtl/schedulers/heddle_gto.sv"));
  EXPECT_TRUE(fs::exists(folder_ / "out/rtl/schedulers/heddle_lrr.sv"));
}

TEST_F(Handover, OfARunThatTheUserEndsIsWholeAndSaysSo) {
  Words words = this->words("lrr", {"--max-cycles", "500"});
  words.erase(std::find(words.begin(), words.end(), "--quiet"));
  const ProgramOutcome cut = run(words);
  EXPECT_EQ(cut.code, 0) << cut.err;
  EXPECT_NE(cut.out.find("Results in out/run: "), std::string::npos) << cut.out;
  EXPECT_TRUE(fs::exists(folder_ / "out/run/stats.json"));
  EXPECT_TRUE(fs::exists(folder_ / "out/twin.txt"));
  EXPECT_NE(read_page().find("the first 500 core cycles of that run"), std::string::npos);
}

TEST_F(Handover, ListsItsFilesForOtherToolsAndHasTheLicence) {
  ASSERT_EQ(run(words("gto", {"--vectors", "300"})).code, 0);
  EXPECT_NE(read("out/LICENSE").find("Apache License"), std::string::npos);
  for (const char* const list : {"out/heddle_scheduler.f", "out/Bender.yml", "out/heddle_scheduler.core"}) {
    std::istringstream lines(read(list));
    unsigned files = 0;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t at = line.find("rtl/");
      if (at == std::string::npos || line.find(".sv") == std::string::npos) continue;
      ++files;
      EXPECT_TRUE(fs::exists(folder_ / "out" / line.substr(at))) << list << ": " << line;
    }
    EXPECT_GT(files, 5U) << list;
  }
  EXPECT_EQ(read_page().find("`rtl/formal/`") != std::string::npos, fs::exists(folder_ / "out/rtl/formal"));
}

TEST_F(Handover, ShowsThePoliciesAndWhatTheyHearOf) {
  ASSERT_EQ(run(words("swl", with(kEightWarps, {"--vectors", "3000"}))).code, 0);
  const std::string waves = read("out/run/waves.vcd");
  for (const char* const scope : {"scheduler0", "swl", "events"})
    EXPECT_NE(waves.find("$scope module " + std::string(scope) + " "), std::string::npos) << scope;
  EXPECT_EQ(waves.find("$scope module sm1 "), std::string::npos);
  const std::string here = fs::canonical(folder_ / "out/run").string();
  EXPECT_NE(read("out/run/waves.gtkw").find(here + "/waves.vcd"), std::string::npos);
}

TEST_F(HandoverCommand, LeavesNothingOfOneThatCantBegin) {
  const ProgramOutcome refused =
      run({"handover", "histgram", "--scheduler", "gto", "--no-synthesis", "--out", "new"});
  EXPECT_EQ(refused.code, 3) << refused.err;
  EXPECT_FALSE(fs::exists(folder_ / "new"));
}

TEST_F(HandoverCommand, KeepsAFolderWithOtherFilesAsItIs) {
  fs::create_directories(folder_ / "out");
  write("out/thesis.tex", "years");
  const ProgramOutcome refused = run(words("gto"));
  EXPECT_EQ(refused.code, 6) << refused.err;
  EXPECT_NE(refused.err.find("out: expected no files"), std::string::npos) << refused.err;
  EXPECT_EQ(read("out/thesis.tex"), "years");
  EXPECT_FALSE(fs::exists(folder_ / "out/rtl"));
}

TEST_F(HandoverCommand, RefusesASchedulerWithoutATwinAndTouchesNothing) {
  const ProgramOutcome refused = run(words("ocw_throttling"));
  EXPECT_EQ(refused.code, 3) << refused.err;
  EXPECT_NE(refused.err.find("'ocw_throttling' has no SystemVerilog twin"), std::string::npos) << refused.err;
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(HandoverCommand, WantsAFolderAWorkloadAndVectors) {
  EXPECT_EQ(run({"handover", "bfs"}).code, 2);
  EXPECT_EQ(run({"handover", "--out", "out"}).code, 2);
  for (const char* vectors : {"0", "-1", "10000001", "many"}) {
    const ProgramOutcome refused = run({"handover", "bfs", "--out", "out", "--vectors", vectors});
    EXPECT_EQ(refused.code, 2) << vectors;
    EXPECT_NE(refused.err.find("1 to 10000000"), std::string::npos) << refused.err;
  }
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(HandoverCommand, VectorsOfARunWantATwinAndAnSm) {
  const ProgramOutcome model = run({"run", "histogram", "--vectors", "10"});
  EXPECT_EQ(model.code, 2) << model.err;
  EXPECT_NE(model.err.find("--impl lockstep"), std::string::npos) << model.err;
  if (!has_tool("verilator")) GTEST_SKIP() << "verilator is not installed (make check installs it)";
  const ProgramOutcome sm = run_with("lockstep", {"histogram", "--set", "core.sms=2", "--scheduler", "lrr",
                                                  "--vectors", "10", "--vectors-sm", "2", "--out", "out"});
  EXPECT_EQ(sm.code, 3) << sm.err;
  EXPECT_NE(sm.err.find("expected an SM, 0 to 1, found 2"), std::string::npos) << sm.err;
}

}  // namespace
}  // namespace heddle
