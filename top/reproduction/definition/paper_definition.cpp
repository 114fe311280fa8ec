#include "top/reproduction/definition/paper_definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/nearest_name.h"
#include "top/reproduction/definition/figure_expression.h"
#include "top/reproduction/definition/figure_loader.h"
#include "workloads/description/yaml_file.h"
#include "workloads/description/yaml_map.h"

namespace heddle {

namespace {

/// Small letters, "_" as a blank: "table_iii" of "Table III".
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

HeadlineDefinition load_headline(const YAML::Node& node, const std::string& file,
                                 const PaperDefinition& paper) {
  const YamlMap map(node, file, "a headline",
                    {"name", "figure", "table", "row", "series", "paper", "section", "gain", "investigated"});
  HeadlineDefinition headline;
  headline.name = map.text("name");
  const std::string figure = map.has("table") ? "table " + map.text("table") : "figure " + map.text("figure");
  const FigureDefinition* const found = paper.find(figure);
  if (found == nullptr) {
    throw WorkloadError(map.mark(), fmt::format("headline '{}': there is no {}", headline.name, figure));
  }
  headline.figure = found->name;
  headline.row = map.text("row");
  headline.series = map.text("series");
  const auto check = [&](const char* key, const std::vector<std::string>& names) {
    if (!found->by.empty() || std::find(names.begin(), names.end(), map.text(key)) != names.end()) return;
    throw WorkloadError(map.mark(key),
                        fmt::format("headline '{}': {} has no {} '{}'{}", headline.name, found->name, key,
                                    map.text(key), name_hint(map.text(key), names, key)));
  };
  check("row", found->row_names());
  check("series", found->series_names());
  headline.paper = load_number(map.at("paper"), file, "paper");
  headline.section = map.text("section");
  headline.gain = map.flag_or("gain", false);
  headline.investigated = map.text_or("investigated", "");
  return headline;
}

}  // namespace

const FigureDefinition* PaperDefinition::find(const std::string& text) const {
  const std::string wanted = plain(text);
  for (const std::string& name : {wanted, "figure " + wanted, "table " + wanted}) {
    const auto found = std::find_if(figures.begin(), figures.end(), [&name](const FigureDefinition& figure) {
      return plain(figure.name) == name;
    });
    if (found != figures.end()) return &*found;
  }
  return nullptr;
}

std::set<std::string> PaperDefinition::wanted_figures(const std::vector<const FigureDefinition*>& of) const {
  std::set<std::string> wanted{"cycles"};  // by which the best of several points is chosen
  for (const FigureDefinition* figure : of) {
    const std::vector<std::string> values =
        figure->axis ? figure->axis->values : std::vector<std::string>{""};
    for (const SeriesDefinition& series : figure->series) {
      for (const std::string& x : values) {
        const FigureExpression expression(with_axis_value(series.value, x));
        for (const FigureExpression::Reference& reference : expression.references()) {
          if (!reference.coordinate) wanted.insert(reference.name);
        }
      }
    }
  }
  return wanted;
}

PaperDefinition load_paper_definition(const std::string& path, const std::string& id) {
  const YamlMap map(
      read_yaml_file(path), path, "the paper",
      {"paper", "title", "authors", "config", "about", "rows", "points", "headlines", "figures"});
  PaperDefinition paper;
  paper.id = id;
  paper.paper = map.text("paper");
  paper.title = map.text("title");
  paper.authors = map.text("authors");
  paper.config = map.text("config");
  paper.about = map.text_or("about", "");
  SharedDefinitions shared;
  if (map.has("rows")) {
    for (const auto& [name, rows] : map_entries(map.at("rows"), path, "rows"))
      shared.rows[name] = load_rows(rows, path);
  }
  if (map.has("points")) shared.points = load_points(map.at("points"), path);
  for (const YAML::Node& node : list_items(map.at("figures"), path, "figures")) {
    paper.figures.push_back(load_figure(node, path, shared));
    const FigureDefinition& figure = paper.figures.back();
    if (paper.find(figure.name) != &figure) {
      throw WorkloadError(figure.mark, fmt::format("{} stands twice", figure.name));
    }
  }
  if (map.has("headlines")) {
    for (const YAML::Node& node : list_items(map.at("headlines"), path, "headlines"))
      paper.headlines.push_back(load_headline(node, path, paper));
  }
  return paper;
}

}  // namespace heddle
