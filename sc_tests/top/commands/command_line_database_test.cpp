// Comparisons and pairs whose runs are points of a database: the tables that those of folders print.
#include <gmock/gmock.h>

#include <set>

#include "sc_tests/support/swept_program.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

class InDatabase : public SweptProgram {
 protected:
  std::string printed(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    const ProgramOutcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
  std::string refused(const std::string& command, const std::vector<std::string>& more) {
    std::vector<std::string> words{command, "vector_add", "black_scholes"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramOutcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    return outcome.err;
  }
};

TEST_F(InDatabase, AComparisonPrintsTheTableOfFoldersAndRunsNothingTwice) {
  const std::vector<std::string> words{"compare",    "vector_add",  "scalar_product",       "--set",
                                       "core.sms=2", "--scheduler", "gto,pro,least_issued", "--format",
                                       "json",       "--quiet"};
  const std::string table = printed(words, {"--db", "r.sqlite"});
  EXPECT_EQ(table, printed(words, {"--out", "folders"}));
  EXPECT_EQ(nlohmann::json::parse(table).size(), 2U * 3 + 3);
  const auto points = stored();
  EXPECT_EQ(points.size(), 6U);
  EXPECT_EQ(printed(words, {"--db", "r.sqlite"}), table);
  EXPECT_EQ(stored(), points);
  // A sweep's points of the same runs are there, too.
  const ProgramOutcome sweep = run({"sweep", "vector_add", "--set", "core.sms=2", "--scheduler", "gto,pro",
                                    "--db", "r.sqlite", "--dry-run", "--format", "csv"});
  for (const CsvRow& row : csv_rows(sweep.out)) EXPECT_EQ(row.at("status"), "complete");
}

TEST_F(InDatabase, ATimingComparisonPrintsTheTableOfFolders) {
  const std::vector<std::string> words{"compare", "vector_add", "--set",    "core.sms=2", "--scheduler",
                                       "gto,pro", "--timing",   "--format", "json",       "--quiet"};
  const std::string table = printed(words, {"--db", "r.sqlite"});
  EXPECT_EQ(table, printed(words, {"--out", "folders"}));
  EXPECT_THAT(table, HasSubstr("hardware"));
  EXPECT_EQ(stored().size(), 4U);
}

TEST_F(InDatabase, ASampledComparisonPrintsTheTableOfFolders) {
  const std::vector<std::string> words{"compare",  "vector_add", "--size",      "rounds",
                                       "--set",    "core.sms=1", "--scheduler", "gto,lrr",
                                       "--sample", "--format",   "json",        "--quiet"};
  const std::string table = printed(words, {"--db", "r.sqlite"});
  EXPECT_EQ(table, printed(words, {"--out", "folders"}));
  EXPECT_THAT(table, HasSubstr("\"sampled\""));
}

TEST_F(InDatabase, AComparisonsFailedPointIsToldAndShown) {
  write("trap.ptx", ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry k(){ trap; ret; }\n");
  write("trap.yaml", "ptx: trap.ptx\nlaunches: [{kernel: k, grid: 1, block: 32, args: []}]\n");
  const ProgramOutcome outcome =
      run({"compare", "trap.yaml", "vector_add", "--set", "core.sms=2", "--scheduler", "gto,lrr", "--db",
           "r.sqlite", "--format", "csv", "--quiet"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.err, HasSubstr("heddle compare: trap gto: "));
  auto rows = csv_rows(outcome.out);
  ASSERT_GE(rows.size(), 4U);
  EXPECT_EQ(rows[0]["status"], "fault");
  EXPECT_EQ(rows[2]["status"], "complete");
  EXPECT_NE(rows[2]["cycles"], "");
}

TEST_F(InDatabase, PairsPrintTheTableOfFoldersAndRunNothingTwice) {
  const std::vector<std::string> words{"pairs",    "vector_add", "scalar_product", "--set", "core.sms=2",
                                       "--policy", "fifo,srtf",  "--arrival",      "0,25%", "--both-orders",
                                       "--format", "json",       "--quiet"};
  const std::string table = printed(words, {"--db", "r.sqlite"});
  EXPECT_EQ(table, printed(words, {"--out", "folders", "--cache", "cache"}));
  EXPECT_THAT(table, HasSubstr("\"sampling_delay_cycles\""));
  const auto points = stored();
  EXPECT_EQ(points.size(), 2U * 2 * 2 + 2) << "policies, arrivals, orders; and each alone";
  EXPECT_FALSE(fs::exists(folder_ / "r.sqlite.work"));
  const fs::path alone = folder_ / "r.sqlite.records" / "alone";  // what the stored commands name
  EXPECT_EQ(std::distance(fs::directory_iterator(alone), fs::directory_iterator()), 2);
  EXPECT_EQ(printed(words, {"--db", "r.sqlite"}), table);
  EXPECT_EQ(stored(), points);
  EXPECT_FALSE(fs::exists(folder_ / "r.sqlite.work"));
}

TEST_F(InDatabase, CopiesAndRepetitionsHavePointsOfTheirOwn) {
  const std::string table =
      printed({"pairs", "vector_add", "--set", "core.sms=2", "--policy", "fifo", "--arrival", "0-2000",
               "--repetitions", "2", "--format", "json", "--quiet"},
              {"--db", "r.sqlite"});
  const auto pairs = nlohmann::json::parse(table).at("results").at(0).at("pairs");
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].at("second"), "vector_add#2");
  EXPECT_NE(pairs[0].at("arrival_cycles"), pairs[1].at("arrival_cycles"));
  EXPECT_EQ(stored().size(), 3U);
}

TEST_F(InDatabase, WhatADatabaseDoesNotHaveIsRefused) {
  EXPECT_THAT(refused("compare", {"--scheduler", "gto,lrr", "--db", "r.sqlite", "--out", "o"}),
              HasSubstr("--out is for runs that leave folders"));
  EXPECT_THAT(refused("pairs", {"--cache", "c", "--db", "r.sqlite"}),
              HasSubstr("--cache is for runs that leave"));
  EXPECT_THAT(refused("pairs", {"--db", "r.sqlite", "--jobs", "0"}),
              HasSubstr("expected a number, 1 to 4096"));
}

TEST_F(InDatabase, PairsOfDrawnTimesPrintTheTableThatTheyPrintWithoutAndRunNothingTwice) {
  write("bed.yaml",
        "kind: timed\nkernels:\n"
        "  - {name: a, tbs: 400, threads: 64, mean_cycles: 500, residency_slowdown: 2}\n"
        "  - {name: b, tbs: 200, threads: 64, mean_cycles: 900, launches: 2}\n"
        "  - {name: c, tbs: 90, threads: 128, mean_cycles: 2000, deviation_percent: 30}\n");
  for (const char* const format : {"json", "text"}) {
    const std::vector<std::string> words{"pairs",     "bed.yaml", "--policy", "srtf,fifo", "--arrival",
                                         "0-9000,5%", "--seed",   "4",        "--detail",  "--repetitions",
                                         "3",         "--format", format,     "--quiet",   "--interference",
                                         "1"};
    const std::string table = printed(words, {});
    EXPECT_EQ(printed(words, {"--db", "r.sqlite"}), table);
    const auto points = stored("r.sqlite", "multiprogram.stp");
    EXPECT_EQ(points.size(), 2U * 2 * 3) << "policies, arrivals, repetitions";
    EXPECT_EQ(printed(words, {"--db", "r.sqlite"}), table);
    EXPECT_EQ(stored("r.sqlite", "multiprogram.stp"), points);
  }
}

TEST_F(InDatabase, ArrivalsAreDrawnAsInFolders) {
  const std::vector<std::string> words{
      "pairs",  "vector_add", "scalar_product", "--set",         "core.sms=2",    "--policy",
      "fifo",   "--arrival",  "0-9000",         "--both-orders", "--repetitions", "2",
      "--seed", "9",          "--format",       "json",          "--quiet"};
  const std::string table = printed(words, {"--db", "r.sqlite"});
  EXPECT_EQ(table, printed(words, {"--out", "folders", "--cache", "cache"}));
  const auto pairs = nlohmann::json::parse(table).at("results").at(0).at("pairs");
  std::set<std::uint64_t> drawn;
  for (const auto& pair : pairs) drawn.insert(pair.at("arrival_cycles").at(1).get<std::uint64_t>());
  EXPECT_EQ(drawn.size(), 4U) << "each order and repetition its own";
}

// What is kept of a run is the command that asks for it, and what is said to be done next is one to be
// copied.
TEST_F(InDatabase, PathsMayHaveSpaces) {
  write("my conf.yaml", "name: mine\ncore: {sms: 2}\n");
  const std::vector<std::string> words{"sweep",    "vector_add",   "--param", "n=2048",
                                       "--config", "my conf.yaml", "--set",   "l1d.mshr.entries=16,32",
                                       "--quiet"};
  EXPECT_THAT(printed(words, {"--db", "my study.sqlite"}),
              HasSubstr("Figures: heddle results export --db 'my study.sqlite'\n"));
  EXPECT_THAT(printed(words, {"--out", "my runs"}),
              HasSubstr("Results of each run in my runs/; charts: heddle report 'my runs'\n"));
  const std::string command =
      "heddle run vector_add --config 'my conf.yaml' --set l1d.mshr.entries=16 --param n=2048";
  EXPECT_EQ(stats("my runs/01-l1d.mshr.entries=16").at("command"), command);
  EXPECT_THAT(printed({"results", "export", "--wide", "--db", "my study.sqlite"}, {}), HasSubstr(command));
  EXPECT_THAT(printed({"report", "my study.sqlite"}, {}), HasSubstr("Report of 2 runs"));
  EXPECT_THAT(printed({"describe", "--results", "my study.sqlite"}, {}), HasSubstr("l1d.mshr.entries=32"));
}

}  // namespace
}  // namespace heddle
