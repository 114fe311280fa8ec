#include "top/intervals/interval_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "top/support/output/atomic_file.h"
#include "top/support/version.h"

namespace heddle {

namespace {

/// Of the tables; what a reader of an older file can't know of changes it.
constexpr unsigned kFormat = 1;

constexpr const char* kTables = R"(
CREATE TABLE run(format INTEGER, version TEXT, status TEXT, end TEXT, reason TEXT, workload TEXT, size TEXT,
  scheduler TEXT, config TEXT, cycles INTEGER, interval_cycles INTEGER, sms INTEGER, schedulers INTEGER,
  warp_slots INTEGER, tb_slots INTEGER, mshr_entries INTEGER, partitions INTEGER, core_mhz REAL);
CREATE TABLE columns("table" TEXT, name TEXT, unit TEXT, metric TEXT, description TEXT);
CREATE TABLE launches(launch INTEGER, stream INTEGER, kernel TEXT, first_cycle INTEGER, cycles INTEGER,
  complete INTEGER);
CREATE TABLE signals(signal INTEGER PRIMARY KEY, sm INTEGER, name TEXT, bits INTEGER, kind TEXT);
CREATE TABLE signal_values(name TEXT, value INTEGER, meaning TEXT);
CREATE TABLE state(interval INTEGER, signal INTEGER, value INTEGER);
)";

/// What stands in a table before its counters.
constexpr const char* keys_of(IntervalTable table) {
  switch (table) {
    case IntervalTable::kMachine:
      return "interval INTEGER PRIMARY KEY, first_cycle INTEGER, last_cycle INTEGER";
    case IntervalTable::kSm:
      return "interval INTEGER, sm INTEGER, resident_tbs INTEGER";
    default:
      return "interval INTEGER, partition INTEGER";
  }
}

constexpr IntervalTable kAllTables[] = {IntervalTable::kMachine, IntervalTable::kSm,
                                        IntervalTable::kPartition};

/// PATH.tmp, with the links resolved that lead to its folder.
std::string beside(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  const std::string name = std::filesystem::path(path).filename().string() + ".tmp";
  return (std::filesystem::canonical(folder) / name).string();
}

std::string parameters(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += i == 0 ? "?" : ",?";
  return text;
}

/// The rows of an interval added up: a table's part of the view of the whole GPU.
std::string sums_of(const IntervalColumns& columns, IntervalTable table) {
  std::string text = "SELECT interval";
  if (table == IntervalTable::kSm) text += ", sum(resident_tbs) AS resident_tbs";
  for (const IntervalColumn& column : columns.of(table)) {
    text += fmt::format(", sum({0}) AS {0}", column.name);
  }
  return fmt::format("({} FROM {} GROUP BY interval)", text, to_string(table));
}

}  // namespace

void IntervalBatch::clear() {
  first += last_cycle.size();
  last_cycle.clear();
  values.clear();
  tbs.clear();
  changes.clear();
}

struct IntervalFile::Statements {
  SqliteStatement machine;
  SqliteStatement sm;
  SqliteStatement partition;
  SqliteStatement state;
};

IntervalFile::IntervalFile(const std::string& path, const IntervalColumns& columns,
                           const std::vector<StateSignal>& signals)
    : path_(path), temporary_(beside(path)), columns_(columns) {
  // What a killed process left goes first.
  unlink(temporary_.c_str());
  try {
    database_ = std::make_unique<SqliteDatabase>(temporary_, SqliteDatabase::Access::kCreate);
    in_transaction([&] {
      make_tables();
      write_columns();
      write_signals(signals);
    });
    statements_.reset(new Statements{{*database_, insert_into(IntervalTable::kMachine)},
                                     {*database_, insert_into(IntervalTable::kSm)},
                                     {*database_, insert_into(IntervalTable::kPartition)},
                                     {*database_, "INSERT INTO state VALUES(?,?,?)"}});
  } catch (const SqliteError& error) {
    discard();
    fail(error);
  } catch (...) {
    discard();
    throw;
  }
}

IntervalFile::~IntervalFile() {
  if (database_ != nullptr) discard();
}

void IntervalFile::discard() {
  statements_.reset();
  database_.reset();
  unlink(temporary_.c_str());
}

void IntervalFile::fail(const SqliteError& error) const {
  throw OutputError(fmt::format("{}: can't write: {}", path_, error.what()));
}

template <class Write>
void IntervalFile::in_transaction(const Write& write) {
  try {
    database_->execute("BEGIN");
    write();
    database_->execute("COMMIT");
  } catch (const SqliteError& error) {
    fail(error);
  }
}

void IntervalFile::make_tables() {
  database_->execute(kTables);
  for (const IntervalTable table : kAllTables) {
    std::string sql = fmt::format("CREATE TABLE {}({}", to_string(table), keys_of(table));
    for (const IntervalColumn& column : columns_.of(table)) sql += fmt::format(", {} INTEGER", column.name);
    database_->execute(sql + ")");
  }
  database_->execute(fmt::format(
      "CREATE VIEW gpu AS SELECT * FROM intervals JOIN {} USING (interval) JOIN {} USING (interval)",
      sums_of(columns_, IntervalTable::kSm), sums_of(columns_, IntervalTable::kPartition)));
}

void IntervalFile::write_columns() {
  SqliteStatement insert(*database_, "INSERT INTO columns VALUES(?,?,?,?,?)");
  for (const IntervalTable table : kAllTables) {
    for (const IntervalColumn& column : columns_.of(table)) {
      insert.bind(0, std::string_view(to_string(table)))
          .bind(1, std::string_view(column.name))
          .bind(2, std::string_view(column.unit))
          .bind(3, std::string_view(column.metric))
          .bind(4, std::string_view(column.description))
          .run();
    }
  }
}

