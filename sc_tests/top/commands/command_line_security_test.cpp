// What a workload or a configuration may read (docs/security.md).
#include "sc_tests/top/commands/command_line_fixture.h"

namespace heddle {
namespace {

class Untrusted : public BuiltProgram {
 protected:
  void SetUp() override {
    BuiltProgram::SetUp();
    for (const char* folder : {"in/sub", "out"}) fs::create_directories(folder_ / folder);
    fs::copy_file(test::source_dir() + "/workloads/kernels/vector_add/vector_add.ptx",
                  folder_ / "in" / "k.ptx");
    fs::copy_file(folder_ / "in" / "k.ptx", folder_ / "out" / "k.ptx");
    for (const char* data : {"in/sub/data", "out/data"}) write(data, "1234");
  }
  std::string error_of(const std::vector<std::string>& arguments, int code) {
    const ProgramOutcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    return outcome.err;
  }
  /// Checks in/w.yaml, which names `file` as `key`: "" or the message.
  std::string check(const std::string& key, const std::string& file,
                    const std::vector<std::string>& more = {}) {
    const auto value = [&](const std::string& name, const std::string& usual) {
      return name == key ? file : usual;
    };
    const std::string path = write(
        "in/w.yaml", "ptx: " + value("ptx", "k.ptx") + "\nbuffers:\n  a: {type: u8, count: 4, init: {file: " +
                         value("init", "sub/data") + "}}\nlaunches: []\n" +
                         "checks: [{buffer: a, file: " + value("check", "sub/data") + "}]\n");
    std::vector<std::string> words{"run", path, "--functional"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramOutcome outcome = run(words);
    EXPECT_EQ(outcome.code, outcome.err.empty() ? 0 : 3) << outcome.err;
    return outcome.err;
  }
  static bool refused(const std::string& message) {
    return message.find("lies outside of '") != std::string::npos &&
           message.find("--allow-outside permits that") != std::string::npos;
  }
};

TEST_F(Untrusted, WorkloadsReadBesideAndBelowOnly) {
  for (const char* key : {"ptx", "init", "check"}) {
    const std::string name = std::string(key) == "ptx" ? "k.ptx" : "data";
    const std::string inside = std::string(key) == "ptx" ? "k.ptx" : "sub/data";
    EXPECT_EQ(check(key, "./" + inside), "");
    EXPECT_EQ(check(key, (folder_ / "in" / inside).string()), "") << "an absolute path below";
    EXPECT_TRUE(refused(check(key, "../out/" + name))) << key;
    EXPECT_TRUE(refused(check(key, (folder_ / "out" / name).string()))) << key;
    EXPECT_TRUE(refused(check(key, "/etc/passwd"))) << key;
    fs::create_directory_symlink("../out", folder_ / "in" / "link");
    EXPECT_TRUE(refused(check(key, "link/" + name))) << key;
    EXPECT_EQ(check(key, "../out/" + name, {"--allow-outside"}), "") << key;
    fs::remove(folder_ / "in" / "link");
  }
  EXPECT_EQ(check("ptx", "../out/k.ptx")
                .find("heddle: " + (folder_ / "in" / "w.yaml").string() +
                      ":1:6: workload, ptx: ../out/k.ptx: lies outside of '"),
            0U);
}

TEST_F(Untrusted, ConfigurationsBuildOnFilesBesideAndBelowOnly) {
  write("in/sub/base.yaml", "core: {sms: 3}\n");
  write("in/base.yaml", "core: {sms: 4}\n");
  write("out/base.yaml", "core: {sms: 5}\n");
  write("in/sub/up.yaml", "base: ../base.yaml\n");
  write("in/sub/out.yaml", "base: ../../out/base.yaml\n");
  const auto base = [&](const std::string& file) { return write("in/gpu.yaml", "base: " + file + "\n"); };
  EXPECT_EQ(error_of({"check", base("sub/base.yaml")}, 0), "");
  EXPECT_EQ(error_of({"check", base("sub/up.yaml")}, 0), "")
      << "the folder is that of the file the user named";
  EXPECT_TRUE(refused(error_of({"check", base("../out/base.yaml")}, 3)));
  EXPECT_TRUE(refused(error_of({"check", base("sub/out.yaml")}, 3)));
  EXPECT_TRUE(refused(error_of({"check", base((folder_ / "out" / "base.yaml").string())}, 3)));
  EXPECT_TRUE(refused(error_of({"run", "vector_add", "--config", base("../out/base.yaml")}, 3)));
  EXPECT_EQ(error_of({"check", base("../out/base.yaml"), "--allow-outside"}, 0), "");
}

TEST_F(Untrusted, WhatComesWithHeddleMayBeNamed) {
  EXPECT_EQ(check("ptx", test::source_dir() + "/workloads/kernels/vector_add/vector_add.ptx"), "");
  const std::string path = write("in/gpu.yaml", "base: " + test::source_dir() + "/configs/gtx480.yaml\n");
  EXPECT_EQ(error_of({"check", path}, 0), "");
}

TEST_F(Untrusted, RunsOfABatchAreAllowedWhatTheCommandIs) {
  const std::string path =
      write("in/w.yaml",
            "ptx: ../out/k.ptx\nbuffers:\n  a: {type: f32, count: 64, init: 1}\n"
            "launches: [{kernel: vector_add, grid: 1, block: 64, args: [a, a, a, {i32: 64}]}]\n");
  EXPECT_TRUE(refused(error_of({"compare", path, "--scheduler", "gto,lrr", "--out", "c"}, 3)));
  EXPECT_EQ(error_of({"compare", path, "--scheduler", "gto,lrr", "--out", "c", "--allow-outside"}, 0), "");
}

TEST_F(Untrusted, HeddlesOwnFilesNeedNoMore) {
  for (const auto& entry : fs::recursive_directory_iterator(test::source_dir() + "/workloads")) {
    if (entry.path().extension() != ".yaml" || entry.path().parent_path().filename() == "papers") continue;
    EXPECT_EQ(error_of({"check", entry.path().string()}, 0), "") << entry.path();
  }
  for (const auto& entry : fs::directory_iterator(test::source_dir() + "/configs")) {
    if (entry.is_regular_file()) EXPECT_EQ(error_of({"check", entry.path().string()}, 0), "") << entry.path();
  }
}

/// Sources that can start another program.
TEST(ProgramsThatAreStarted, AreThoseThatThePageNames) {
  const std::string root = test::source_dir();
  std::vector<std::string> found;
  for (const char* floor : {"base", "hw", "tlm", "workloads", "modules", "top"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root + "/" + floor)) {
      const std::string extension = entry.path().extension().string();
      const std::string path = fs::relative(entry.path(), root).string();
      const bool other_program = path.rfind("top/bench/", 0) == 0 || path.rfind("top/fidelity/", 0) == 0;
      if ((extension != ".cpp" && extension != ".h") || other_program) continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      for (const char* call : {"system(", "popen(", "posix_spawn", "execv", "execl", "fork("}) {
        if (text.str().find(call) == std::string::npos) continue;
        found.push_back(path);
        break;
      }
    }
  }
  EXPECT_EQ(found, std::vector<std::string>{"top/support/processes/child_process.cpp"});
}

}  // namespace
}  // namespace heddle
