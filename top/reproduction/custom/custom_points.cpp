#include "top/reproduction/custom/custom_points.h"

#include <fmt/format.h>

#include <charconv>

#include "top/reproduction/points/point_choice.h"

namespace heddle {

const ResultPoint* custom_point(const FigureDefinition& figure, const PaperPoints& results,
                                const std::string& name) {
  const auto found = figure.points.find(name);
  if (found == figure.points.end()) {
    throw WorkloadError(figure.mark,
                        fmt::format("{}: '{}' needs a point '{}'", figure.name, figure.by, name));
  }
  PointChoice choice = found->second;
  if (choice.experiment.empty()) choice.experiment = figure.experiment;
  const auto experiment = results.find(choice.experiment);
  return experiment == results.end() ? nullptr : choose_point(experiment->second, choice, "");
}

std::uint64_t custom_number(const FigureDefinition& figure, const std::string& key) {
  const auto found = figure.with.find(key);
  const std::string text = found == figure.with.end() ? "" : found->second;
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (!text.empty() && error == std::errc() && rest == text.data() + text.size()) return value;
  throw WorkloadError(
      figure.mark, fmt::format("{}, with, {}: expected a whole number, found '{}'", figure.name, key, text));
}

}  // namespace heddle
