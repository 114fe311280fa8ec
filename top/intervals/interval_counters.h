#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/observe.h"
#include "top/intervals/interval_columns.h"

namespace heddle {

/// Adds up what blocks report to the columns of the tables: names are looked up in the first pass, later ones
/// only add, since every pass reports the same.
class IntervalCounters : public StatSink {
 public:
  explicit IntervalCounters(IntervalColumns& columns);

  /// Before the blocks' report(). What they report is added to `values`, which has as many as the columns.
  void begin(std::vector<std::uint64_t>& values);
  /// After it. Throws std::logic_error when a column was not reported, or another metric than at first.
  void end();

  void enter(std::string_view scope) override;
  void leave() override;
  void count(std::string_view name, std::uint64_t value, std::string_view unit,
             std::string_view description) override;
  void level(std::string_view /*name*/, double /*value*/, std::string_view /*unit*/,
             std::string_view /*description*/) override {}

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  [[gnu::cold]] void learn(std::string_view name, std::string_view unit, std::string_view description);

  IntervalColumns& columns_;
  bool learned_ = false;
  std::vector<std::size_t> places_;  ///< of each count that is reported, in their order: in the values
  std::size_t position_ = 0;
  std::uint64_t* values_ = nullptr;
  std::vector<std::string> scopes_;  ///< while names are looked up
};

}  // namespace heddle
