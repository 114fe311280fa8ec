// The built program, run as users run it.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "sc_tests/support/paths.h"

namespace heddle {

namespace fs = std::filesystem;

struct ProgramOutcome {
  int code = -1;  ///< exit code, or 128 + the signal that ended the program
  std::string out;
  std::string err;
};

class BuiltProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              (std::string("heddle-cli-") + ::testing::UnitTest::GetInstance()->current_test_info()->name() +
               "-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Starts the program in the test's folder, with its output in files.
  pid_t start(const std::vector<std::string>& arguments) {
    const pid_t child = fork();
    if (child != 0) return child;
    std::vector<char*> argv;
    std::string program = test::program();
    argv.push_back(program.data());
    std::vector<std::string> copies = arguments;
    for (std::string& argument : copies) argv.push_back(argument.data());
    argv.push_back(nullptr);
    if (chdir(folder_.c_str()) != 0 || std::freopen("stdout.txt", "w", stdout) == nullptr ||
        std::freopen("stderr.txt", "w", stderr) == nullptr) {
      _exit(99);
    }
    execv(program.c_str(), argv.data());
    _exit(99);
  }
  ProgramOutcome finish(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read("stdout.txt"),
            read("stderr.txt")};
  }
  ProgramOutcome run(const std::vector<std::string>& arguments) { return finish(start(arguments)); }

  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name).rdbuf();
    return text.str();
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  nlohmann::json stats(const std::string& out) const {
    return nlohmann::json::parse(read(out + "/stats.json"));
  }

  fs::path folder_;
};

}  // namespace heddle
