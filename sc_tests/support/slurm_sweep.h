// Sweeps as jobs of Slurm: of a real one (sc_tests/slurm), or of scripts that stand for its programs.
#pragma once

#include <random>

#include "sc_tests/support/swept_program.h"

namespace heddle {

class SlurmSweep : public SweptProgram {
 protected:
  static constexpr std::size_t kPoints = 8;

  void SetUp() override {
    BuiltProgram::SetUp();
    write("e.yaml",
          "workloads: [{workload: vector_add, params: {n: 64}}]\n"
          "schedulers: [gto, lrr]\n"
          "set: {core.sms: 1}\n"
          "axes: {core.tb_slots: [1, 2, 3, 4]}\n");
    // Of two seconds each or so.
    write("slow.yaml",
          "workloads: [{workload: matrix_multiply, size: large}]\n"
          "schedulers: [gto, lrr]\n"
          "set: {core.sms: 1}\n"
          "axes: {core.tb_slots: [1, 2, 3, 4]}\n"
          "until_cycle: 500000\n");
  }
  /// Two points a job, as long as nobody knows how long they take.
  static std::vector<std::string> sweep(const std::string& file, const std::string& seconds = "60") {
    return {"sweep",  file,     "--db", "r.sqlite",      "--executor", "slurm",    "--shared",
            "shared", "--poll", "1",    "--job-seconds", seconds,      "--format", "csv"};
  }
  /// Waits until the database has so many points.
  bool wait_for(std::size_t points, unsigned seconds = 60) {
    for (unsigned n = 0; n < 5 * seconds; ++n) {
      if (stored_now() >= points) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    return false;
  }
  /// Beside a sweep whose output goes to this test's files.
  std::size_t stored_now() {
    const std::string command = "cd " + folder_.string() + " && " + test::program() +
                                " results list --format csv --db r.sqlite 2>/dev/null | tail -n +2 | wc -l";
    std::FILE* const pipe = popen(command.c_str(), "r");
    unsigned long count = 0;
    if (std::fscanf(pipe, "%lu", &count) != 1) count = 0;
    pclose(pipe);
    return count;
  }
  void expect_all_done(const std::string& file, std::size_t points = kPoints) {
    const auto rows = stored();
    EXPECT_EQ(rows.size(), points);
    for (const auto& [id, row] : rows) EXPECT_EQ(row.at("attempts"), "1") << id;
    const ProgramOutcome local = run({"sweep", file, "--db", "local.sqlite", "--format", "csv"});
    EXPECT_EQ(local.code, 0) << local.err;
    EXPECT_EQ(cycles_of(rows), cycles_of(stored("local.sqlite")));
  }
  /// Batches that are left in the folder that all machines see.
  std::size_t batches() const {
    std::size_t count = 0;
    std::error_code failed;
    for (fs::directory_iterator entries(folder_ / "shared", failed), end; !failed && entries != end;
         entries.increment(failed))
      count += entries->path().filename().string().rfind("heddle-", 0) == 0 ? 1 : 0;
    return count;
  }

  void runs_points_as_jobs() {
    const ProgramOutcome outcome = run(sweep("e.yaml"));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(csv_rows(outcome.out).size(), kPoints);
    EXPECT_EQ(batches(), 0U) << "what was gathered is removed";
    expect_all_done("e.yaml");
  }
  void keeps_reasons_and_records() {
    write("trap.ptx", ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry k(){ trap; ret; }\n");
    write("trap.yaml", "ptx: trap.ptx\nlaunches: [{kernel: k, grid: 1, block: 32, args: []}]\n");
    write("f.yaml",
          "workloads: [trap.yaml, {workload: vector_add, params: {n: 64}},\n"
          "  {at_once: [vector_add, scalar_product], arrivals: [50%]}]\n"
          "set: {core.sms: 1}\nrecord: {tb_log: true}\n");
    const ProgramOutcome outcome = run(sweep("f.yaml", "600"));
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    const auto rows = csv_rows(outcome.out);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].at("status"), "fault");
    EXPECT_EQ(rows[1].at("status"), "complete");
    EXPECT_EQ(rows[2].at("status"), "complete") << outcome.err;
    EXPECT_TRUE(fs::exists(folder_ / "r.sqlite.records" / rows[1].at("id") / "thread_blocks.json"));
  }
  /// Killed at drawn moments until it has come to its end, `kills` times in all.
  void goes_on_after_kills(unsigned kills, unsigned seed) {
    std::mt19937 draw(seed);
    for (unsigned killed = 0; killed < kills && !HasFailure();) {
      for (const char* const name : {"r.sqlite", "r.sqlite-wal", "r.sqlite-shm", "r.sqlite.work"})
        fs::remove_all(folder_ / name);
      std::map<std::string, CsvRow> before;
      for (unsigned turn = 0; turn < 3 && killed < kills; ++turn) {
        const pid_t child = start(sweep("e.yaml"));
        std::this_thread::sleep_for(std::chrono::milliseconds(draw() % 4000));
        kill(child, SIGKILL);
        killed += finish(child).code == 128 + SIGKILL ? 1 : 0;
        const auto after = stored();
        expect_kept(before, after, "kill " + std::to_string(killed));
        before = after;
      }
      const ProgramOutcome last = run(sweep("e.yaml"));
      EXPECT_EQ(last.code, 0) << last.err;
      const auto after = stored();
      expect_kept(before, after, "after kill " + std::to_string(killed));
      EXPECT_EQ(after.size(), kPoints);
      EXPECT_EQ(batches(), 0U);
    }
    expect_all_done("e.yaml");
  }
};

}  // namespace heddle
