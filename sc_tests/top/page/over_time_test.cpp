// The sections that show what --interval writes: their numbers are those of stats.json and of
// intervals.sqlite.
#include <sqlite3.h>

#include <fstream>
#include <numeric>
#include <random>

#include "sc_tests/top/page/report_browser_fixture.h"
#include "top/intervals/sqlite_database.h"
#include "top/page/parts/run_part.h"
#include "top/support/results.h"
#include "top/support/stats_file.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

class ReportOverTime : public BrowsedReport {
 protected:
  /// A run of bfs under a scheduler, in a folder with its name.
  void make(const std::string& scheduler, const std::string& interval = "250") {
    const ProgramOutcome made = run({"run", "bfs", "--param", "nodes=2048", "--scheduler", scheduler,
                                     "--interval", interval, "--quiet", "--out", scheduler});
    ASSERT_EQ(made.code, 0) << made.err;
  }
  double metric(const std::string& out, const std::string& name) const {
    const nlohmann::json results = stats(out);
    const nlohmann::json* const found = find_metric(results.at("metrics"), name);
    EXPECT_NE(found, nullptr) << name;
    return found == nullptr ? 0 : found->get<double>();
  }
  /// A curve's values times the core cycles they are the mean of.
  static double area(const std::vector<std::pair<double, double>>& curve) {
    double sum = 0;
    double before = 0;
    for (const auto& [last, value] : curve) {
      sum += value * (last - before);
      before = last;
    }
    return sum;
  }
};

TEST_F(ReportOverTime, CurvesHoldWhatTheRunsCounted) {
  if (IsSkipped()) return;
  make("gto");
  make("ccws+gto");
  report({"gto", "ccws+gto"});
  const std::string page = this->page();
  const auto ipc = lines(page, "over-time-ipc");
  const auto warps = lines(page, "over-time-warps");
  const auto mshr = lines(page, "over-time-mshr");
  const auto dram = lines(page, "over-time-dram");
  ASSERT_EQ(ipc.size(), 2U);
  for (const auto& [label, curve] : ipc) {
    const std::string out = label.substr(0, label.find(','));
    SCOPED_TRACE(out);
    const nlohmann::json values = stats(out).at("config").at("values");
    const double sms = values.at("core.sms");
    EXPECT_EQ(curve.back().first, metric(out, "cycles"));
    const double relative = 1e-9;
    const double instructions = metric(out, "sm.warp_instructions");
    EXPECT_NEAR(area(curve), instructions, instructions * relative);
    const double warp_cycles = metric(out, "sm.warp_cycles");
    EXPECT_NEAR(area(warps.at(label)) * sms, warp_cycles, warp_cycles * relative);
    const double entries = metric(out, "sm.mshr.entry_cycles");
    EXPECT_NEAR(area(mshr.at(label)) * sms, entries, entries * relative);
    const double bytes = metric(out, "partition.dram.data_bytes");
    const double mhz = values.at("clock.core_mhz");
    EXPECT_NEAR(area(dram.at(label)) * 1000 / mhz, bytes, bytes * relative + 1e-6);
  }
}

TEST_F(ReportOverTime, CausesShareTheIssueSlots) {
  if (IsSkipped()) return;
  make("gto");
  report({"gto"});
  const auto causes = lines(page(), "over-time-causes-r0");
  ASSERT_GT(causes.size(), 3U);
  for (std::size_t i = 0; i < causes.begin()->second.size(); ++i) {
    const double sum = std::accumulate(causes.begin(), causes.end(), 0.0, [i](double all, const auto& cause) {
      return all + cause.second.at(i).second;
    });
    EXPECT_NEAR(sum, 1, 1e-9) << "sample " << i;
  }
  const double memory = area(causes.at("memory (Long Scoreboard)")) / metric("gto", "cycles");
  EXPECT_NEAR(memory, metric("gto", "scheduler_share_scoreboard_memory"), 1e-9);
}

TEST_F(ReportOverTime, BandsAreThePhasesOfThePolicy) {
  if (IsSkipped()) return;
  make("ipaws");
  report({"ipaws"});
  const SqliteDatabase database((folder_ / "ipaws/intervals.sqlite").string(), SqliteDatabase::Access::kRead);
  SqliteStatement changes(database,
                          "SELECT meaning, first_cycle FROM state JOIN signals USING (signal) "
                          "JOIN signal_values USING (name, value) JOIN intervals USING (interval) "
                          "WHERE sm = 0 AND signals.name = 'ipaws.phase' ORDER BY interval");
  // A phase holds until the first cycle of the interval in which another one is seen at the end.
  std::vector<std::pair<std::string, double>> phases;
  while (changes.step()) phases.emplace_back(changes.text(0), changes.number(1) - 1);
  ASSERT_GT(phases.size(), 1U);
  const auto bands = bars(page(), "policy-state-r0-0");
  const double end = metric("ipaws", "cycles");
  std::map<std::string, double> last;  // bands of equal keys: the last counts
  for (std::size_t i = 0; i < phases.size(); ++i) {
    last["ipaws.phase|" + phases[i].first] =
        (i + 1 < phases.size() ? phases[i + 1].second : end) - phases[i].second;
  }
  EXPECT_EQ(bands, last);
}

