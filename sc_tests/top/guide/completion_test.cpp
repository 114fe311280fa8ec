#include "top/guide/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "sc_tests/top/commands/command_line_fixture.h"
#include "top/guide/manual.h"

namespace heddle {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using Paths = Completion::Paths;

std::vector<std::string> words(const std::vector<std::string>& line) {
  std::vector<std::string> texts;
  for (const Completion::Word& word : complete(line).words) texts.push_back(word.text);
  return texts;
}

TEST(Completion, OfCommands) {
  EXPECT_THAT(words({"co"}), ElementsAre("compare", "cost", "config", "completion"));
  EXPECT_THAT(words({""}), IsSupersetOf({"run", "help", "--version"}));
  EXPECT_THAT(words({"help", "sw"}), ElementsAre("sweep"));
  EXPECT_THAT(words({"nonsense", ""}), IsEmpty());
}

TEST(Completion, OfOptionsIsThatOfTheTables) {
  for (const CommandEntry& command : command_table()) {
    const auto known = words({command.name, "--"});
    const auto options = command.options();
    for (const auto& option : options.options()) {
      EXPECT_THAT(known, Contains("--" + option->long_name())) << command.name;
    }
    EXPECT_THAT(known, Contains("--color")) << command.name;
  }
  EXPECT_THAT(words({"run", "--vcd-w"}), ElementsAre("--vcd-window"));
  EXPECT_THAT(words({"cost", "--vcd"}), IsEmpty());
}

TEST(Completion, OfWhatThereIs) {
  EXPECT_THAT(words({"run", "at"}), ElementsAre("atax"));
  EXPECT_EQ(complete({"run", "at"}).paths, Paths::kFiles);
  EXPECT_THAT(words({"run", "atax:l"}), ElementsAre("atax:large"));
  EXPECT_THAT(words({"run", "atax", "--size", ""}), ElementsAre("large", "paper", "wide"));
  EXPECT_THAT(words({"run", "atax", "--param", ""}), ElementsAre("n=", "block="));
  EXPECT_THAT(words({"pairs", "erc"}), ElementsAre("ercbench"));
  EXPECT_THAT(words({"run", "erc"}), IsEmpty());
  EXPECT_THAT(words({"run", "x", "--config", "gtx"}), ElementsAre("gtx480"));
  EXPECT_THAT(words({"cost", "--technology", "osu"}), ElementsAre("osu018"));
  EXPECT_THAT(words({"run", "x", "--energy", ""}), Contains("gf100"));
  EXPECT_THAT(words({"list", "sch"}), ElementsAre("schedulers"));
  EXPECT_THAT(words({"sweep", "x", "--metric", "cycles,ipc_w"}), ElementsAre("cycles,ipc_warp"));
  EXPECT_THAT(words({"stats", "x", "--metric", "ipc_w"}), ElementsAre("ipc_warp"));
  EXPECT_THAT(words({"config", ""}), ElementsAre("show"));
  EXPECT_EQ(complete({"report", ""}).paths, Paths::kFiles) << "databases too";
  EXPECT_EQ(complete({"stats", ""}).paths, Paths::kFolders);
  EXPECT_EQ(complete({"run", "x", "--out", ""}).paths, Paths::kFolders);
  EXPECT_EQ(complete({"check", ""}).paths, Paths::kFiles);
}

TEST(Completion, OfChoicesIsWhatTheValueIsCalled) {
  EXPECT_THAT(words({"compare", "x", "--format", ""}), ElementsAre("text", "markdown", "csv", "json"));
  EXPECT_THAT(words({"compare", "x", "--format=c"}), ElementsAre("--format=csv"));
  EXPECT_THAT(words({"run", "x", "--color", "a"}), ElementsAre("auto", "always"));
}

TEST(Completion, OfSchedulersThatAreCombinedOrListed) {
  EXPECT_THAT(words({"run", "x", "--scheduler", "ip"}), ElementsAre("ipaws"));
  EXPECT_THAT(words({"run", "x", "--scheduler", "ccws+ip"}), ElementsAre("ccws+ipaws"));
  EXPECT_THAT(words({"run", "x", "--scheduler", "pro+"}), Not(Contains("pro+ccws")));
  EXPECT_THAT(words({"compare", "x", "--scheduler", "gto,oaws"}),
              ElementsAre("gto,oaws_static", "gto,oaws_dynamic"));
  EXPECT_THAT(words({"pairs", "x", "--policy", "fifo,srtf_"}), Contains("fifo,srtf_adaptive"));
}

TEST(Completion, OfConfigurationKeysAndTheirValues) {
  EXPECT_THAT(words({"run", "x", "--set", "scheduler.timi"}), ElementsAre("scheduler.timing="));
  EXPECT_THAT(words({"run", "x", "--set", "scheduler.timing="}),
              ElementsAre("scheduler.timing=ideal", "scheduler.timing=hardware"));
  EXPECT_THAT(words({"sweep", "x", "--set", "scheduler.timing=ideal,h"}),
              ElementsAre("scheduler.timing=ideal,hardware"));
  EXPECT_THAT(words({"run", "x", "--set", "scheduler.name=gt"}), ElementsAre("scheduler.name=gto"));
}

class Shells : public BuiltProgram {
 protected:
  /// What bash or zsh prints that runs `text` with the program's folder on its path.
  std::string shell(const std::string& command, const std::string& text) {
    const std::string script = write("script", text);
    const std::string bin = fs::path(test::program()).parent_path();
    const std::string line =
        "cd '" + folder_.string() + "' && PATH='" + bin + "':$PATH " + command + " script > shell.txt 2>&1";
    EXPECT_EQ(std::system(line.c_str()), 0) << read("shell.txt");
    return read("shell.txt");
  }
  /// What bash offers at the end of `line`, a word a line.
  std::string bash(const std::string& line) {
    return shell("bash --norc",
                 "source <(heddle completion bash)\n"
                 "COMP_LINE='" +
                     line +
                     "'; COMP_POINT=${#COMP_LINE}; COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'\n"
                     "_heddle; printf '%s\\n' \"${COMPREPLY[@]}\"\n");
  }
};

TEST_F(Shells, BashCompletes) {
  EXPECT_EQ(bash("heddle comp"), "compare\ncompletion\n");
  EXPECT_EQ(bash("heddle run ata"), "atax\n");
  EXPECT_EQ(bash("heddle run atax --sched"), "--scheduler\n");
  EXPECT_EQ(bash("heddle run atax --size "), "large\npaper\nwide\n");
  EXPECT_EQ(bash("heddle compare atax --scheduler gto,lr"), "gto,lrr\n");
  EXPECT_EQ(bash("heddle cost --format m"), "markdown\n");
}

// bash has split the word at ':' and '=' and replaces what follows.
TEST_F(Shells, BashCompletesAfterColonsAndEqualsSigns) {
  EXPECT_EQ(bash("heddle run atax:w"), "wide\n");
  EXPECT_EQ(bash("heddle cost --format=m"), "markdown\n");
  EXPECT_EQ(bash("heddle run atax --set scheduler.timing=h"), "hardware\n");
}

TEST_F(Shells, BashCompletesPaths) {
  write("mine.yaml", "");
  fs::create_directories(folder_ / "results");
  EXPECT_EQ(bash("heddle check mi"), "mine.yaml\n");
  EXPECT_EQ(bash("heddle report res"), "results\n");
  EXPECT_EQ(bash("heddle run mi"), "mine.yaml\n");
}

TEST_F(Shells, ZshCompletes) {
  if (std::system("command -v zsh > /dev/null") != 0) GTEST_SKIP() << "zsh is not installed";
  // compadd, as zsh calls it, prints what it is given.
  const std::string shown = shell("zsh -f",
                                  "compdef() { :; }\n_files() { print files; }\n"
                                  "compadd() { local name=${@[-1]}; print -l -- ${(P)name}; }\n"
                                  "eval \"$(heddle completion zsh)\"\n"
                                  "words=(heddle run ata); CURRENT=3; _heddle\n"
                                  "words=(heddle run atax --set scheduler.timing=h); CURRENT=5; _heddle\n"
                                  "words=(heddle run atax --set scheduler.timi); CURRENT=5; _heddle\n");
  EXPECT_EQ(shown, "atax\nfiles\nscheduler.timing=hardware\nscheduler.timing=\n");
}

TEST(Manual, HasEveryOptionOfACommand) {
  for (const CommandEntry& command : command_table()) {
    const std::string page = manual_page(command);
    EXPECT_EQ(page.find(".TH \"HEDDLE"), 0U);
    const auto options = command.options();
    for (const auto& option : options.options()) {
      std::string name = "--" + option->long_name();
      for (std::size_t at = 0; (at = name.find('-', at)) != std::string::npos; at += 2) name.insert(at, "\\");
      EXPECT_NE(page.find("\\fB" + name + "\\fR"), std::string::npos) << command.name << name;
    }
  }
  EXPECT_NE(manual_page().find("heddle\\-compare"), std::string::npos);
}

/// groff's own check of what it can't read.
TEST_F(Shells, ManualPagesAreWhatManReads) {
  if (std::system("command -v groff > /dev/null") != 0) GTEST_SKIP() << "groff is not installed";
  EXPECT_EQ(run({"__guide", "guide"}).code, 0);
  std::vector<std::string> pages{"heddle"};
  for (const CommandEntry& command : command_table()) pages.push_back("heddle-" + std::string(command.name));
  for (const std::string& page : pages) {
    const std::string file = "guide/man1/" + page + ".1";
    EXPECT_EQ(shell("bash --norc", "groff -man -ww -Tutf8 -P-cbou " + file + " > text.txt\n"), "") << page;
    EXPECT_NE(read("text.txt").find("DESCRIPTION"), std::string::npos) << page;
  }
}

TEST_F(Shells, TheGuideHasTheScriptsThatAreInstalled) {
  EXPECT_EQ(run({"__guide", "guide"}).code, 0);
  EXPECT_EQ(read("guide/bash/heddle"), run({"completion", "bash"}).out);
  EXPECT_EQ(read("guide/zsh/_heddle"), run({"completion", "zsh"}).out);
  write("file", "");
  EXPECT_EQ(run({"__guide", "file/guide"}).code, 6);
}

}  // namespace
}  // namespace heddle
