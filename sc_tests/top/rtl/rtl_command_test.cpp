// heddle rtl: the package, the top and the list of files of a configuration.
#include <fstream>
#include <regex>
#include <set>

#include "sc_tests/top/rtl/rtl_fixture.h"

namespace heddle {
namespace {

class RtlCommand : public RtlProgram {
 protected:
  /// Nothing is written, and one message has these parts.
  void is_refused(const std::vector<std::string>& arguments, int code,
                  const std::vector<std::string>& parts) {
    const ProgramOutcome refused = run(arguments);
    EXPECT_EQ(refused.code, code) << refused.err;
    for (const std::string& part : parts) EXPECT_NE(refused.err.find(part), std::string::npos) << refused.err;
    EXPECT_FALSE(fs::exists(folder_ / "out"));
  }
};

TEST_F(RtlCommand, WritesTheConfigurationsValues) {
  ASSERT_EQ(run({"rtl", "--scheduler", "gto", "--set", "core.warps=20", "--set", "core.threads=640", "--set",
                 "core.schedulers=3", "--out", "out"})
                .code,
            0);
  const std::string package = read("out/heddle_config_pkg.sv");
  EXPECT_NE(package.find("parameter int unsigned NumWarps = 20;"), std::string::npos) << package;
  EXPECT_NE(package.find("parameter int unsigned NumSchedulers = 3;"), std::string::npos) << package;
  EXPECT_NE(read("out/heddle_scheduler.sv").find("heddle_gto_sm #("), std::string::npos);
}

TEST_F(RtlCommand, PutsAQualifierInFrontOfAPrioritizer) {
  ASSERT_EQ(run({"rtl", "--scheduler", "swl+lrr", "--out", "out"}).code, 0);
  const std::string top = read("out/heddle_scheduler.sv");
  EXPECT_NE(top.find("heddle_swl #(\n    .NumWarps(heddle_config_pkg::NumWarps)\n  ) i_qualifier"),
            std::string::npos)
      << top;
  EXPECT_NE(top.find(".ready_i(qualified_o & ~under_way_i)"), std::string::npos) << top;
  EXPECT_NE(read("out/heddle_scheduler.f").find("schedulers/heddle_swl.sv"), std::string::npos);
}

TEST_F(RtlCommand, ListsFilesThatAreThere) {
  ASSERT_EQ(run({"rtl", "--scheduler", "lrr", "--out", "out"}).code, 0);
  std::istringstream list(read("out/heddle_scheduler.f"));
  unsigned files = 0;
  for (std::string file; std::getline(list, file); ++files) {
    EXPECT_TRUE(fs::path(file).is_absolute()) << file;
    EXPECT_TRUE(fs::exists(file)) << file;
  }
  EXPECT_EQ(files, 6U);
}

TEST_F(RtlCommand, QuotesPathsWithSpaces) {
  ASSERT_EQ(run({"rtl", "--scheduler", "lrr", "--out", R"(an "out" folder)"}).code, 0);
  const std::string list = read(R"(an "out" folder/heddle_scheduler.f)");
  const std::string quoted =
      "\n\"" + (folder_ / R"(an \"out\" folder/heddle_scheduler.sv)").string() + "\"\n";
  EXPECT_NE(list.find(quoted), std::string::npos) << list;
  EXPECT_EQ(list.front(), '/') << "the others are as they were";
  if (!has_tool("verilator")) GTEST_SKIP() << "verilator is not installed (make check installs it)";
  const std::string lint = "cd " + folder_.string() +
                           " && verilator --lint-only --top-module heddle_scheduler -f "
                           "'an \"out\" folder/heddle_scheduler.f' >lint.txt 2>&1";
  EXPECT_EQ(std::system(lint.c_str()), 0) << read("lint.txt");
}

/// What the files have instances of, in their properties, too.
std::set<std::string> instantiated_by(const std::vector<fs::path>& files) {
  static const std::regex kInstance(R"(^\s*(heddle_\w+) #\()");
  std::set<std::string> modules;
  for (const fs::path& file : files) {
    std::ifstream in(file);
    std::smatch found;
    for (std::string line; std::getline(in, line);) {
      if (std::regex_search(line, found, kInstance)) modules.insert(found[1]);
    }
  }
  return modules;
}

// Proofs are handed over with these files and no others.
TEST_F(RtlCommand, ListsWhatPropertiesAreMadeOfToo) {
  std::vector<Words> all{
      {"--config", "srtf", "--set", "tb_dispatcher.policy=srtf", "--twin", "simple_slicing"},
      {"--config", "warpman", "--set", "core.resources.management=warp_temporal_spatial", "--twin",
       "workload_buffer"}};
  for (const char* const scheduler :
       {"swl+lrr", "ccws+oldest", "oaws_static+two_level", "oaws_dynamic+two_level_active", "mascar+gto",
        "mascar", "least_issued", "ipaws", "pro"}) {
    all.push_back({"--scheduler", scheduler});
  }
  for (const Words& words : all) {
    ASSERT_EQ(run(with(with({"rtl"}, words), {"--out", "out"})).code, 0) << words.back();
    std::istringstream list(read("out/heddle_scheduler.f"));
    std::vector<fs::path> files;
    std::set<std::string> listed;
    for (std::string file; std::getline(list, file);) {
      const std::string module = fs::path(file).stem();
      listed.insert(module);
      files.emplace_back(file);
      files.push_back(fs::path(sources()) / "formal" / (module + "_proof.sv"));
    }
    const std::set<std::string> modules = instantiated_by(files);
    EXPECT_GT(modules.size(), 1U) << words.back();
    for (const std::string& module : modules) {
      const bool of_proofs = fs::exists(fs::path(sources()) / "formal" / (module + ".sv"));
      EXPECT_EQ(listed.count(module), of_proofs ? 0U : 1U) << words.back() << ": " << module;
    }
  }
}

/// An SM of so many warps and TB slots.
Words of_size(unsigned warps, unsigned tb_slots) {
  return {"--set", "core.warps=" + std::to_string(warps),
          "--set", "core.threads=" + std::to_string(32 * warps),
          "--set", "core.tb_slots=" + std::to_string(tb_slots)};
}

TEST_F(RtlCommand, IsCleanUnderVerilatorsLint) {
  if (!has_tool("verilator")) GTEST_SKIP() << "verilator is not installed (make check installs it)";
  std::vector<Words> all;
  for (const unsigned warps : {48U, 7U, 2U}) {
    for (const char* scheduler :
         {"lrr", "oldest", "gto", "two_level", "two_level_active", "least_issued", "swl+two_level_active",
          "oaws_static+lrr", "oaws_dynamic", "mascar", "mascar+lrr", "ccws+lrr", "ipaws"}) {
      all.push_back(with({"--scheduler", scheduler}, of_size(warps, 1)));
    }
    all.push_back(with({"--scheduler", "pro"}, of_size(warps, 2)));
    all.push_back(with({"--config", "srtf", "--set", "tb_dispatcher.policy=srtf", "--twin", "simple_slicing"},
                       of_size(warps, 1)));
  }
  for (const Words& size : {of_size(64, 8), of_size(48, 8), of_size(7, 2), of_size(7, 1), of_size(2, 1)}) {
    all.push_back(with({"--config", "warpman", "--set", "core.resources.management=warp_temporal_spatial",
                        "--twin", "workload_buffer"},
                       size));
  }
  all.push_back({"--scheduler", "mascar", "--set", "l1d.mshr.entries=1"});
  all.push_back(with({"--scheduler", "oaws_dynamic", "--set", "core.schedulers=1"}, of_size(8, 1)));
  all.push_back({"--scheduler", "ccws", "--set", "scheduler.ccws.base_score=65535"});
  all.push_back(with({"--scheduler", "ipaws", "--set", "scheduler.ipaws.stall_of=oldest"}, of_size(7, 1)));
  all.push_back(with({"--scheduler", "pro", "--set", "scheduler.pro.warp_comparators=20"}, of_size(40, 15)));
  for (const char* const entries : {"l1d.mshr.entries=3", "l1d.mshr.entries=7"}) {
    all.push_back(with({"--scheduler", "oaws_static", "--set", entries}, of_size(7, 1)));
  }
  for (const Words& words : all) {
    std::string shown;
    for (const std::string& word : words) shown += " " + word;
    fs::remove_all(folder_ / "out");
    const ProgramOutcome written = run(with(with({"rtl"}, words), {"--out", "out"}));
    ASSERT_EQ(written.code, 0) << shown << ": " << written.err;
    const std::string lint =
        "verilator --lint-only -Wall " + (fs::path(sources()) / "parts/parts.vlt").string() +
        " --top-module heddle_scheduler -f " + (folder_ / "out/heddle_scheduler.f").string() + " >" +
        (folder_ / "lint.txt").string() + " 2>&1";
    EXPECT_EQ(std::system(lint.c_str()), 0) << shown << ":\n" << read("lint.txt");
  }
}

TEST_F(RtlCommand, RefusesASchedulerWithoutATwin) {
  is_refused({"rtl", "--scheduler", "ocw_throttling", "--out", "out"}, 3,
             {"'ocw_throttling' has no SystemVerilog twin", "gto"});
  is_refused({"rtl", "--scheduler", "ocw_throttling+gto", "--out", "out"}, 3,
             {"'ocw_throttling+gto' has no SystemVerilog twin",
              "qualifiers in front of them: swl, ccws, oaws_static"});
  is_refused({"rtl", "--scheduler", "swl+ipaws", "--out", "out"}, 3,
             {"'swl+ipaws' has no SystemVerilog twin", "none in front of ipaws"});
}

TEST_F(RtlCommand, RefusesSizesThatNoTwinCanHave) {
  is_refused({"rtl", "--scheduler", "gto", "--set", "core.warps=0", "--out", "out"}, 3, {"core.warps"});
  is_refused({"rtl", "--scheduler", "gto", "--set", "core.warps=1", "--set", "core.threads=32", "--set",
              "core.tb_slots=1", "--out", "out"},
             3, {"core.schedulers"});
}

TEST_F(RtlCommand, RefusesSourcesThatAreNotThere) {
  is_refused({"rtl", "--scheduler", "gto", "--rtl-sources", "nowhere", "--out", "out"}, 3,
             {"nowhere/", "--rtl-sources"});
}

TEST_F(RtlCommand, WantsAFolder) { is_refused({"rtl", "--scheduler", "gto"}, 2, {"expected --out DIR"}); }

TEST_F(RtlCommand, AFolderThatCantBeWritten) {
  write("file", "");
  const ProgramOutcome refused = run({"rtl", "--scheduler", "gto", "--out", "file/out"});
  EXPECT_EQ(refused.code, 6) << refused.err;
}

}  // namespace
}  // namespace heddle