TEST_F(ReportOverTime, EachProgramHasChartsOfItsOwnAndAnOrderIsBands) {
  if (IsSkipped()) return;
  make("gto");
  const ProgramOutcome made = run({"run", "vector_add", "--param", "n=20000", "--set", "core.sms=2",
                                   "--scheduler", "pro", "--interval", "250", "--quiet", "--out", "other"});
  ASSERT_EQ(made.code, 0) << made.err;
  report({"gto", "other"});
  const std::string page = this->page();
  const auto first = lines(page, "over-time-ipc");
  const auto second = lines(page, "over-time-ipc-1");
  ASSERT_EQ(first.size(), 1U);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_THAT(first.begin()->first, HasSubstr("bfs"));
  EXPECT_THAT(second.begin()->first, HasSubstr("vector_add"));
  const std::string state = element(page, "section", "policy-state");
  EXPECT_THAT(state, HasSubstr("data-row=\"pro.tb_order.place0\" data-key=\"TB slot "));
  EXPECT_THAT(state, Not(HasSubstr("data-row=\"pro.tb_order.place0\" data-points"))) << "no lines that cross";
}

TEST_F(ReportOverTime, ManyIntervalsArePutTogether) {
  if (IsSkipped()) return;
  make("gto", "1");
  report({"gto"});
  const std::string page = this->page();
  const auto ipc = lines(page, "over-time-ipc").at("bfs, gto");
  EXPECT_LE(ipc.size(), 240U);
  EXPECT_GT(ipc.size(), 120U);
  EXPECT_NEAR(area(ipc), metric("gto", "sm.warp_instructions"), 1e-3);
}

TEST_F(ReportOverTime, SaysWhatIsWrongWithTheFile) {
  make("gto");
  const auto refusal = [this] {
    const ProgramOutcome made = run({"report", "gto", "-o", "report.html"});
    EXPECT_NE(made.code, 0);
    return made.err;
  };
  const std::string file = (folder_ / "gto/intervals.sqlite").string();
  std::ofstream(file) << "no database";
  EXPECT_THAT(refusal(), HasSubstr("gto/intervals.sqlite: damaged"));
  fs::remove(file);
  {
    SqliteDatabase other(file, SqliteDatabase::Access::kCreate);
    other.execute("CREATE TABLE run(format, interval_cycles, sms, schedulers, mshr_entries, core_mhz)");
    other.execute("INSERT INTO run VALUES(2, 100, 1, 1, 1, 700.0)");
    other.close();
  }
  EXPECT_THAT(refusal(), HasSubstr("format 2, this version reads 1"));
}

// What SQLite would turn into numbers, and numbers that can't be.
TEST_F(ReportOverTime, NoNumberIsMadeOfWhatIsNone) {
  make("gto");
  const std::string whole = read("gto/intervals.sqlite");
  const auto refusal = [&](const std::string& statement) -> std::string {
    std::ofstream(folder_ / "gto/intervals.sqlite", std::ios::binary) << whole;
    sqlite3* database = nullptr;
    sqlite3_open((folder_ / "gto/intervals.sqlite").c_str(), &database);
    EXPECT_EQ(sqlite3_exec(database, statement.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << statement;
    sqlite3_close(database);
    try {
      intervals_part(folder_ / "gto", {});
    } catch (const ResultsError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("UPDATE sm SET warp_cycles = warp_cycles"), "");
  EXPECT_THAT(refusal("UPDATE sm SET warp_cycles = -1"), HasSubstr("expected a whole number of at least 0"));
  EXPECT_THAT(refusal("UPDATE sm SET warp_cycles = 0.5"), HasSubstr("has '"));
  EXPECT_THAT(refusal("UPDATE sm SET warp_cycles = NULL"), HasSubstr("has ''"));
  EXPECT_THAT(refusal("UPDATE run SET sms = 'many'"), HasSubstr("column sms has 'many'"));
  EXPECT_THAT(refusal("UPDATE run SET core_mhz = 9e999"), HasSubstr("a clock of inf MHz"));
  EXPECT_THAT(refusal("UPDATE intervals SET interval = -5 WHERE interval = 1"), HasSubstr("'-5'"));
  EXPECT_THAT(refusal("UPDATE intervals SET interval = 1000000 WHERE interval = 1"), HasSubstr("to 1000000"));
}

TEST_F(ReportOverTime, AnyDamageIsAFileOrARefusal) {
  make("ipaws");
  const std::string whole = read("ipaws/intervals.sqlite");
  fs::create_directory(folder_ / "damaged");
  std::mt19937 random(1);
  unsigned refused = 0;
  for (unsigned trial = 0; trial < 300; ++trial) {
    std::string text = whole;
    // The first page has the tables, and each page begins with where its rows are.
    for (unsigned byte = 0; byte < 6; ++byte) {
      const std::size_t page = random() % (text.size() / 4096);
      text[page * 4096 + random() % (byte % 2 == 0 ? 64 : 4096)] = static_cast<char>(random());
    }
    std::ofstream(folder_ / "damaged/intervals.sqlite", std::ios::binary) << text;
    try {
      const nlohmann::json part = intervals_part(folder_ / "damaged", {});
      if (!part.is_null()) {
        EXPECT_EQ(part.at("samples").at("warp_instructions").size(),
                  part.at("samples").at("last_cycle").size());
      }
    } catch (const ResultsError& error) {
      EXPECT_THAT(error.what(), HasSubstr("damaged/intervals.sqlite: damaged"));
      ++refused;
    }
  }
  EXPECT_GT(refused, 100U);
}

}  // namespace
}  // namespace heddle
