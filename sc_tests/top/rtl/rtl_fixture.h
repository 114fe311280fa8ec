// The built program with verilated twins. Those of a configuration are built once for all tests of a build
// tree.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "sc_tests/top/commands/command_line_fixture.h"

namespace heddle {

/// A program that can be started.
inline bool has_tool(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

using Words = std::vector<std::string>;

inline Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Scattered loads that lose locality, on one SM.
inline const Words kSpmv{"spmv", "--param", "rows=512", "--config", "oaws", "--set", "core.sms=1"};
/// A small SM: twins of it are built in seconds.
inline const Words kEightWarps{"--set", "core.warps=8",   "--set", "core.threads=256",
                               "--set", "core.tb_slots=4"};
/// Few victim tags for each of its warps: a twin of CCWS for more takes minutes to build.
inline Words few_tags(const std::string& entries, const std::string& ways) {
  return with(kEightWarps,
              {"--set", "scheduler.ccws.vta_entries=" + entries, "--set", "scheduler.ccws.vta_ways=" + ways});
}
/// The same on such an SM.
inline const Words kCcwsKernel = with(kSpmv, few_tags("8", "4"));

/// OAWS's DLC is most of its twins.
inline const Words kFewLoads{"--set", "scheduler.oaws.dlc_entries=4"};

/// Half of the usual warps: the twins of ipaws, pro and oaws for all take half a minute to build.
inline const Words kHalfTheWarps{"--set", "core.warps=24", "--set", "core.threads=768"};

/// A scheduler, at a size at which its twin is built in seconds.
inline Words of_scheduler(const std::string& name) {
  const Words words{"--scheduler", name};
  if (name == "ccws") return with(words, few_tags("2", "2"));
  const bool large = name == "ipaws" || name == "pro" || name == "oaws_dynamic";
  return large ? with(words, kHalfTheWarps) : words;
}

class RtlProgram : public BuiltProgram {
 protected:
  /// Twins run for a moment here: optimizing them takes longer.
  void SetUp() override {
    BuiltProgram::SetUp();
    setenv("CXXFLAGS", "-O0", 1);
  }
  /// A cache that all tests of this build tree share, so that each twin is built once.
  static std::string cache() { return (fs::path(test::program()).parent_path() / "rtl-cache").string(); }
  static std::string sources() { return test::source_dir() + "/rtl"; }

  /// The SystemVerilog with one text of one of its files replaced: a folder for --rtl-sources.
  std::string mutated(const std::string& file, const std::string& text, const std::string& by) const {
    const fs::path folder = folder_ / "rtl";
    fs::remove_all(folder);
    fs::copy(sources(), folder, fs::copy_options::recursive);
    std::ostringstream whole;
    whole << std::ifstream(folder / file).rdbuf();
    std::string source = whole.str();
    const std::size_t at = source.find(text);
    EXPECT_NE(at, std::string::npos) << file << " has no '" << text << "'";
    if (at != std::string::npos) source.replace(at, text.size(), by);
    std::ofstream(folder / file) << source;
    return folder.string();
  }

  ProgramOutcome run_with(const std::string& impl, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    for (const std::string& word :
         {std::string("--quiet"), std::string("--impl"), impl, std::string("--rtl-cache"), cache()}) {
      arguments.push_back(word);
    }
    return run(arguments);
  }
};

}  // namespace heddle
