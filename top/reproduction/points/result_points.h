#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "top/reproduction/points/result_point.h"

namespace heddle {

/// The points of an experiment, in its order, found by their coordinates without a look at all of them.
class ResultPoints {
 public:
  ResultPoints() = default;
  ResultPoints(std::initializer_list<ResultPoint> points) : ResultPoints(std::vector<ResultPoint>(points)) {}
  explicit ResultPoints(std::vector<ResultPoint> points);

  void push_back(ResultPoint point);

  /// The points that have all of the coordinates, as texts or as numbers.
  std::vector<const ResultPoint*> matching(const std::map<std::string, std::string>& where) const;

  std::size_t size() const { return points_.size(); }
  bool empty() const { return points_.empty(); }
  const ResultPoint& operator[](std::size_t index) const { return points_[index]; }
  auto begin() const { return points_.begin(); }
  auto end() const { return points_.end(); }
  // To change all but the coordinates.
  ResultPoint& operator[](std::size_t index) { return points_[index]; }
  auto begin() { return points_.begin(); }
  auto end() { return points_.end(); }

 private:
  /// By ascending index.
  using Places = std::vector<std::size_t>;

  /// nullptr: none has the coordinate.
  const Places* places_with(const std::string& key, const std::string& value) const;
  void list(std::size_t index);

  std::vector<ResultPoint> points_;
  std::map<std::string, std::map<std::string, Places>> places_;  ///< by coordinate and value
};

/// The points of a paper's experiments, by the experiments' names.
using PaperPoints = std::map<std::string, ResultPoints>;

}  // namespace heddle
