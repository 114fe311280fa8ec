#include "top/reproduction/logs/first_warp.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "top/intervals/sqlite_database.h"
#include "top/reproduction/logs/logged_run.h"
#include "top/support/results.h"

namespace heddle {

namespace {

std::optional<std::uint64_t> first_end(const LoggedRun& run) {
  std::optional<std::uint64_t> first;
  for (const LoggedLaunch& launch : run.launches) {
    for (const LoggedTb& tb : launch.tbs) {
      for (const LoggedWarp& warp : tb.warps) first = std::min(first.value_or(warp.end), warp.end);
    }
  }
  return first;
}

/// Which column of which table adds up to `metric`, as "SELECT sum(column) FROM table"; "" when none does.
std::string sum_of(const SqliteDatabase& file, const std::string& metric) {
  SqliteStatement column(
      file, "SELECT printf('SELECT sum(\"%w\") FROM \"%w\"', name, \"table\") FROM columns WHERE metric = ?");
  column.bind(0, std::string_view(metric));
  return column.step() ? column.text(0) : "";
}

}  // namespace

FirstWarp::FirstWarp(std::filesystem::path records) : intervals_(records / "intervals.sqlite") {
  const std::filesystem::path log = records / "thread_blocks.json";
  std::error_code ignored;
  if (!std::filesystem::exists(intervals_, ignored)) return;
  if (const auto blocks = read_result(log)) end_ = first_end(logged_run_of(*blocks, log.string()));
}

std::optional<double> FirstWarp::value(const std::string& metric) const {
  if (!end_) return std::nullopt;
  try {
    const SqliteDatabase file(intervals_.string(), SqliteDatabase::Access::kRead);
    const std::string sum = sum_of(file, metric);
    if (sum.empty()) return std::nullopt;
    SqliteStatement until(
        file, sum + " WHERE interval <= (SELECT min(interval) FROM intervals WHERE last_cycle >= ?)");
    until.bind(0, *end_);
    if (!until.step() || until.is_null(0)) return std::nullopt;
    return until.real(0);
  } catch (const SqliteError& error) {
    throw ResultsError(fmt::format("{}: {}", intervals_.string(), error.what()));
  }
}

}  // namespace heddle
