// What a cache of twins does when tools, folders or files are not as they should be.
#include "sc_tests/top/rtl/rtl_fixture.h"

namespace heddle {
namespace {

class RtlCache : public RtlProgram {
 protected:
  ProgramOutcome run_in(const std::string& cache, const char* impl = "lockstep") {
    return run({"run", "vector_add", "--param", "n=64", "--set", "core.sms=1", "--quiet", "--out", "out",
                "--impl", impl, "--scheduler", "lrr", "--rtl-cache", cache});
  }
  /// One message, which names what is wrong, and no results.
  void is_refused(const ProgramOutcome& run, int code, const Words& parts) {
    EXPECT_EQ(run.code, code) << run.err;
    EXPECT_EQ(run.err.rfind("heddle: ", 0), 0U) << run.err;
    for (const std::string& part : parts) EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
    EXPECT_FALSE(fs::exists(folder_ / "out/stats.json"));
  }
  /// Only these programs are found.
  void only_on_path(const Words& tools) {
    const fs::path bin = folder_ / "bin";
    fs::create_directories(bin);
    for (const std::string& tool : tools) fs::create_symlink("/usr/bin/" + tool, bin / tool);
    setenv("PATH", bin.c_str(), 1);
  }
  void script(const std::string& name, const std::string& text) {
    fs::create_directories(folder_ / "bin");
    write("bin/" + name, "#!/bin/sh\n" + text);
    fs::permissions(folder_ / "bin" / name, fs::perms::all);
  }
  void SetUp() override {
    RtlProgram::SetUp();
    path_ = std::getenv("PATH");
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    RtlProgram::TearDown();
  }

  std::string path_;
};

TEST_F(RtlCache, WithoutVerilatorTheMessageNamesItsPackage) {
  only_on_path({});
  is_refused(run_in("cache"), 3, {"verilator", "install the Debian package verilator", "--impl model"});
  EXPECT_TRUE(fs::is_empty(folder_ / "cache"));
}

TEST_F(RtlCache, AVerilatorThatFailsIsQuoted) {
  only_on_path({});
  script("verilator", "case $1 in --getenv) echo /nowhere;; esac; echo nothing goes right >&2; exit 9\n");
  is_refused(run_in("cache"), 3, {"verilator has failed with exit code 9", "nothing goes right"});
  EXPECT_TRUE(fs::is_empty(folder_ / "cache"));
}

TEST_F(RtlCache, WithoutACompilerTheMessageNamesIt) {
  only_on_path({});
  script("verilator", "echo /usr/share/verilator\n");
  is_refused(run_in("cache"), 3, {"c++", "install the Debian package g++"});
  EXPECT_TRUE(fs::is_empty(folder_ / "cache"));
}

TEST_F(RtlCache, AFolderThatCantBeWritten) {
  write("file", "not a folder");
  is_refused(run_in("file/cache"), 6, {"file/cache", "can't write a twin there", "--rtl-cache"});
}

TEST_F(RtlCache, ASecondRunNeedsNoToolAndAStaleOneSaysWhatToDo) {
  if (!has_tool("verilator")) GTEST_SKIP() << "verilator is not installed (make check installs it)";
  fs::copy(cache(), folder_ / "cache", fs::copy_options::recursive);
  ASSERT_EQ(run_in("cache").code, 0);
  only_on_path({});
  ASSERT_EQ(run_in("cache").code, 0) << "nothing is compiled again";
  fs::remove_all(folder_ / "out");
  for (const auto& entry : fs::directory_iterator(folder_ / "cache")) {
    if (fs::exists(entry.path() / "twin.so"))
      std::ofstream(entry.path() / "twin.so", std::ios::app) << "more";
  }
  is_refused(run_in("cache"), 3, {"twin.so", "stale", "remove the folder"});
}

TEST_F(RtlCache, IdealTimingIsRefused) {
  const ProgramOutcome refused = run({"run", "vector_add", "--impl", "rtl", "--set", "scheduler.timing=ideal",
                                      "--scheduler", "lrr", "--out", "out"});
  is_refused(refused, 3, {"scheduler.timing", "expected hardware"});
}

TEST_F(RtlCache, AnUnknownImplementationIsRefused) {
  const ProgramOutcome refused = run({"run", "vector_add", "--impl", "verilog"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("expected model, rtl or lockstep"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace heddle
