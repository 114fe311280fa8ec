#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// The numbers of a figure or table: a value for each row and series.
struct FigureTable {
  struct Row {
    std::string label;
    bool summary = false;  ///< of the rows above
    bool counts = false;   ///< how many of the rows above: not drawn
  };
  struct Series {
    std::string name;
    std::string bar;  ///< as SeriesDefinition::bar
  };

  std::string row_heading;  ///< what the rows are; "" = benchmarks
  std::vector<Row> rows;
  std::vector<Series> series;
  std::vector<std::vector<std::optional<double>>> cells;  ///< by row, then by series
  /// By row and series: a point of the value was not run, so that it may come yet or change. {}: of none.
  /// Files don't have it.
  std::vector<std::vector<bool>> open;
  nlohmann::ordered_json extra;  ///< what a figure by a class of its own draws beside them

  /// The value in a row and series by their names; nothing when one of them is not there.
  std::optional<double> value(const std::string& row, const std::string& series_name) const;
  /// Cells with a value, of those that are no summary's.
  std::size_t filled() const;
  /// Cells that are no summary's.
  std::size_t size() const;

  /// For who takes series by their place: throws ResultsError when there are fewer.
  void need_series(std::size_t count) const;

  /// Six significant digits of each value.
  nlohmann::ordered_json json() const;
  /// Throws nlohmann's exceptions for another form.
  static FigureTable of(const nlohmann::ordered_json& json);
};

}  // namespace heddle
