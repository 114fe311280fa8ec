#include "top/reproduction/points/result_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace heddle {

namespace {

/// The same text for numbers that are equal.
std::string canonical(const std::string& text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && rest == text.data() + text.size();
  return is_number ? fmt::format("{}", value) : text;
}

}  // namespace

ResultPoints::ResultPoints(std::vector<ResultPoint> points) : points_(std::move(points)) {
  for (std::size_t i = 0; i < points_.size(); ++i) list(i);
}

void ResultPoints::push_back(ResultPoint point) {
  points_.push_back(std::move(point));
  list(points_.size() - 1);
}

void ResultPoints::list(std::size_t index) {
  for (const auto& [key, value] : points_[index].coordinates) places_[key][canonical(value)].push_back(index);
}

const ResultPoints::Places* ResultPoints::places_with(const std::string& key,
                                                      const std::string& value) const {
  const auto values = places_.find(key);
  if (values == places_.end()) return nullptr;
  const auto places = values->second.find(canonical(value));
  return places == values->second.end() ? nullptr : &places->second;
}

std::vector<const ResultPoint*> ResultPoints::matching(
    const std::map<std::string, std::string>& where) const {
  std::vector<const Places*> wanted;
  for (const auto& [key, value] : where) {
    const Places* const places = places_with(key, value);
    if (places == nullptr) return {};
    wanted.push_back(places);
  }
  std::vector<const ResultPoint*> found;
  if (wanted.empty()) {
    for (const ResultPoint& point : points_) found.push_back(&point);
    return found;
  }
  // The shortest list first: what is left of it only shrinks.
  std::sort(wanted.begin(), wanted.end(),
            [](const Places* a, const Places* b) { return a->size() < b->size(); });
  for (const std::size_t place : *wanted.front()) {
    if (std::all_of(wanted.begin() + 1, wanted.end(), [place](const Places* places) {
          return std::binary_search(places->begin(), places->end(), place);
        }))
      found.push_back(&points_[place]);
  }
  return found;
}

}  // namespace heddle
