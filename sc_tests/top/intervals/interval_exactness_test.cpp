// Each interval holds what happened in its cycles and nothing else, whoever sleeps and however the machine is
// simulated; and nobody else notices.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sc_tests/support/vcd_reader.h"
#include "sc_tests/top/intervals/intervals_fixture.h"

namespace heddle {
namespace {

struct ExactCase {
  const char* name;
  std::vector<std::string> arguments;
};
void PrintTo(const ExactCase& run, std::ostream* out) { *out << run.name; }

class IntervalExactness : public IntervalsOfRuns, public ::testing::WithParamInterface<ExactCase> {
 protected:
  ProgramOutcome run_case(const std::string& out, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = GetParam().arguments;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_into(out, arguments);
  }
};

/// What intervals of one cycle count, added up, is what longer ones do: an event of the last cycle of an
/// interval is in it, and one of the cycle after it in the next.
TEST_P(IntervalExactness, LongIntervalsAreTheSumsOfShortOnes) {
  const std::vector<std::string> limit{"--max-cycles", "700"};
  for (const char* const interval : {"1", "100"}) {
    ASSERT_EQ(run_case(interval, {"--max-cycles", "700", "--interval", interval}).code, 7);
  }
  EXPECT_EQ(value("1", "SELECT count(*) FROM intervals"), "700");
  for (const IntervalRow& column : rows("100", "SELECT \"table\", name FROM columns")) {
    const std::string of = column[0] == "intervals" ? "0" : column[0];
    EXPECT_EQ(rows("1", fmt::format("SELECT interval / 100, {0}, sum({1}) FROM {2} GROUP BY 1, 2", of,
                                    column[1], column[0])),
              rows("100",
                   fmt::format("SELECT interval, {0}, {1} FROM {2} ORDER BY 1, 2", of, column[1], column[0])))
        << column[1];
  }
  EXPECT_EQ(rows("1", "SELECT interval / 100, sm, resident_tbs FROM sm WHERE interval % 100 = 99"),
            rows("100", "SELECT interval, sm, resident_tbs FROM sm"));
  // The value that a signal has at the end of an interval is the last that was written.
  const auto at_end = [this](const std::string& out, unsigned interval) {
    return rows(out, fmt::format("SELECT signal, value FROM state AS s WHERE interval = (SELECT "
                                 "max(interval) FROM state WHERE signal = s.signal AND interval <= {}) "
                                 "ORDER BY signal",
                                 interval));
  };
  for (const unsigned interval : {0U, 2U, 6U})
    EXPECT_EQ(at_end("1", interval * 100 + 99), at_end("100", interval));
}

TEST_P(IntervalExactness, SameBytesHoweverItIsSimulated) {
  const std::vector<std::string> common{"--max-cycles", "6000", "--interval", "250"};
  const auto files = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = common;
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramOutcome outcome = run_case("o", arguments);
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 7) << outcome.err;
    return read("o/stats.json") + read("o/cost.json") + read("o/intervals.sqlite");
  };
  const std::string expected = files({});
  for (const std::vector<std::string>& variant :
       std::vector<std::vector<std::string>>{{},
                                             {"--no-sleep"},
                                             {"--reverse-construction"},
                                             {"--processes"},
                                             {"--threads", "2", "--oversubscribe"},
                                             {"--vcd", "--vcd-window", "0:300"}}) {
    EXPECT_EQ(files(variant) == expected, true) << (variant.empty() ? "again" : variant.front());
  }
}

TEST_P(IntervalExactness, ResultsAreThoseOfARunWithout) {
  static_cast<void>(run_case("with", {"--max-cycles", "6000", "--interval", "100"}));
  static_cast<void>(run_case("without", {"--max-cycles", "6000"}));
  EXPECT_EQ(read("with/stats.json") == read("without/stats.json"), true);
  EXPECT_EQ(read("with/cost.json") == read("without/cost.json"), true);
  EXPECT_FALSE(fs::exists(folder_ / "without/intervals.sqlite"));
}

/// Waves show what an edge leaves: that is what the cycle of the edge counts.
TEST_F(IntervalsOfRuns, CountTheMshrEntriesThatWavesShowInTheirCycles) {
  ASSERT_EQ(run_into("o", {"spmv", "--param", "rows=512", "--set", "core.sms=1", "--max-cycles", "2500",
                           "--interval", "100", "--vcd-scope", "sm0.mshr.*"})
                .code,
            7);
  test::VcdReader waves(read("o/waves.vcd"));
  ASSERT_TRUE(waves.next());  // cycle 0
  IntervalRows shown;
  for (unsigned interval = 0; interval < 25; ++interval) {
    std::uint64_t entries = 0;
    std::uint64_t full = 0;
    for (unsigned i = 0; i < 100; ++i) {
      ASSERT_TRUE(waves.next());
      entries += waves.value(waves.find("sm0.mshr.occupancy"));
      full += waves.value(waves.find("sm0.mshr.free_entries")) == 0 ? 1 : 0;
    }
    shown.push_back({std::to_string(entries), std::to_string(full)});
  }
  EXPECT_EQ(rows("o", "SELECT mshr_entry_cycles, mshr_full_cycles FROM sm ORDER BY interval"), shown);
}

INSTANTIATE_TEST_SUITE_P(
    Runs, IntervalExactness,
    ::testing::Values(ExactCase{"gto", {"vector_add", "--scheduler", "gto"}},
                      // 13 of the 15 SMs have nothing to do.
                      ExactCase{"sleeping", {"atax", "--param", "n=64", "--scheduler", "oaws_dynamic"}},
                      ExactCase{"ccws", {"bfs", "--scheduler", "ccws+gto", "--set", "core.sms=4"}},
                      ExactCase{"pro", {"histogram", "--scheduler", "pro", "--set", "core.sms=4"}},
                      ExactCase{"mascar", {"spmv", "--scheduler", "mascar", "--set", "core.sms=4"}},
                      ExactCase{"ipaws",
                                {"kmeans", "--scheduler", "ipaws", "--set", "core.sms=4", "--set",
                                 "clock.l2_mhz=350", "--set", "clock.core_mhz=700"}}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace heddle
