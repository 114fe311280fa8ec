#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/observe.h"

namespace heddle {

/// One figure that a block reports, or the total of that figure over all blocks of its kind.
struct Metric {
  std::string scope;  ///< "sm0.scheduler1"; of a total, without the numbers: "sm.scheduler"
  std::string name;
  std::string unit;
  std::string description;
  bool is_count = true;   ///< false: a level
  std::size_t index = 0;  ///< into StatValues::counts or levels

  std::string full_name() const { return scope.empty() ? name : scope + "." + name; }
};

/// The values of a registry's metrics at one moment, or over a span of time.
struct StatValues {
  std::vector<std::uint64_t> counts;
  std::vector<double> levels;
};

/// Counts are subtracted; levels are those of `end`.
StatValues difference(const StatValues& end, const StatValues& begin);

/// Collects what blocks report: names and units once, values at every pass. A pass is begin(), the blocks'
/// report() calls, end(); every pass must report the same metrics in the same order. Throws std::logic_error
/// for a name that stats.json can't tell from others: one with a dot (a scope is entered for that), "block"
/// or "".
class StatRegistry : public StatSink {
 public:
  void begin();
  /// Throws std::logic_error when the pass reported less or other metrics than the first one.
  StatValues end();

  const std::vector<Metric>& metrics() const { return metrics_; }

  /// The same metrics summed over the instances of each kind of block (levels: the largest). "sm0.l1d.hits"
  /// and "sm1.l1d.hits" become "sm.l1d.hits". Their values come from totals().
  const std::vector<Metric>& total_metrics() const { return total_metrics_; }
  StatValues totals(const StatValues& values) const;

  void enter(std::string_view scope) override;
  void leave() override;
  void count(std::string_view name, std::uint64_t value, std::string_view unit,
             std::string_view description) override;
  void level(std::string_view name, double value, std::string_view unit,
             std::string_view description) override;

 private:
  /// A scope is entered or left before the metric at `position`.
  struct Boundary {
    std::size_t position;
    bool enters;
    std::string scope;  ///< that is entered
  };

  void add(std::string_view name, bool is_count, std::string_view unit, std::string_view description) {
    if (!complete_) {
      add_new(name, is_count, unit, description);
    } else if (position_ >= next_boundary_ || names_[position_] != name) {
      refuse(name);
    }
    ++position_;
  }
  void add_new(std::string_view name, bool is_count, std::string_view unit, std::string_view description);
  [[noreturn]] void refuse(std::string_view name) const;
  /// False for another one than in the first pass.
  bool pass_boundary(bool enters, std::string_view scope);
  void look_for_boundary();
  void complete();
  void build_totals();

  std::vector<Metric> metrics_;
  std::vector<Metric> total_metrics_;
  std::vector<std::size_t> total_of_;  ///< metric -> its total
  bool complete_ = false;              ///< the first pass has ended
  std::size_t position_ = 0;
  StatValues values_;
  // Of the first pass.
  std::string scope_;
  std::vector<std::size_t> scope_lengths_;
  std::vector<Boundary> boundaries_;
  // Of later ones, which compare.
  std::vector<std::string_view> names_;  ///< of metrics_
  std::size_t boundary_ = 0;             ///< the next one
  std::size_t next_boundary_ = 0;        ///< its position, or the end
};

/// The scope without the numbers of its instances: "sm12.scheduler1" -> "sm.scheduler". Digits inside a name
/// stay ("l1d", "l2").
std::string kind_of_scope(std::string_view scope);

/// Values of total metrics by name, for derived figures.
class TotalView {
 public:
  TotalView(const StatRegistry& registry, const StatValues& values);
  /// Of counts by full name.
  explicit TotalView(std::map<std::string, std::uint64_t> counts) : counts_(std::move(counts)) {}
  /// The total count called "scope.name"; throws std::out_of_range naming it when no block reports it.
  std::uint64_t count(const std::string& full_name) const;
  bool has(const std::string& full_name) const { return counts_.count(full_name) != 0; }

 private:
  std::map<std::string, std::uint64_t> counts_;
};

}  // namespace heddle
