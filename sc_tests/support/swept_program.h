// The built program with experiments, and what is in their database.
#pragma once

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sc_tests/top/commands/command_line_fixture.h"

namespace heddle {

/// A row of a CSV: cells that are not empty, by the names in its first line.
using CsvRow = std::map<std::string, std::string>;

inline std::vector<std::string> csv_cells(const std::string& line) {
  std::vector<std::string> cells{""};
  bool quoted = false;
  for (const char c : line) {
    quoted = quoted != (c == '"');
    if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '"') {
      cells.back() += c;
    }
  }
  return cells;
}

inline std::vector<CsvRow> csv_rows(const std::string& csv) {
  std::vector<CsvRow> rows;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> names = csv_cells(line);
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = csv_cells(line);
    CsvRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size() && i < cells.size(); ++i) {
      if (!cells[i].empty()) row[names[i]] = cells[i];
    }
  }
  return rows;
}

class SweptProgram : public BuiltProgram {
 protected:
  /// What the database has: points by their names, with all columns and a metric that some have.
  std::map<std::string, CsvRow> stored(const std::string& database = "r.sqlite",
                                       const std::string& metric = "cycles") {
    std::map<std::string, CsvRow> points;
    if (!fs::exists(folder_ / database)) return points;
    const ProgramOutcome outcome = run({"results", "export", "--wide", "--metric", metric, "--db", database});
    if (outcome.err.find("has no results yet") != std::string::npos) return points;
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (CsvRow& row : csv_rows(outcome.out)) points[row["id"]] = row;
    return points;
  }
  /// Points that were there are as they were.
  static void expect_kept(const std::map<std::string, CsvRow>& before,
                          const std::map<std::string, CsvRow>& after, const std::string& trial) {
    for (const auto& [id, row] : before) {
      const auto found = after.find(id);
      ASSERT_NE(found, after.end()) << trial << ": a point is lost";
      EXPECT_EQ(found->second, row) << trial << ": a point ran twice";
    }
  }
  static std::map<std::string, std::string> cycles_of(const std::map<std::string, CsvRow>& points) {
    std::map<std::string, std::string> cycles;
    for (const auto& [id, row] : points) {
      const auto found = row.find("cycles");
      cycles[id] = found == row.end() ? "" : found->second;
    }
    return cycles;
  }
};

}  // namespace heddle
