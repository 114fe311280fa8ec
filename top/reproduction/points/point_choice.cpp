#include "top/reproduction/points/point_choice.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "top/support/results.h"

namespace heddle {

namespace {

std::optional<double> cycles_of(const ResultPoint& point, const std::string& kernel) {
  const FigureValues* figures = &point.figures;
  if (!kernel.empty()) {
    const auto launches = point.kernels.find(kernel);
    if (launches == point.kernels.end()) return std::nullopt;
    figures = &launches->second;
  }
  const auto cycles = figures->find("cycles");
  return cycles == figures->end() ? std::nullopt : std::optional<double>(cycles->second.value);
}

std::string described(const std::map<std::string, std::string>& where) {
  ResultPoint wanted;
  wanted.coordinates = where;
  return wanted.name();
}

}  // namespace

PointChoice PointChoice::with(const std::map<std::string, std::string>& more) const {
  PointChoice both = *this;
  for (const auto& [key, value] : more) both.where[key] = value;
  return both;
}

const ResultPoint* choose_point(const ResultPoints& points, const PointChoice& choice,
                                const std::string& kernel) {
  const std::vector<const ResultPoint*> found = points.matching(choice.where);
  if (choice.best_over.empty()) {
    if (found.size() > 1) {
      throw ResultsError(fmt::format("experiment '{}': {} points are of {}, such as {} and {}: expected one",
                                     choice.experiment, found.size(), described(choice.where),
                                     found[0]->name(), found[1]->name()));
    }
    return found.empty() || !found[0]->complete ? nullptr : found[0];
  }
  const ResultPoint* best = nullptr;
  std::optional<double> fewest;
  for (const ResultPoint* point : found) {
    const std::optional<double> cycles = point->complete ? cycles_of(*point, kernel) : std::nullopt;
    if (!cycles || (fewest && *fewest <= *cycles)) continue;
    best = point;
    fewest = cycles;
  }
  return best;
}

}  // namespace heddle
