#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "top/reproduction/definition/figure_definition.h"

namespace heddle {

/// A figure that says what the paper is about.
struct HeadlineDefinition {
  std::string name;
  std::string figure;  ///< FigureDefinition::name
  std::string row;
  std::string series;
  double paper = 0;
  std::string section;
  bool gain = false;         ///< what is above 1 is the gain, of which a third may be missing
  std::string investigated;  ///< Markdown: why ours differs, by which runs
};

/// What experiments/PAPER/figures.yaml says.
struct PaperDefinition {
  std::string id;     ///< "pro"
  std::string paper;  ///< "PRO"
  std::string title;
  std::string authors;
  std::string config;
  std::string about;  ///< Markdown
  std::vector<HeadlineDefinition> headlines;
  std::vector<FigureDefinition> figures;

  /// By number or name ("4", "figure 4", "Table III", "table_iii"); nullptr when there is none. A bare number
  /// is a figure's, unless only a table has it.
  const FigureDefinition* find(const std::string& text) const;
  /// The names of all figures of stats.json that its figures are computed by.
  std::set<std::string> wanted_figures(const std::vector<const FigureDefinition*>& of) const;
};

/// Reads it. Throws WorkloadError at what is wrong: keys, names of rows and points, expressions, names of
/// series and rows that the paper's numbers and the headlines are of.
PaperDefinition load_paper_definition(const std::string& path, const std::string& id);

}  // namespace heddle
