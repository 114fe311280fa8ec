#pragma once

#include <string>
#include <vector>

#include "sc_tests/support/swept_program.h"

namespace heddle {

/// A sweep of six points of milliseconds, a kernel on one SM: `heddle sweep e.yaml`.
class SweptExperiment : public SweptProgram {
 protected:
  void SetUp() override {
    BuiltProgram::SetUp();
    write("e.yaml",
          "workloads: [{workload: vector_add, params: {n: 64}}]\n"
          "schedulers: [gto, lrr]\n"
          "set: {core.sms: 1}\n"
          "axes: {core.tb_slots: [1, 2, 4]}\n");
  }
  static std::vector<std::string> sweep(const std::string& file = "e.yaml") {
    return {"sweep", file, "--db", "r.sqlite", "--format", "csv"};
  }
  ProgramOutcome run_sweep(const std::string& file = "e.yaml", const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = sweep(file);
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  std::string results(const std::vector<std::string>& words) {
    std::vector<std::string> all{"results"};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"--db", "r.sqlite"});
    const ProgramOutcome outcome = run(all);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
  static std::vector<CsvRow> rows(const std::string& csv) { return csv_rows(csv); }
};

}  // namespace heddle
