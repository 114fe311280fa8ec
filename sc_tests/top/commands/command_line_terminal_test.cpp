// What the program prints on a terminal, which is a pseudo-terminal here.
#include <fcntl.h>
#include <sys/ioctl.h>

#include <cstdlib>

#include "sc_tests/top/commands/command_line_fixture.h"
#include "top/text/text_width.h"

namespace heddle {
namespace {

class OnTerminal : public BuiltProgram {
 protected:
  /// What the program prints with stdout and stderr on a terminal of `columns`, with `environment`
  /// ("NAME=value").
  std::string shown(const std::vector<std::string>& arguments, unsigned short columns,
                    const std::vector<std::string>& environment = {}) {
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    EXPECT_GE(terminal, 0);
    EXPECT_EQ(grantpt(terminal), 0);
    EXPECT_EQ(unlockpt(terminal), 0);
    const winsize size{24, columns, 0, 0};
    EXPECT_EQ(ioctl(terminal, TIOCSWINSZ, &size), 0);
    const std::string name = ptsname(terminal);
    const pid_t child = fork();
    if (child == 0) {
      const int end = open(name.c_str(), O_RDWR);
      dup2(end, STDOUT_FILENO);
      dup2(end, STDERR_FILENO);
      unsetenv("COLUMNS");
      unsetenv("NO_COLOR");
      setenv("TERM", "xterm", 1);
      for (const std::string& variable : environment) putenv(strdup(variable.c_str()));
      std::vector<char*> argv{strdup(test::program().c_str())};
      for (const std::string& argument : arguments) argv.push_back(strdup(argument.c_str()));
      argv.push_back(nullptr);
      if (chdir(folder_.c_str()) != 0) _exit(99);
      execv(argv[0], argv.data());
      _exit(99);
    }
    std::string text;
    std::array<char, 4096> block{};
    // An error is the end: nobody has the other end any more.
    const int end = open(name.c_str(), O_RDWR | O_NOCTTY);
    int status = 0;
    fcntl(terminal, F_SETFL, O_NONBLOCK);
    for (bool ended = false;;) {
      const ssize_t count = ::read(terminal, block.data(), block.size());
      if (count > 0) {
        text.append(block.data(), static_cast<std::size_t>(count));
        continue;
      }
      if (ended) break;
      ended = waitpid(child, &status, WNOHANG) == child;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(WEXITSTATUS(status), 0) << text;
    close(end);
    close(terminal);
    text.erase(std::remove(text.begin(), text.end(), '\r'), text.end());
    return text;
  }

  static std::string without_colours(const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\033') {
        i = text.find_first_of("mK", i);
      } else {
        plain += text[i];
      }
    }
    return plain;
  }

  static std::size_t longest_line(const std::string& text) {
    std::istringstream lines(without_colours(text));
    std::size_t longest = 0;
    for (std::string line; std::getline(lines, line);) longest = std::max(longest, display_width(line));
    return longest;
  }
};

TEST_F(OnTerminal, NoLineIsLongerThanIt) {
  for (const unsigned short columns : {40, 80, 200}) {
    for (const std::vector<std::string>& command : {std::vector<std::string>{"list", "workloads"},
                                                    {"list", "schedulers"},
                                                    {"cost", "--scheduler", "pro"},
                                                    {"cost", "--scheduler", "pro", "--all"}}) {
      EXPECT_LE(longest_line(shown(command, columns)), columns) << command[0] << " " << columns;
    }
  }
  EXPECT_LE(longest_line(shown({"help"}, 80)), 80U);  // its examples are not broken
}

TEST_F(OnTerminal, CostLeadsWithAScreenful) {
  for (const char* scheduler : {"gto", "pro", "ipaws", "oaws_dynamic", "ccws"}) {
    const std::string text = shown({"cost", "--scheduler", scheduler}, 80);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 24) << text;
  }
}

TEST_F(OnTerminal, TheVariableColumnsGoesOverWhatItSays) {
  EXPECT_GT(longest_line(shown({"list", "workloads"}, 200)), 100U);
  EXPECT_LE(longest_line(shown({"list", "workloads"}, 200, {"COLUMNS=60"})), 60U);
}

TEST_F(OnTerminal, ColoursAreThereUnlessNotWanted) {
  const std::vector<std::string> command{"list", "schedulers"};
  EXPECT_NE(shown(command, 80).find("\033[1m"), std::string::npos);
  EXPECT_EQ(shown(command, 80, {"NO_COLOR=1"}).find('\033'), std::string::npos);
  EXPECT_EQ(shown(command, 80, {"TERM=dumb"}).find('\033'), std::string::npos);
  EXPECT_EQ(shown({"list", "schedulers", "--color", "never"}, 80).find('\033'), std::string::npos);
  EXPECT_NE(shown({"list", "schedulers", "--color=always"}, 80, {"NO_COLOR=1"}).find('\033'),
            std::string::npos);
  // Not a terminal.
  EXPECT_EQ(run(command).out.find('\033'), std::string::npos);
  EXPECT_NE(run({"list", "schedulers", "--color", "always"}).out.find('\033'), std::string::npos);
  EXPECT_EQ(run({"list", "schedulers", "--color", "red"}).code, 2);
}

TEST_F(OnTerminal, AComparisonSaysHowFarItIs) {
  const std::vector<std::string> command{"compare",     "vector_add", "--param", "n=4096",
                                         "--scheduler", "gto,lrr",    "--out",   "c"};
  const std::string text = shown(command, 80);
  EXPECT_NE(text.find("0 of 2 points done"), std::string::npos) << text;
  EXPECT_LE(longest_line(text.substr(text.find("scheduler"))), 80U);
  const std::string plain = without_colours(text);
  const std::string table = plain.substr(0, plain.find("Not shown"));
  for (const char* const word : {"cycles", "speedup", "cause", "bits", "NAND2-eq"}) {
    EXPECT_NE(table.find(word), std::string::npos) << word << "\n" << plain;
  }
  std::vector<std::string> quiet = command;
  quiet.emplace_back("--quiet");
  EXPECT_EQ(shown(quiet, 80).find("0 of 2 points done"), std::string::npos);
}

TEST_F(OnTerminal, NothingIsErasedOnOneThatCannotErase) {
  const std::vector<std::string> command{"compare",     "vector_add", "--set", "core.sms=1",
                                         "--scheduler", "gto,lrr",    "--out", "c"};
  const std::string text = shown(command, 80, {"TERM=dumb"});
  EXPECT_EQ(text.find('\033'), std::string::npos) << text;
  EXPECT_EQ(text.find("0 of 2 points done"), std::string::npos) << "a line a minute, as in a file:\n" << text;
}

TEST_F(OnTerminal, FoldersBelowTheWorkingDirectoryAreShownFromThere) {
  const std::string folder = (folder_ / "results").string();
  const ProgramOutcome outcome = run({"run", "vector_add", "--param", "n=64", "--out", folder});
  EXPECT_NE(outcome.out.find("Results in results: stats.json"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find(folder_.string()), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace heddle
