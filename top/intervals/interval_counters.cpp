#include "top/intervals/interval_counters.h"

#include <algorithm>
#include <stdexcept>

#include "top/machine/stat_registry.h"

namespace heddle {

namespace {

/// Of "sm12.scheduler1": 12.
unsigned first_number(const std::string& scope) {
  unsigned number = 0;
  for (const char c : scope.substr(0, scope.find('.'))) {
    if (c >= '0' && c <= '9') number = number * 10 + static_cast<unsigned>(c - '0');
  }
  return number;
}

}  // namespace

IntervalCounters::IntervalCounters(IntervalColumns& columns) : columns_(columns) {}

void IntervalCounters::begin(std::vector<std::uint64_t>& values) {
  values_ = values.data();
  position_ = 0;
}

void IntervalCounters::end() {
  if (position_ != places_.size())
    throw std::logic_error("statistics over time: other counters than at first");
  if (learned_) return;
  learned_ = true;
  for (const IntervalTable table : {IntervalTable::kMachine, IntervalTable::kSm, IntervalTable::kPartition}) {
    for (const IntervalColumn& column : columns_.of(table)) {
      if (column.unit.empty())
        throw std::logic_error("statistics over time: no block reports " + column.metric);
    }
  }
}

void IntervalCounters::enter(std::string_view scope) {
  if (learned_) return;
  scopes_.push_back(scopes_.empty() ? std::string(scope) : scopes_.back() + "." + std::string(scope));
}

void IntervalCounters::leave() {
  if (!learned_) scopes_.pop_back();
}

void IntervalCounters::count(std::string_view name, std::uint64_t value, std::string_view unit,
                             std::string_view description) {
  if (!learned_) learn(name, unit, description);
  if (position_ >= places_.size())
    throw std::logic_error("statistics over time: more counters than at first");
  const std::size_t place = places_[position_++];
  if (place != kNone) values_[place] += value;
}

void IntervalCounters::learn(std::string_view name, std::string_view unit, std::string_view description) {
  const std::string scope = scopes_.empty() ? "" : scopes_.back();
  const std::string metric = kind_of_scope(scope) + "." + std::string(name);
  places_.push_back(kNone);
  for (const IntervalTable table : {IntervalTable::kMachine, IntervalTable::kSm, IntervalTable::kPartition}) {
    std::vector<IntervalColumn>& columns = columns_.of(table);
    const auto found = std::find_if(columns.begin(), columns.end(), [&metric](const IntervalColumn& column) {
      return column.metric == metric;
    });
    if (found == columns.end()) continue;
    found->unit = unit;
    found->description = description;
    const unsigned row = table == IntervalTable::kMachine ? 0 : first_number(scope);
    places_.back() = columns_.place(table, row) + static_cast<std::size_t>(found - columns.begin());
  }
}

}  // namespace heddle
