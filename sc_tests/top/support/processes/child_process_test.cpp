#include "top/support/processes/child_process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

namespace heddle {
namespace {

ChildStart shell(const std::string& script) {
  ChildStart start;
  start.command = {"sh", "-c", script};
  return start;
}

TEST(ChildProcessTest, TellsTheExitCode) { EXPECT_EQ(ChildProcess(shell("exit 7")).wait(), 7); }

TEST(ChildProcessTest, TellsTheSignalThatEndedIt) {
  EXPECT_EQ(ChildProcess(shell("kill -TERM $$")).wait(), 128 + SIGTERM);
}

TEST(ChildProcessTest, PollSaysNothingWhileItRuns) {
  ChildProcess child(shell("exec sleep 100"));
  EXPECT_FALSE(child.poll());
  child.signal(SIGINT);
  EXPECT_EQ(child.wait(), 128 + SIGINT);
  EXPECT_EQ(child.poll(), 128 + SIGINT) << "and the same when it is asked again";
}

TEST(ChildProcessTest, ReadsBothOutputsInTheirOrder) {
  ChildStart start = shell("echo one; echo two >&2; echo three");
  start.output = ChildStart::Output::kRead;
  ChildProcess child(start);
  EXPECT_EQ(child.read_output(), "one\ntwo\nthree\n");
  EXPECT_EQ(child.wait(), 0);
}

TEST(ChildProcessTest, ReadsMoreThanAPipeHolds) {
  ChildStart start = shell("head -c 300000 /dev/zero");
  start.output = ChildStart::Output::kRead;
  EXPECT_EQ(ChildProcess(start).read_output().size(), 300000U);
}

TEST(ChildProcessTest, HasNoInput) {
  ChildStart start = shell("cat; echo end");
  start.output = ChildStart::Output::kRead;
  EXPECT_EQ(ChildProcess(start).read_output(), "end\n");
}

TEST(ChildProcessTest, WritesMessagesToAFileThatItEmpties) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("heddle-child-" + std::to_string(getpid()));
  std::ofstream(file) << "what an earlier one said, at length\n";
  ChildStart start = shell("echo dropped; echo kept >&2");
  start.output = ChildStart::Output::kDrop;
  start.stderr_file = file.string();
  EXPECT_EQ(ChildProcess(start).wait(), 0);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  std::filesystem::remove(file);
  EXPECT_EQ(text.str(), "kept\n");
}

TEST(ChildProcessTest, IsKilledWithItsObject) {
  ChildStart start = shell("echo $$; exec sleep 100 >/dev/null 2>&1");
  start.output = ChildStart::Output::kRead;
  pid_t id = 0;
  {
    ChildProcess child(start);
    id = std::stoi(child.read_output());
    const ChildProcess moved(std::move(child));
    EXPECT_EQ(kill(id, 0), 0) << "runs on when the object is moved";
  }
  EXPECT_NE(kill(id, 0), 0);
}

TEST(ChildProcessTest, OwnGroupIsItsOwn) {
  ChildStart start = shell("test $(ps -o pgid= -p $$) = $$");
  start.own_group = true;
  EXPECT_EQ(ChildProcess(start).wait(), 0);
  start.own_group = false;
  EXPECT_NE(ChildProcess(start).wait(), 0);
}

TEST(ChildProcessTest, RefusesAProgramThatIsNotThere) {
  ChildStart start;
  start.command = {"/no/such/program"};
  EXPECT_THROW(ChildProcess{start}, std::system_error);
  start.output = ChildStart::Output::kRead;
  EXPECT_THROW(ChildProcess{start}, std::system_error);
}

}  // namespace
}  // namespace heddle
