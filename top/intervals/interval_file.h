#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "top/intervals/interval_columns.h"
#include "top/intervals/policy_state.h"
#include "top/intervals/sqlite_database.h"
#include "top/machine/run_result.h"
#include "top/report/stats/stats_json.h"

namespace heddle {

/// Some intervals that follow each other.
struct IntervalBatch {
  std::uint64_t first = 0;                ///< its number, the run's first being 0
  std::vector<std::uint64_t> last_cycle;  ///< of each interval
  std::vector<std::uint64_t> values;      ///< as many as the columns, for each interval
  std::vector<std::uint64_t> tbs;         ///< on each SM at the end of each interval
  std::vector<StateChange> changes;

  void clear();
};

/// intervals.sqlite, as docs/statistics.md describes it: written under another name, batch by batch, and
/// renamed when it is whole. Equal runs write equal bytes.
class IntervalFile {
 public:
  /// Throws OutputError.
  IntervalFile(const std::string& path, const IntervalColumns& columns,
               const std::vector<StateSignal>& signals);
  /// Without finish() nothing is left.
  ~IntervalFile();
  IntervalFile(const IntervalFile&) = delete;
  IntervalFile& operator=(const IntervalFile&) = delete;

  /// In one transaction; `columns` and `signals` are those of the file. Throws OutputError.
  void write(const IntervalBatch& batch);
  /// Writes what is known at the end of the run, and puts the file in its place. Throws OutputError.
  void finish(std::uint64_t interval_cycles, const RunDescription& description, const RunResult& result);

 private:
  void discard();
  [[noreturn]] void fail(const SqliteError& error) const;
  void make_tables();
  void write_columns();
  void write_signals(const std::vector<StateSignal>& signals);
  void write_run(std::uint64_t interval_cycles, const RunDescription& description, const RunResult& result);
  void write_launches(const RunResult& result);
  std::string insert_into(IntervalTable table) const;
  void write_row(SqliteStatement& statement, int parameter, const std::uint64_t* values, std::size_t count);
  template <class Write>
  void in_transaction(const Write& write);

  const std::string path_;
  const std::string temporary_;
  const IntervalColumns& columns_;
  std::uint64_t intervals_ = 0;
  std::uint64_t last_cycle_ = 0;
  std::unique_ptr<SqliteDatabase> database_;
  struct Statements;
  std::unique_ptr<Statements> statements_;
};

}  // namespace heddle
