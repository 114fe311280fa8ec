#include "top/page/reproduction_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "top/reproduction/custom/custom_figure.h"
#include "top/reproduction/definition/paper_files.h"
#include "top/reproduction/figures/headline.h"
#include "top/reproduction/pages/reproduction_files.h"
#include "top/support/results.h"
#include "top/support/version.h"
#include "top/text/shell_word.h"
#include "top/text/shown_path.h"

namespace heddle {

namespace {

using Json = nlohmann::json;

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

const char* name_of(FigureDrawing drawing) {
  switch (drawing) {
    case FigureDrawing::kBars:
      return "bars";
    case FigureDrawing::kLines:
      return "lines";
    default:
      return "table";
  }
}

const char* name_of(FigureFormat format) {
  switch (format) {
    case FigureFormat::kPercent:
      return "percent";
    case FigureFormat::kCount:
      return "count";
    default:
      return "ratio";
  }
}

const char* name_of(PaperBound bound) {
  switch (bound) {
    case PaperBound::kAtLeast:
      return "at least";
    case PaperBound::kAtMost:
      return "at most";
    default:
      return "";
  }
}

const char* name_of(Closeness closeness) {
  switch (closeness) {
    case Closeness::kWithinAThird:
      return "yes";
    case Closeness::kFurther:
      return "no";
    default:
      return "not run";
  }
}

Json headlines_json(const PaperDefinition& paper, const PaperResults& results) {
  Json all = Json::array();
  for (const Headline& headline : headlines_of(paper, results)) {
    const HeadlineDefinition& definition = *headline.definition;
    const FigureDefinition& figure = *paper.find(definition.figure);
    all.push_back({{"name", definition.name},
                   {"figure", figure.id()},
                   {"section", definition.section},
                   {"format", name_of(figure.format)},
                   {"gain", definition.gain},
                   {"paper", definition.paper},
                   {"full", or_null(headline.full)},
                   {"quick", or_null(headline.quick)},
                   {"ours", or_null(headline.ours())},
                   {"ratio", or_null(headline.ratio())},
                   {"share", or_null(headline.share_of_gain())},
                   {"within_a_third", name_of(headline.closeness())},
                   {"investigated", definition.investigated}});
  }
  return all;
}

Json experiments_json(const PaperResults& results) {
  Json all = Json::array();
  for (const auto& [experiment, sizes] : results.experiments) {
    for (const auto& [size, ran] : sizes) {
      all.push_back({{"name", experiment},
                     {"size", size},
                     {"points", ran.points},
                     {"complete", ran.complete},
                     {"failed", ran.failed},
                     {"cpu_seconds", ran.cpu_seconds}});
    }
  }
  return all;
}

/// Throws what refuses a table of another form than its figure draws.
Json table_json(const FigureDefinition& figure, const FigureTable& table) {
  if (!figure.by.empty()) make_custom_figure(figure)->check(table);
  Json json = table.json();
  json["row_heading"] = table.row_heading;
  json["filled"] = table.filled();
  json["size"] = table.size();
  return json;
}

class PaperOfFolder {
 public:
  PaperOfFolder(std::string folder, const std::string& id)
      : folder_(std::move(folder)),
        paper_(load_paper_definition(paper_definition_file(id), id)),
        results_(load_paper_results(folder_, id)) {}

  Json json() const {
    Json figures = Json::array();
    for (const FigureDefinition& figure : paper_.figures) figures.push_back(figure_json(figure));
    Json commands = Json::array();
    for (const char* size : {kFullSize, kQuickSize}) {
      if (has(size)) commands.push_back(command("", size));
    }
    return {{"folder", folder_},
            {"id", paper_.id},
            {"paper", paper_.paper},
            {"title", paper_.title},
            {"authors", paper_.authors},
            {"config", paper_.config},
            {"about", paper_.about},
            {"commands", std::move(commands)},
            {"headlines", headlines_json(paper_, results_)},
            {"experiments", experiments_json(results_)},
            {"figures", std::move(figures)}};
  }

 private:
  bool has(const std::string& size) const {
    return std::any_of(results_.figures.begin(), results_.figures.end(),
                       [&size](const auto& figure) { return figure.second.count(size) != 0; });
  }

  /// What runs it again: all that the folder has of the paper, or a figure.
  std::string command(const std::string& figure, const std::string& size) const {
    return fmt::format("heddle reproduce {}{}{} --out {}", paper_.id,
                       figure.empty() ? "" : " --figure " + figure, size == kQuickSize ? " --quick" : "",
                       shell_word(shown_path(folder_)));
  }

  Json figure_json(const FigureDefinition& figure) const {
    Json numbers = Json::array();
    for (const PaperNumber& number : figure.paper) {
      numbers.push_back({{"row", number.row},
                         {"series", number.series},
                         {"value", number.value},
                         {"bound", name_of(number.bound)},
                         {"section", number.section}});
    }
    const std::string size = results_.size_of(figure.id());
    Json tables = Json::object();
    for (const char* one : {kFullSize, kQuickSize}) {
      const FigureTable* const table = results_.table(figure.id(), one);
      if (table != nullptr) tables[one] = table_json(figure, *table);
    }
    return {{"id", figure.id()},
            {"name", figure.name},
            {"title", figure.title},
            {"section", figure.section},
            {"note", figure.note},
            {"drawing", name_of(figure.drawing)},
            {"format", name_of(figure.format)},
            {"unit", figure.unit},
            {"reference", or_null(figure.reference)},
            {"by", figure.by},
            {"experiments", figure.experiments()},
            {"command", command(figure.id(), size)},
            {"paper", std::move(numbers)},
            {"size", size},
            {"tables", std::move(tables)}};
  }

  std::string folder_;
  PaperDefinition paper_;
  PaperResults results_;
};

Json paper_json(const std::string& folder, const std::string& id) {
  const PaperOfFolder paper(folder, id);
  try {
    return paper.json();
  } catch (const Json::exception& error) {
    throw damaged_paper(folder, id, error.what());
  } catch (const ResultsError& error) {
    throw damaged_paper(folder, id, error.what());
  }
}

}  // namespace

bool has_runs(const std::string& folder) {
  try {
    return !timed_pair_folders(folder).empty() || !run_folders(folder).empty();
  } catch (const ResultsError&) {
    return false;
  }
}

bool is_reproduction(const std::string& folder) {
  if (!papers_in(folder).empty()) return !has_runs(folder);
  if (!has_runs(folder)) refuse_undefined_papers(folder);
  return false;
}

Json reproduction_data(const std::vector<std::string>& folders) {
  Json papers = Json::array();
  std::string names;
  for (const std::string& folder : folders) {
    refuse_undefined_papers(folder);
    for (const std::string& id : papers_in(folder)) {
      papers.push_back(paper_json(folder, id));
      const auto name = papers.back().at("paper").get<std::string>();
      if (folder == folders.front()) names += (names.empty() ? "" : ", ") + name;
    }
  }
  return {{"version", version()},  {"title", "Heddle report: reproduction of " + names},
          {"folders", folders},    {"papers", std::move(papers)},
          {"runs", Json::array()}, {"timed_pairs", Json::array()}};
}

}  // namespace heddle
