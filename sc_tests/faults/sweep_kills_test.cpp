// A sweep is killed at random moments, many of them while it or one of its points writes: what the database
// has stays as it was, no point is lost, and the same command goes on to the figures of an undisturbed one.
// Each of its calls that writes fails in turn.
#include <random>
#include <regex>

#include "sc_tests/faults/fault_trial.h"

namespace heddle {
namespace {

/// A stored point: its name and all that is stored of it.
using Stored = std::map<std::string, std::string>;

class SweepKills : public FaultTrial {
 protected:
  static constexpr std::size_t kPoints = 6;

  void SetUp() override {
    FaultTrial::SetUp();
    write("e.yaml",
          "workloads: [{workload: vector_add, params: {n: 64}}]\n"
          "schedulers: [gto, lrr]\n"
          "set: {core.sms: 1}\n"
          "axes: {core.tb_slots: [1, 2, 4]}\n");
    const auto began = std::chrono::steady_clock::now();
    ASSERT_EQ(run(words("whole.sqlite")).code, 0) << read("stderr.txt");
    lasts_ = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - began);
    for (const auto& [id, figures] : figures_of("whole.sqlite")) figures_[id] = figures;
    ASSERT_EQ(figures_.size(), kPoints);
    writes_ = calls("write", words("counted.sqlite"));
  }
  static std::vector<std::string> words(const std::string& database) {
    return {"sweep", "e.yaml", "--db", database, "--jobs", "2", "--format", "csv"};
  }
  /// Each point's row of an export, times and hosts left out.
  Stored figures_of(const std::string& database) {
    Stored points = rows_of(database);
    static const std::regex kProcess("(complete,0,,)[^,]*(,[^,]*){6}");
    for (auto& [id, row] : points) row = std::regex_replace(row, kProcess, "$1");
    return points;
  }
  Stored rows_of(const std::string& database) {
    Stored points;
    if (!fs::exists(folder_ / database)) return points;
    const ProgramOutcome outcome = run({"results", "export", "--wide", "--db", database});
    if (outcome.err.find("has no results yet") != std::string::npos) return points;
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::istringstream lines(outcome.out);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) points[line.substr(0, line.find(','))] = line;
    return points;
  }
  void expect_kept(const Stored& before, const Stored& after, const std::string& trial) const {
    for (const auto& [id, row] : before) {
      const auto found = after.find(id);
      ASSERT_NE(found, after.end()) << trial << ": a point is lost";
      EXPECT_EQ(found->second, row) << trial << ": a point ran twice";
    }
  }
  bool kill_while_writing(std::mt19937& draw) {
    const bool in_point = draw() % 2 == 0;
    const std::string fault = std::string("write ") + (in_point ? "run " : "sweep ") +
                              std::to_string(1 + draw() % (in_point ? 30 : writes_)) +
                              (in_point ? " kill_parent" : " kill");
    return run_with(fault, words("r.sqlite")).code == 128 + SIGKILL;
  }
  bool kill_at_any_time(std::mt19937& draw) {
    const pid_t child = start(words("r.sqlite"));
    std::this_thread::sleep_for(lasts_ * (draw() % 1000) / 1000);
    kill(child, SIGKILL);
    return finish(child).code == 128 + SIGKILL;
  }
  void start_afresh() const {
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().filename().string().rfind("r.sqlite", 0) == 0) fs::remove_all(entry.path());
    }
  }

  std::chrono::microseconds lasts_{};
  unsigned long writes_ = 0;
  Stored figures_;
};

TEST_F(SweepKills, AtAnyTimeLoseNoPointAndRunNoneTwice) {
  const unsigned kills = campaign_number("HEDDLE_SWEEP_KILLS", 4);
  std::mt19937 draw(campaign_number("HEDDLE_KILLS_SEED", 1));
  unsigned killed = 0;
  unsigned while_writing = 0;
  unsigned kept = 0;
  for (unsigned number = 0; killed < kills && number < 20 * kills && !HasFailure(); ++number) {
    start_afresh();
    Stored before;
    // One after the other, until the sweep has come to its end.
    for (unsigned turn = 0; turn < 4 && killed < kills; ++turn) {
      const bool writing = draw() % 2 == 0;
      const bool hit = writing ? kill_while_writing(draw) : kill_at_any_time(draw);
      killed += hit ? 1 : 0;
      while_writing += hit && writing ? 1 : 0;
      const Stored after = rows_of("r.sqlite");
      const std::string trial = "trial " + std::to_string(number) + ", turn " + std::to_string(turn);
      expect_kept(before, after, trial);
      kept += static_cast<unsigned>(after.size());
      before = after;
    }
    const ProgramOutcome last = run(words("r.sqlite"));
    EXPECT_EQ(last.code, 0) << last.err;
    expect_kept(before, rows_of("r.sqlite"), "after trial " + std::to_string(number));
    EXPECT_EQ(figures_of("r.sqlite"), figures_) << "trial " << number;
  }
  std::cout << killed << " kills, " << while_writing << " of them in a call that writes; " << kept
            << " points were stored before" << std::endl;
  EXPECT_EQ(killed, kills);
}

TEST_F(SweepKills, ACallThatFailsIsToldAndTheNextSweepGoesOn) {
  for (const char* const how : {" ENOSPC", "+ ENOSPC", " EIO"}) {
    for (unsigned long number = 1; number <= writes_; number += campaign_number("HEDDLE_FAULT_STRIDE", 61)) {
      start_afresh();
      const std::string fault = "write sweep " + std::to_string(number) + how;
      const ProgramOutcome outcome = run_with(fault, words("r.sqlite"));
      if (outcome.code == 0) {
        EXPECT_EQ(outcome.err, "") << fault;
      } else {
        EXPECT_EQ(outcome.code, 6) << fault << ": " << outcome.err;
        EXPECT_EQ(outcome.err.find("heddle: "), 0U) << fault << ": " << outcome.err;
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1)
            << fault << ": " << outcome.err;
      }
      const ProgramOutcome next = run(words("r.sqlite"));
      EXPECT_EQ(next.code, 0) << fault << ": " << next.err;
      EXPECT_EQ(figures_of("r.sqlite"), figures_) << fault;
    }
  }
}

/// What a machine that loses power may leave: a log that is cut off anywhere, and folders with files cut off.
TEST_F(SweepKills, ALogThatIsCutOffLosesWhatItHadAndNoMore) {
  const pid_t child = start(words("r.sqlite"));
  std::this_thread::sleep_for(lasts_ * 2 / 3);
  kill(child, SIGKILL);
  finish(child);
  const fs::path log = folder_ / "r.sqlite-wal";
  if (fs::exists(log)) fs::resize_file(log, fs::file_size(log) / 2);
  fs::remove(folder_ / "r.sqlite-shm");
  const std::string id = figures_.begin()->first;
  fs::create_directories(folder_ / "r.sqlite.work" / id / "run");
  write("r.sqlite.work/" + id + "/run/stats.json", "{\"format\": 2, \"status\": \"comp");
  EXPECT_EQ(run(words("r.sqlite")).code, 0) << read("stderr.txt");
  EXPECT_EQ(figures_of("r.sqlite"), figures_);
}

}  // namespace
}  // namespace heddle
