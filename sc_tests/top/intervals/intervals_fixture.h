// Runs of the built program with statistics over time, and what their file says.
#pragma once

#include <sqlite3.h>

#include <map>
#include <string>
#include <vector>

#include "sc_tests/top/commands/command_line_fixture.h"
#include "top/support/stats_file.h"

namespace heddle {

using IntervalRow = std::vector<std::string>;
using IntervalRows = std::vector<IntervalRow>;

class IntervalsOfRuns : public BuiltProgram {
 protected:
  /// A run of `arguments` with results in `out`; whatever its exit code.
  ProgramOutcome run_into(const std::string& out, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    arguments.insert(arguments.end(), {"--quiet", "--out", out});
    return run(arguments);
  }
  std::string file(const std::string& out) const { return (folder_ / out / "intervals.sqlite").string(); }

  /// All that `sql` finds, as text, views included.
  IntervalRows rows(const std::string& out, const std::string& sql) const {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open_v2(file(out).c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    IntervalRows found;
    const auto take = [](void* into, int columns, char** values, char** /*names*/) {
      IntervalRow& row = static_cast<IntervalRows*>(into)->emplace_back();
      for (int i = 0; i < columns; ++i) row.emplace_back(values[i] == nullptr ? "NULL" : values[i]);
      return 0;
    };
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), take, &found, &message), SQLITE_OK)
        << message << ": " << sql;
    sqlite3_free(message);
    sqlite3_close(database);
    return found;
  }
  /// The only value that `sql` finds.
  std::string value(const std::string& out, const std::string& sql) const {
    const IntervalRows found = rows(out, sql);
    EXPECT_EQ(found.size(), 1U) << sql;
    return found.size() == 1 ? found[0].at(0) : "";
  }

  /// Values of stats.json by name: "metrics" or "instances".
  std::map<std::string, double> figures(const std::string& out, const std::string& part) const {
    const nlohmann::json results = stats(out);
    std::map<std::string, double> found;
    const auto take = [&found](const std::string& name, const nlohmann::json& value) {
      if (value.is_number()) found[name] = value;
    };
    if (part == "instances") {
      for_each_instance(results.at(part), take);
    } else {
      for_each_metric(results.at(part), take);
    }
    return found;
  }
};

}  // namespace heddle
