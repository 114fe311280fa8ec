// Ctrl-C: what is known so far is written, and nothing new is started.

#include "sc_tests/top/commands/command_line_fixture.h"
#include "top/support/stats_file.h"

namespace heddle {
namespace {

TEST_F(BuiltProgram, InterruptWritesPartialResults) {
  const pid_t child = start({"run", "matrix_multiply", "--size", "large", "--out", "out", "--quiet"});
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  kill(child, SIGINT);
  const ProgramOutcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(outcome.err.find("heddle: interrupted at core cycle "), 0U) << outcome.err;
  EXPECT_EQ(stats("out").at("status"), "partial");
  EXPECT_EQ(stats("out").at("end"), "interrupted");
}

TEST_F(BuiltProgram, InterruptWritesPartialResultsOfSeveralStreams) {
  const pid_t child = start({"run", "matrix_multiply:large", "black_scholes", "--config", "srtf", "--arrival",
                             "0", "--arrival", "1000000000", "--tb-log", "--out", "out", "--quiet"});
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  kill(child, SIGINT);
  const ProgramOutcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  const auto json = stats("out");
  EXPECT_EQ(json.at("status"), "partial");
  EXPECT_EQ(json.at("end"), "interrupted");
  EXPECT_FALSE(json.at("metrics").empty());
  ASSERT_EQ(json.at("launches").size(), 2U);
  for (const auto& launch : json.at("launches")) {
    EXPECT_EQ(launch.at("complete"), false);
    EXPECT_NE(find_metric(launch.at("metrics"), "sm.warp_instructions"), nullptr);
    EXPECT_EQ(find_metric(launch.at("metrics"), "start_delay_cycles"), nullptr) << "known of what ended only";
  }
  for (const auto& stream : json.at("streams")) EXPECT_EQ(stream.at("complete"), false);
  const auto log = nlohmann::json::parse(read("out/thread_blocks.json"));
  EXPECT_EQ(log.at("status"), "partial");
  ASSERT_EQ(log.at("launches").size(), 1U);
  EXPECT_GT(log.at("launches")[0].at("tbs_running"), 0);
  EXPECT_EQ(nlohmann::json::parse(read("out/cost.json")).at("status"), "partial");
}

TEST_F(BuiltProgram, InterruptEndsPairsBeforeTheirRunsAloneAreKnown) {
  const pid_t child = start({"pairs", "vector_add", "matrix_multiply:large", "--policy", "fifo", "--policy",
                             "srtf", "--cache", "cache", "--out", "p"});
  for (int n = 0; n < 500 && !fs::exists(folder_ / "p/alone/01-vector_add-alone/stats.json"); ++n)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));  // until that run has ended
  kill(child, SIGINT);
  const ProgramOutcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("matrix_multiply:large alone: interrupted at core cycle "), std::string::npos)
      << outcome.err;
  EXPECT_EQ(stats("p/alone/02-matrix_multiply-large-alone").at("status"), "partial");
  EXPECT_FALSE(fs::exists(folder_ / "p" / "01-vector_add-+-matrix_multiply-large-fifo-100"));
  unsigned kept = 0;
  for (const auto& file : fs::directory_iterator(folder_ / "cache")) kept += file.is_regular_file() ? 1 : 0;
  EXPECT_EQ(kept, 1U) << "of vector_add alone, which is complete";
}

TEST_F(BuiltProgram, InterruptEndsASweepAndItsTableSaysSo) {
  fs::create_directories(folder_ / "s" / "03-core.sms=3");
  write("s/03-core.sms=3/messages.txt", "heddle: left by a run of yesterday\n");
  const pid_t child = start({"sweep", "matrix_multiply", "--size", "large", "--set", "core.sms=1,2,3",
                             "--metric", "rtru", "--format", "csv", "--out", "s"});
  std::this_thread::sleep_for(std::chrono::milliseconds(2000));
  kill(child, SIGINT);
  const ProgramOutcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(stats("s/01-core.sms=1").at("status"), "partial");
  EXPECT_FALSE(fs::exists(folder_ / "s" / "03-core.sms=3" / "stats.json"));
  EXPECT_EQ(outcome.err.find("yesterday"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find(",3,interrupted,"), std::string::npos) << outcome.out;
}

TEST_F(BuiltProgram, InterruptEndsTheRunsOfAComparison) {
  const pid_t child = start({"compare", "matrix_multiply", "--size", "large", "--scheduler", "gto",
                             "--scheduler", "lrr", "--scheduler", "oldest", "--out", "c"});
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  kill(child, SIGTERM);
  const ProgramOutcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(stats("c/01-matrix_multiply-gto").at("end"), "interrupted");
  EXPECT_FALSE(fs::exists(folder_ / "c" / "03-matrix_multiply-oldest" / "stats.json"));
}

}  // namespace
}  // namespace heddle
