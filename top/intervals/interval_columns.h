#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// The tables of counters in intervals.sqlite: a row for each interval, and of SMs and memory partitions one
/// for each of them.
enum class IntervalTable : std::uint8_t { kMachine, kSm, kPartition };
constexpr unsigned kNumIntervalTables = 3;
/// "intervals", "sm", "partition".
const char* to_string(IntervalTable table);

/// A counter in a table: what was counted in the interval.
struct IntervalColumn {
  std::string name;         ///< the metric's, after that of the table: "l1d_hits" of "sm.l1d.hits"
  std::string metric;       ///< the total in stats.json that all rows together add up to
  std::string unit;         ///< as the blocks say, from the first pass on
  std::string description;  ///< likewise
};

/// Which counters the tables have, and where their values lie in one list: table by table, row by row.
class IntervalColumns {
 public:
  IntervalColumns(unsigned sms, unsigned partitions);

  const std::vector<IntervalColumn>& of(IntervalTable table) const { return part(table).columns; }
  std::vector<IntervalColumn>& of(IntervalTable table) {
    return parts_[static_cast<unsigned>(table)].columns;
  }
  unsigned rows(IntervalTable table) const { return part(table).rows; }
  /// Of the first value of a row.
  std::size_t place(IntervalTable table, unsigned row) const {
    return part(table).first + row * part(table).columns.size();
  }
  /// Number of values.
  std::size_t size() const { return size_; }

 private:
  struct Part {
    std::vector<IntervalColumn> columns;
    unsigned rows = 1;
    std::size_t first = 0;
  };
  const Part& part(IntervalTable table) const { return parts_[static_cast<unsigned>(table)]; }

  std::array<Part, kNumIntervalTables> parts_;
  std::size_t size_ = 0;
};

}  // namespace heddle