void IntervalFile::write_signals(const std::vector<StateSignal>& signals) {
  SqliteStatement insert(*database_, "INSERT INTO signals VALUES(?,?,?,?,?)");
  SqliteStatement insert_value(*database_, "INSERT INTO signal_values VALUES(?,?,?)");
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const StateSignal& signal = signals[i];
    insert.bind(0, std::uint64_t{i})
        .bind(1, std::uint64_t{signal.sm})
        .bind(2, std::string_view(signal.name))
        .bind(3, std::uint64_t{signal.bits})
        .bind(4, std::string_view(to_string(signal.kind)))
        .run();
    if (signal.sm != 0) continue;  // every SM has the same names
    for (std::size_t value = 0; value < signal.values.size(); ++value) {
      insert_value.bind(0, std::string_view(signal.name))
          .bind(1, std::uint64_t{value})
          .bind(2, std::string_view(signal.values[value]))
          .run();
    }
  }
}

std::string IntervalFile::insert_into(IntervalTable table) const {
  const std::size_t keys = table == IntervalTable::kPartition ? 2 : 3;
  return fmt::format("INSERT INTO {} VALUES({})", to_string(table),
                     parameters(keys + columns_.of(table).size()));
}

void IntervalFile::write_row(SqliteStatement& statement, int parameter, const std::uint64_t* values,
                             std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) statement.bind(parameter + static_cast<int>(i), values[i]);
  statement.run();
}

void IntervalFile::write(const IntervalBatch& batch) {
  const unsigned sms = columns_.rows(IntervalTable::kSm);
  const auto write_table = [&](SqliteStatement& statement, IntervalTable table, unsigned row, int parameter,
                               std::size_t interval) {
    write_row(statement, parameter, &batch.values[interval * columns_.size() + columns_.place(table, row)],
              columns_.of(table).size());
  };
  in_transaction([&] {
    for (std::size_t i = 0; i < batch.last_cycle.size(); ++i) {
      const std::uint64_t interval = batch.first + i;
      statements_->machine.bind(0, interval).bind(1, last_cycle_ + 1).bind(2, batch.last_cycle[i]);
      last_cycle_ = batch.last_cycle[i];
      write_table(statements_->machine, IntervalTable::kMachine, 0, 3, i);
      for (unsigned sm = 0; sm < sms; ++sm) {
        statements_->sm.bind(0, interval).bind(1, std::uint64_t{sm}).bind(2, batch.tbs[i * sms + sm]);
        write_table(statements_->sm, IntervalTable::kSm, sm, 3, i);
      }
      for (unsigned p = 0; p < columns_.rows(IntervalTable::kPartition); ++p) {
        statements_->partition.bind(0, interval).bind(1, std::uint64_t{p});
        write_table(statements_->partition, IntervalTable::kPartition, p, 2, i);
      }
    }
    for (const StateChange& change : batch.changes) {
      statements_->state.bind(0, change.interval).bind(1, change.signal).bind(2, change.value).run();
    }
  });
  intervals_ += batch.last_cycle.size();
}

void IntervalFile::write_run(std::uint64_t interval_cycles, const RunDescription& description,
                             const RunResult& result) {
  const GpuConfig& config = description.config;
  SqliteStatement insert(*database_, fmt::format("INSERT INTO run VALUES({})", parameters(18)));
  insert.bind(0, std::uint64_t{kFormat})
      .bind(1, std::string_view(version()))
      .bind(2, std::string_view(result.end == RunEnd::kComplete ? "complete" : "partial"))
      .bind(3, std::string_view(to_string(result.end)))
      .bind(4, std::string_view(result.reason))
      .bind(5, std::string_view(description.workload))
      .bind(6, std::string_view(description.size))
      .bind(7, std::string_view(config.scheduler.name))
      .bind(8, std::string_view(config.name))
      .bind(9, result.cycles)
      .bind(10, interval_cycles)
      .bind(11, std::uint64_t{config.core.sms})
      .bind(12, std::uint64_t{config.core.schedulers})
      .bind(13, std::uint64_t{config.core.warps})
      .bind(14, std::uint64_t{config.core.tb_slots})
      .bind(15, std::uint64_t{config.l1d.mshr.entries})
      .bind(16, std::uint64_t{config.dram.channels})
      .bind(17, config.clock.core_mhz)
      .run();
}

void IntervalFile::write_launches(const RunResult& result) {
  SqliteStatement insert(*database_, "INSERT INTO launches VALUES(?,?,?,?,?,?)");
  for (const LaunchResult& launch : result.launches) {
    insert.bind(0, launch.id)
        .bind(1, std::uint64_t{launch.stream})
        .bind(2, std::string_view(launch.kernel))
        .bind(3, launch.first_cycle)
        .bind(4, launch.cycles)
        .bind(5, std::uint64_t{launch.complete})
        .run();
  }
}

void IntervalFile::finish(std::uint64_t interval_cycles, const RunDescription& description,
                          const RunResult& result) {
  in_transaction([&] {
    write_run(interval_cycles, description, result);
    write_launches(result);
  });
  statements_.reset();
  try {
    database_->close();
  } catch (const SqliteError& error) {
    fail(error);
  }
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    throw OutputError(fmt::format("{}: can't write: {}", path_, std::strerror(errno)));
  }
  database_.reset();
}

}  // namespace heddle
