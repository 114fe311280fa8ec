#include "top/bench/reference_speed.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace heddle::bench {

namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

std::size_t column_of(const std::vector<std::string>& headings, const std::string& name) {
  const auto found = std::find(headings.begin(), headings.end(), name);
  if (found == headings.end()) throw std::runtime_error("the reference has no column '" + name + "'");
  return static_cast<std::size_t>(found - headings.begin());
}

}  // namespace

std::map<std::string, double> read_reference(std::istream& csv, const ReferenceFigure& figure,
                                             const std::string& scheduler) {
  std::string line;
  std::getline(csv, line);
  const std::vector<std::string> headings = split(line);
  const std::size_t kernel = column_of(headings, figure.kernel);
  const std::size_t policy = column_of(headings, figure.scheduler);
  const std::size_t value = column_of(headings, figure.figure);
  std::map<std::string, double> figures;
  while (std::getline(csv, line)) {
    if (line.empty()) continue;
    const std::vector<std::string> fields = split(line);
    if (fields.size() <= std::max({kernel, policy, value})) {
      throw std::runtime_error("the reference has too short a row: " + line);
    }
    if (fields[policy] != scheduler) continue;
    try {
      figures[fields[kernel]] = std::stod(fields[value]);
    } catch (const std::logic_error&) {
      throw std::runtime_error("the reference has '" + fields[value] + "' for " + figure.figure + " of " +
                               fields[kernel] + ", expected a number");
    }
  }
  return figures;
}

}  // namespace heddle::bench
