// docs/tutorial-scheduler.md is built and run as it stands, outside of the tree, against this build's
// libraries.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sc_tests/support/paths.h"
#include "sc_tests/support/sanitized.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

/// A fenced block of a page: what stands behind the fence, and the lines in it.
struct CodeBlock {
  std::string info;
  std::vector<std::string> lines;
};

std::vector<CodeBlock> blocks_of(const fs::path& path) {
  std::ifstream file(path);
  std::vector<CodeBlock> blocks;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("```", 0) == 0) {
      if (!inside) blocks.push_back({line.substr(3), {}});
      inside = !inside;
    } else if (inside) {
      blocks.back().lines.push_back(line);
    }
  }
  return blocks;
}

/// "$ COMMAND  # exit code N" and the lines that it prints; "..." stands for any lines.
struct Command {
  std::string text;
  int code = 0;
  std::vector<std::string> output;
};

std::vector<Command> commands_of(const CodeBlock& block) {
  const std::string mark = "  # exit code ";
  std::vector<Command> commands;
  for (const std::string& line : block.lines) {
    if (line.rfind("$ ", 0) != 0) {
      EXPECT_FALSE(commands.empty()) << "output before a command: " << line;
      commands.back().output.push_back(line);
      continue;
    }
    Command command{line.substr(2), 0, {}};
    if (const std::size_t place = command.text.find(mark); place != std::string::npos) {
      command.code = std::stoi(command.text.substr(place + mark.size()));
      command.text.resize(place);
    }
    commands.push_back(std::move(command));
  }
  return commands;
}

bool matches(const std::vector<std::string>& shown, std::size_t s, const std::vector<std::string>& found,
             std::size_t f) {
  if (s == shown.size()) return f == found.size();
  if (shown[s] != "...")
    return f < found.size() && shown[s] == found[f] && matches(shown, s + 1, found, f + 1);
  for (; f <= found.size(); ++f) {
    if (matches(shown, s + 1, found, f)) return true;
  }
  return false;
}

/// Runs in `folder`; what it prints on stdout and stderr, and its exit code.
std::pair<std::vector<std::string>, int> run(const fs::path& folder, const std::string& command) {
  const std::string whole = "cd '" + folder.string() + "' && { " + command + "\n} 2>&1";
  std::FILE* const pipe = popen(whole.c_str(), "r");
  std::string text;
  std::array<char, 4096> part{};
  for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), pipe)) != 0;)
    text.append(part.data(), n);
  const int status = pclose(pipe);
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return {lines, WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(Tutorial, WhatThePageOfASchedulerOfYourOwnSaysIsWhatHappens) {
  if (test::kSanitized) GTEST_SKIP() << "the page's compiler may not be that of these libraries";
  const fs::path folder = fs::path(::testing::TempDir()) / ("heddle-tutorial-" + std::to_string(getpid()));
  fs::create_directories(folder);
  unsetenv("HEDDLE_HOME");
  const char* const others = std::getenv("PKG_CONFIG_PATH");
  const std::string path =
      HEDDLE_PKG_CONFIG_DIR + (others == nullptr ? std::string() : ":" + std::string(others));
  setenv("PKG_CONFIG_PATH", path.c_str(), 1);
  std::string exports;  // the commands are one shell's for the reader, each in a shell of its own here
  unsigned files = 0;
  unsigned commands = 0;
  for (const CodeBlock& block : blocks_of(fs::path(test::source_dir()) / "docs/tutorial-scheduler.md")) {
    const std::size_t space = block.info.find(' ');
    const std::string kind = block.info.substr(0, space);
    if (kind != "console") {
      ASSERT_NE(space, std::string::npos) << "a block that is neither run nor a file: " << block.info;
      std::ofstream(folder / block.info.substr(space + 1)) << joined(block.lines);
      ++files;
      continue;
    }
    for (const Command& command : commands_of(block)) {
      const auto [found, code] = run(folder, exports + command.text);
      if (command.text.rfind("export ", 0) == 0) exports += command.text + '\n';
      ++commands;
      EXPECT_TRUE(matches(command.output, 0, found, 0)) << "$ " << command.text << "\nthe page shows:\n"
                                                        << joined(command.output) << "found:\n"
                                                        << joined(found);
      ASSERT_EQ(code, command.code) << "$ " << command.text << '\n' << joined(found);
    }
  }
  EXPECT_GE(files, 2U);
  EXPECT_GE(commands, 10U);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace heddle
