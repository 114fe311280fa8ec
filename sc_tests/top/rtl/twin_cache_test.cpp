// What a cache of twins does when tools, folders or files are not as they should be.
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <thread>

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
  /// A Verilator that names a runtime, and the compiler `text`.
  void fake_tools(const std::string& text) {
    fs::create_directories(folder_ / "root/include");
    for (const char* const file :
         {"verilated.cpp", "verilated_save.cpp", "verilated_vcd_c.cpp", "verilated_threads.cpp"})
      write(std::string("root/include/") + file, "");
    script("verilator", "echo " + (folder_ / "root").string() + "\n");
    script("c++", text);
    setenv("PATH", ((folder_ / "bin").string() + ":" + path_).c_str(), 1);
  }
  /// The compiler has started a program that lasts: its process.
  pid_t process_of_compiler() {
    for (unsigned look = 0; look < 500 && read("sleeper").find('\n') == std::string::npos; ++look)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return static_cast<pid_t>(std::stol("0" + read("sleeper")));
  }
  bool has_ended(pid_t process) {
    for (unsigned look = 0; look < 250; ++look) {
      std::ifstream status("/proc/" + std::to_string(process) + "/stat");
      std::string number, name, state;
      if (!(status >> number >> name >> state) || state == "Z") return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }
  /// What is whole in the shared cache: other tests build twins there meanwhile.
  void copy_of_cache() {
    fs::create_directories(folder_ / "cache");
    if (!fs::exists(cache())) return;
    for (const auto& entry : fs::directory_iterator(cache())) {
      if (entry.is_directory() && entry.path().extension() != ".tmp")
        fs::copy(entry.path(), folder_ / "cache" / entry.path().filename(), fs::copy_options::recursive);
    }
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

TEST_F(RtlCache, FlagsOfTheUserFollowItsOwn) {
  fake_tools("echo \"$@\" >>flags; exit 1\n");
  setenv("CXXFLAGS", "-O0 -march=native", 1);
  is_refused(run_in("cache"), 3, {"c++ has failed"});
  EXPECT_NE(read("flags").find(" -O2 "), std::string::npos) << read("flags");
  EXPECT_NE(read("flags").find(" -DVM_SC=0 -O0 -march=native -I"), std::string::npos) << read("flags");
  fs::remove(folder_ / "flags");
  unsetenv("CXXFLAGS");
  is_refused(run_in("cache"), 3, {"c++ has failed"});
  EXPECT_NE(read("flags").find(" -O2 "), std::string::npos) << read("flags");
  EXPECT_EQ(read("flags").find("-O0"), std::string::npos) << read("flags");
}

constexpr const char* kLastingCompiler = "sleep 4242 &\necho $! >sleeper\nwait\n";

TEST_F(RtlCache, AnInterruptEndsTheToolsWithWhatTheyHaveStarted) {
  fake_tools(kLastingCompiler);
  const pid_t child = start({"run", "vector_add", "--param", "n=64", "--set", "core.sms=1", "--out", "out",
                             "--impl", "lockstep", "--scheduler", "lrr", "--rtl-cache", "cache"});
  const pid_t sleeper = process_of_compiler();
  ASSERT_NE(sleeper, 0) << read("stderr.txt");
  kill(child, SIGINT);
  const ProgramOutcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("heddle: building the twin of lrr"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("heddle: interrupted\n"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("failed"), std::string::npos) << outcome.err;
  EXPECT_TRUE(has_ended(sleeper));
  EXPECT_TRUE(fs::is_empty(folder_ / "cache"));
}

TEST_F(RtlCache, ABudgetOfTimeEndsThemToo) {
  fake_tools(kLastingCompiler);
  const ProgramOutcome outcome =
      run({"run", "vector_add", "--param", "n=64", "--set", "core.sms=1", "--out", "out", "--impl",
           "lockstep", "--scheduler", "lrr", "--rtl-cache", "cache", "--max-seconds", "3"});
  EXPECT_NE(outcome.err.find("--max-seconds"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("failed"), std::string::npos) << outcome.err;
  const pid_t sleeper = process_of_compiler();
  EXPECT_NE(sleeper, 0);
  EXPECT_TRUE(has_ended(sleeper));
  EXPECT_TRUE(fs::is_empty(folder_ / "cache"));
}

TEST_F(RtlCache, WhatADeadProcessHasLeftIsRemoved) {
  const pid_t dead = fork();
  if (dead == 0) _exit(0);
  waitpid(dead, nullptr, 0);
  std::array<char, 256> host{};
  ASSERT_EQ(gethostname(host.data(), host.size() - 1), 0);
  const auto folder_of = [&](const std::string& name, pid_t process) {
    return folder_ / "cache" / (name + "." + host.data() + "." + std::to_string(process) + ".tmp");
  };
  const std::vector<fs::path> left{folder_of("0123", dead), folder_of("runtime-0123", dead)};
  const std::vector<fs::path> live{
      folder_of("0123", getpid()), folder_ / "cache" / "0123",
      folder_ / "cache" / ("0123.another-host." + std::to_string(dead) + ".tmp")};
  for (const auto* const folders : {&left, &live}) {
    for (const fs::path& folder : *folders) fs::create_directories(folder / "obj");
  }
  only_on_path({});
  is_refused(run_in("cache"), 3, {"verilator"});
  for (const fs::path& folder : left) EXPECT_FALSE(fs::exists(folder)) << folder;
  for (const fs::path& folder : live) EXPECT_TRUE(fs::exists(folder)) << folder;
}

// Without a tool: nothing was built.
TEST_F(RtlCache, WhatARunCantBeginWithIsSaidBeforeATwinIsBuilt) {
  only_on_path({});
  write("file", "not a folder");
  const auto refused = [&](const Words& more) {
    return run(with({"run", "histogram", "--param", "words=4096", "--set", "core.sms=1", "--impl", "lockstep",
                     "--scheduler", "lrr", "--rtl-cache", "cache"},
                    more));
  };
  is_refused(refused({"--out", "file/out"}), 6, {"file/out"});
  is_refused(refused({"--out", "out", "--set", "core.threads=64"}), 3, {"no thread block fits on an SM"});
  is_refused(refused({"--out", "out", "--vectors", "9", "--vectors-sm", "3"}), 3,
             {"expected an SM, 0 to 0, found 3"});
  EXPECT_FALSE(fs::exists(folder_ / "cache"));
}

TEST_F(RtlCache, SizesThatAModuleRefusesBuildNoTwin) {
  if (!has_tool("verilator")) GTEST_SKIP() << "verilator is not installed (make check installs it)";
  const std::string sources = mutated("schedulers/heddle_lrr.sv", "endmodule",
                                      "if (1) begin : gen_no\n  $error(\"no size fits\");\nend\nendmodule");
  const ProgramOutcome outcome =
      run({"run", "vector_add", "--param", "n=64", "--set", "core.sms=1", "--quiet", "--out", "out", "--impl",
           "lockstep", "--scheduler", "lrr", "--rtl-cache", cache(), "--rtl-sources", sources});
  is_refused(outcome, 3, {"verilator has failed", "no size fits"});
}

TEST_F(RtlCache, AFolderThatCantBeWritten) {
  write("file", "not a folder");
  is_refused(run_in("file/cache"), 6, {"file/cache", "can't write a twin there", "--rtl-cache"});
}

TEST_F(RtlCache, ASecondRunNeedsNoToolAndAStaleOneSaysWhatToDo) {
  if (!has_tool("verilator")) GTEST_SKIP() << "verilator is not installed (make check installs it)";
  copy_of_cache();
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
