#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "top/reproduction/definition/paper_files.h"
#include "top/reproduction/figures/figure_table.h"

namespace heddle {

/// What became of an experiment.
struct RanExperiment {
  std::size_t points = 0;
  std::size_t complete = 0;
  std::vector<std::string> failed;  ///< points that ended otherwise, and how
  double cpu_seconds = 0;           ///< of the points that ended and that no experiment before it has, too
  double longest_seconds = 0;       ///< of one of these
};

/// What docs/reproduction/PAPER.json holds: the numbers that a paper's page shows, by size.
struct PaperResults {
  std::map<std::string, std::map<std::string, FigureTable>> figures;  ///< by id, then by size
  std::map<std::string, std::map<std::string, RanExperiment>> experiments;

  /// The table of a figure: of full size when half of its values or more are there, else the quick one, or
  /// what there is; nullptr when it was not run.
  const FigureTable* table(const std::string& figure) const;
  const FigureTable* table(const std::string& figure, const std::string& size) const;
  /// Of which size table() is; "" without.
  std::string size_of(const std::string& figure) const;

  nlohmann::ordered_json json() const;
  /// Throws nlohmann's exceptions for another form.
  static PaperResults of(const nlohmann::ordered_json& json);
};

}  // namespace heddle
