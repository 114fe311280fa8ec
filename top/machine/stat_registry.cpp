#include "top/machine/stat_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "top/support/stats_file.h"

namespace heddle {

StatValues difference(const StatValues& end, const StatValues& begin) {
  StatValues result = end;
  for (std::size_t i = 0; i < begin.counts.size(); ++i) {
    result.counts[i] -= begin.counts[i];
  }
  return result;
}

std::string kind_of_scope(std::string_view scope) {
  std::string kind;
  std::size_t begin = 0;
  while (begin <= scope.size()) {
    const std::size_t end = std::min(scope.find('.', begin), scope.size());
    std::string_view part = scope.substr(begin, end - begin);
    // "l2" is a name; "slice2" and "sm2" are instances: a name of one letter keeps its number.
    std::size_t length = part.size();
    while (length > 0 && std::isdigit(static_cast<unsigned char>(part[length - 1])) != 0) {
      --length;
    }
    kind += length > 1 ? part.substr(0, length) : part;
    if (end < scope.size()) {
      kind += '.';
    }
    begin = end + 1;
  }
  return kind;
}

void StatRegistry::begin() {
  position_ = 0;
  values_.counts.clear();
  values_.levels.clear();
  boundary_ = 0;
  if (complete_) {
    look_for_boundary();
    return;
  }
  scope_.clear();
  scope_lengths_.clear();
  boundaries_.clear();
}

StatValues StatRegistry::end() {
  if (complete_ && (position_ != metrics_.size() || boundary_ != boundaries_.size())) {
    throw std::logic_error(
        fmt::format("statistics: {} metrics reported, {} expected", position_, metrics_.size()));
  }
  if (!complete_) complete();
  return values_;
}

void StatRegistry::complete() {
  complete_ = true;
  for (const Metric& metric : metrics_) names_.push_back(metric.name);
  build_totals();
}

void StatRegistry::look_for_boundary() {
  next_boundary_ = boundary_ == boundaries_.size() ? metrics_.size() : boundaries_[boundary_].position;
}

bool StatRegistry::pass_boundary(bool enters, std::string_view scope) {
  const bool known = position_ == next_boundary_ && boundary_ != boundaries_.size() &&
                     boundaries_[boundary_].enters == enters && boundaries_[boundary_].scope == scope;
  if (!known) return false;
  ++boundary_;
  look_for_boundary();
  return true;
}

void StatRegistry::enter(std::string_view scope) {
  if (complete_) {
    if (!pass_boundary(true, scope)) {
      throw std::logic_error(fmt::format("statistics: unexpected scope {}", scope));
    }
    return;
  }
  boundaries_.push_back({position_, true, std::string(scope)});
  scope_lengths_.push_back(scope_.size());
  if (!scope_.empty()) {
    scope_ += '.';
  }
  scope_ += scope;
}

void StatRegistry::leave() {
  if (complete_) {
    // Destructors leave scopes: what comes next is refused.
    if (!pass_boundary(false, "")) next_boundary_ = 0;
    return;
  }
  boundaries_.push_back({position_, false, ""});
  scope_.resize(scope_lengths_.back());
  scope_lengths_.pop_back();
}

void StatRegistry::count(std::string_view name, std::uint64_t value, std::string_view unit,
                         std::string_view description) {
  add(name, true, unit, description);
  values_.counts.push_back(value);
}

void StatRegistry::level(std::string_view name, double value, std::string_view unit,
                         std::string_view description) {
  add(name, false, unit, description);
  values_.levels.push_back(value);
}

void StatRegistry::add_new(std::string_view name, bool is_count, std::string_view unit,
                           std::string_view description) {
  if (name.empty() || name == kBlockNames || name.find('.') != std::string_view::npos) {
    throw std::logic_error(fmt::format("statistics: '{}' can't be the name of a metric of {}", name, scope_));
  }
  metrics_.push_back({scope_, std::string(name), std::string(unit), std::string(description), is_count,
                      is_count ? values_.counts.size() : values_.levels.size()});
}

void StatRegistry::refuse(std::string_view name) const {
  const std::string expected = position_ < metrics_.size() ? metrics_[position_].full_name() : "none";
  throw std::logic_error(fmt::format("statistics: unexpected metric {}, expected {}", name, expected));
}

void StatRegistry::build_totals() {
  std::map<std::string, std::size_t> known;
  std::size_t counts = 0;
  std::size_t levels = 0;
  for (const Metric& metric : metrics_) {
    Metric total = metric;
    total.scope = kind_of_scope(metric.scope);
    const auto [entry, is_new] = known.emplace(total.full_name(), total_metrics_.size());
    if (is_new) {
      total.index = total.is_count ? counts++ : levels++;
      total_metrics_.push_back(total);
    }
    total_of_.push_back(entry->second);
  }
}

StatValues StatRegistry::totals(const StatValues& values) const {
  StatValues sums;
  for (const Metric& total : total_metrics_) {
    if (total.is_count) {
      sums.counts.push_back(0);
    } else {
      sums.levels.push_back(0);
    }
  }
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    const Metric& metric = metrics_[i];
    const Metric& total = total_metrics_[total_of_[i]];
    if (metric.is_count) {
      sums.counts[total.index] += values.counts[metric.index];
    } else {
      sums.levels[total.index] = std::max(sums.levels[total.index], values.levels[metric.index]);
    }
  }
  return sums;
}

TotalView::TotalView(const StatRegistry& registry, const StatValues& values) {
  const StatValues totals = registry.totals(values);
  for (const Metric& metric : registry.total_metrics()) {
    if (metric.is_count) {
      counts_[metric.full_name()] = totals.counts[metric.index];
    }
  }
}

std::uint64_t TotalView::count(const std::string& full_name) const {
  const auto found = counts_.find(full_name);
  if (found == counts_.end()) {
    throw std::out_of_range("statistics: no block reports '" + full_name + "'");
  }
  return found->second;
}

}  // namespace heddle
