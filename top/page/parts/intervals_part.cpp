#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "top/intervals/sqlite_database.h"
#include "top/page/parts/run_part.h"
#include "top/support/results.h"

namespace heddle {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMostSamples =
    240;                                   ///< of a curve: intervals that follow each other are put together
constexpr std::size_t kMostSignals = 100;  ///< of an SM

/// Counters of all SMs that are drawn.
constexpr std::array<std::string_view, 23> kSmColumns{"warp_instructions",
                                                      "warp_cycles",
                                                      "mshr_entry_cycles",
                                                      "l1d_loads",
                                                      "l1d_hits",
                                                      "texture_hits",
                                                      "texture_pending_hits",
                                                      "texture_misses",
                                                      "scheduler_issued",
                                                      "scheduler_idle_no_warp",
                                                      "scheduler_idle_drain",
                                                      "scheduler_idle_barrier",
                                                      "scheduler_idle_membar",
                                                      "scheduler_idle_flush",
                                                      "scheduler_idle_fetch",
                                                      "scheduler_scoreboard_memory",
                                                      "scheduler_scoreboard_shared",
                                                      "scheduler_scoreboard_sfu",
                                                      "scheduler_scoreboard_alu",
                                                      "scheduler_pipeline_sp",
                                                      "scheduler_pipeline_sfu",
                                                      "scheduler_pipeline_ldst",
                                                      "scheduler_pipeline_policy"};

/// The sums of some columns of a table, for each sample.
template <class Columns>
void add_sums(const SqliteDatabase& database, const char* table, const Columns& columns, std::uint64_t merged,
              Json& samples) {
  std::string sql = "SELECT ";
  for (const std::string_view column : columns) sql += fmt::format("sum({}), ", column);
  sql += fmt::format("interval / {0} AS sample FROM {1} GROUP BY sample ORDER BY sample", merged, table);
  for (const std::string_view column : columns) samples[std::string(column)] = Json::array();
  SqliteStatement rows(database, sql);
  while (rows.step()) {
    int place = 0;
    for (const std::string_view column : columns) samples[std::string(column)].push_back(rows.count(place++));
  }
}

/// Where each sample begins and ends.
Json times_of(const SqliteDatabase& database, std::uint64_t merged) {
  Json times{{"first_cycle", Json::array()}, {"last_cycle", Json::array()}};
  SqliteStatement rows(database,
                       fmt::format("SELECT min(first_cycle), max(last_cycle), interval / {} AS sample "
                                   "FROM intervals GROUP BY sample ORDER BY sample",
                                   merged));
  while (rows.step()) {
    times["first_cycle"].push_back(rows.count(0));
    times["last_cycle"].push_back(rows.count(1));
  }
  return times;
}

/// A signal with its value at the end of each sample at which that is not the one before: [sample, value].
/// Masks are hexadecimal, since JavaScript's numbers have 53 bits.
Json signal_of(const SqliteDatabase& database, std::uint64_t id, const std::string& kind,
               std::uint64_t merged, std::uint64_t samples) {
  Json changes = Json::array();
  SqliteStatement rows(database, "SELECT interval, value FROM state WHERE signal = ? ORDER BY interval");
  rows.bind(0, id);
  while (rows.step()) {
    const std::uint64_t sample = rows.count(0) / merged;
    if (sample >= samples)
      throw SqliteError(fmt::format("a value in interval {}, which isn't there", rows.count(0)));
    if (!changes.empty() && changes.back()[0] == sample) changes.erase(changes.size() - 1);
    changes.push_back(
        {sample, kind == "mask" ? Json(fmt::format("{:x}", rows.number(1))) : Json(rows.number(1))});
  }
  return changes;
}

/// The policies' state on the first SM that has any.
Json state_of(const SqliteDatabase& database, std::uint64_t merged, std::uint64_t samples) {
  Json state{{"signals", Json::array()}, {"left_out", 0}};
  SqliteStatement rows(database,
                       "SELECT signal, sm, name, bits, kind FROM signals WHERE sm = "
                       "(SELECT min(sm) FROM signals) ORDER BY signal");
  while (rows.step()) {
    if (state["signals"].size() == kMostSignals) {
      state["left_out"] = state["left_out"].get<std::uint64_t>() + 1;
      continue;
    }
    state["sm"] = rows.count(1);
    Json signal{{"name", rows.text(2)}, {"bits", rows.count(3)}, {"kind", rows.text(4)}};
    signal["changes"] = signal_of(database, rows.number(0), rows.text(4), merged, samples);
    if (rows.text(4) == "names") {
      signal["meanings"] = Json::object();
      SqliteStatement meanings(database,
                               "SELECT value, meaning FROM signal_values WHERE name = ? ORDER BY value");
      meanings.bind(0, rows.text(2));
      while (meanings.step()) signal["meanings"][std::to_string(meanings.number(0))] = meanings.text(1);
    }
    state["signals"].push_back(std::move(signal));
  }
  return state;
}

Json read_intervals(const std::string& file) {
  const SqliteDatabase database(file, SqliteDatabase::Access::kRead);
  SqliteStatement run(database,
                      "SELECT format, interval_cycles, sms, schedulers, mshr_entries, core_mhz FROM run");
  if (!run.step()) throw SqliteError("its table 'run' is empty");
  if (run.count(0) != 1) throw SqliteError(fmt::format("format {}, this version reads 1", run.count(0)));
  SqliteStatement numbers(database, "SELECT count(*), min(interval), max(interval) FROM intervals");
  numbers.step();
  const std::uint64_t intervals = numbers.count(0);
  if (intervals == 0) return nullptr;
  if (numbers.count(1) != 0 || numbers.count(2) != intervals - 1) {
    throw SqliteError(
        fmt::format("{} intervals, numbered {} to {}", intervals, numbers.count(1), numbers.count(2)));
  }
  const std::uint64_t merged = (intervals + kMostSamples - 1) / kMostSamples;

  Json samples = times_of(database, merged);
  add_sums(database, "sm", kSmColumns, merged, samples);
  add_sums(database, "partition", std::array<std::string_view, 1>{"dram_data_bytes"}, merged, samples);
  const std::size_t all = samples["last_cycle"].size();
  for (const auto& [name, column] : samples.items()) {
    if (column.size() != all)
      throw SqliteError(fmt::format("{} rows of '{}', expected {}", column.size(), name, all));
  }
  const double core_mhz = run.real(5);
  if (!std::isfinite(core_mhz) || core_mhz <= 0)
    throw SqliteError(fmt::format("a clock of {} MHz", core_mhz));
  Json shown{{"interval_cycles", run.count(1)},
             {"merged", merged},
             {"sms", run.count(2)},
             {"schedulers", run.count(3)},
             {"mshr_entries", run.count(4)},
             {"core_mhz", core_mhz},
             {"samples", std::move(samples)},
             {"state", state_of(database, merged, all)}};
  return shown;
}

}  // namespace

/// Of intervals.sqlite, which --interval writes: the counters of the whole GPU, and the policies' state on
/// one SM.
nlohmann::json intervals_part(const std::filesystem::path& folder, const nlohmann::json& /*stats*/) {
  const std::filesystem::path file = folder / "intervals.sqlite";
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) return nullptr;
  try {
    return read_intervals(file.string());
  } catch (const SqliteError& error) {
    throw ResultsError(
        fmt::format("{}: damaged, or not as this version writes it: {}", file.string(), error.what()));
  }
}

}  // namespace heddle
