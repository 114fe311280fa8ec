#include "top/reproduction/pages/reproduction_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "top/reproduction/definition/paper_files.h"
#include "top/reproduction/pages/figure_picture.h"
#include "top/reproduction/pages/index_page.h"
#include "top/reproduction/pages/paper_page.h"
#include "top/support/results.h"

namespace heddle {

namespace fs = std::filesystem;

namespace {

/// A row or a figure a line, so that changes can be read.
std::string numbers_text(const PaperResults& results) {
  const nlohmann::ordered_json json = results.json();
  std::string text = "{\n\"experiments\": {";
  const char* between = "\n";
  for (const auto& [name, sizes] : json.at("experiments").items()) {
    text += fmt::format("{}{}: {}", between, nlohmann::json(name).dump(), sizes.dump());
    between = ",\n";
  }
  text += "},\n\"figures\": {";
  between = "\n";
  for (const auto& [name, sizes] : json.at("figures").items()) {
    text += fmt::format("{}{}: {{", between, nlohmann::json(name).dump());
    const char* between_sizes = "";
    for (const auto& [size, table] : sizes.items()) {
      text += fmt::format("{}{}: {{", between_sizes, nlohmann::json(size).dump());
      const char* between_parts = "";
      for (const auto& [part, value] : table.items()) {
        text += fmt::format("{}{}: ", between_parts, nlohmann::json(part).dump());
        between_parts = ", ";
        if (part != "rows") {
          text += value.dump();
          continue;
        }
        const char* between_rows = "[\n  ";
        for (const auto& row : value) {
          text += between_rows + row.dump();
          between_rows = ",\n  ";
        }
        text += value.empty() ? "[]" : "]";
      }
      text += "}";
      between_sizes = ",\n ";
    }
    text += "}";
    between = ",\n";
  }
  return text + "}\n}\n";
}

/// Names without ".json", sorted.
std::vector<std::string> json_files_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator entries(folder, failed), end; !failed && entries != end;
       entries.increment(failed)) {
    if (entries->path().extension() == ".json") names.push_back(entries->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Whether the file, which any program may have written, looks like the numbers of a paper.
bool has_numbers(const fs::path& file) {
  try {
    const auto json = read_result(file);
    return json && json->is_object() && json->contains("figures") && json->contains("experiments");
  } catch (const ResultsError&) {
    return false;
  }
}

ReproducedPaper reproduced_paper(const std::string& folder, const std::string& id) {
  ReproducedPaper paper;
  paper.definition = load_paper_definition(paper_definition_file(id), id);
  paper.results = load_paper_results(folder, id);
  paper.has_page = fs::exists(fs::path(folder) / (id + ".md"));
  for (const FigureDefinition& figure : paper.definition.figures) {
    for (const std::string& name : figure.experiments()) {
      for (const char* const size : {kFullSize, kQuickSize}) {
        if (!experiment_file(id, size, name).empty()) paper.experiments[size].insert(name);
      }
    }
  }
  return paper;
}

}  // namespace

ResultsError damaged_paper(const std::string& folder, const std::string& id, const std::string& problem) {
  return ResultsError(fmt::format(
      "{}: damaged: expected the numbers of a paper's figures, as `heddle reproduce {}` writes them: {}",
      (fs::path(folder) / (id + ".json")).string(), id, problem));
}

std::vector<std::string> papers_in(const std::string& folder) {
  std::vector<std::string> ids;
  for (const std::string& id : defined_papers()) {
    if (fs::exists(fs::path(folder) / (id + ".json"))) ids.push_back(id);
  }
  for (const std::string& id : json_files_in(folder)) {
    if (!paper_definition_file(id).empty() && std::find(ids.begin(), ids.end(), id) == ids.end())
      ids.push_back(id);
  }
  return ids;
}

void refuse_undefined_papers(const std::string& folder) {
  for (const std::string& id : json_files_in(folder)) {
    const fs::path file = fs::path(folder) / (id + ".json");
    if (!paper_definition_file(id).empty() || !has_numbers(file)) continue;
    throw ResultsError(fmt::format(
        "{}: has the numbers of a paper, but there is no experiments/{}/figures.yaml that defines "
        "its figures",
        file.string(), id));
  }
}

PaperResults load_paper_results(const std::string& folder, const std::string& id) {
  const fs::path file = fs::path(folder) / (id + ".json");
  const auto json = read_ordered_result(file);
  if (!json) return {};
  try {
    return PaperResults::of(*json);
  } catch (const nlohmann::json::exception& error) {
    throw damaged_paper(folder, id, error.what());
  }
}

std::map<std::string, std::string> paper_files(const PaperDefinition& paper, const PaperResults& results) {
  std::map<std::string, std::string> files;
  files[paper.id + ".md"] = paper_page(paper, results);
  files[paper.id + ".json"] = numbers_text(results);
  for (const FigureDefinition& figure : paper.figures) {
    const FigureTable* const table = results.table(figure.id());
    if (table == nullptr) continue;
    const std::string picture = figure_picture(figure, *table);
    if (!picture.empty()) files[picture_file(paper.id, figure)] = picture;
  }
  return files;
}

void write_paper(const OutputFolder& folder, const PaperDefinition& paper, const PaperResults& results) {
  std::error_code failed;
  fs::create_directories(folder.path_of("pictures"), failed);
  if (failed)
    throw OutputError(fmt::format("{}: can't make it: {}", folder.path_of("pictures"), failed.message()));
  for (const auto& [name, text] : paper_files(paper, results)) folder.write(name, text);
}

std::string index_of(const std::string& folder) {
  std::vector<std::string> ids = defined_papers();
  for (const std::string& id : papers_in(folder)) {
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }
  std::vector<ReproducedPaper> papers;
  papers.reserve(ids.size());
  for (const std::string& id : ids) papers.push_back(reproduced_paper(folder, id));
  return index_page(papers);
}

void write_index(const OutputFolder& folder) { folder.write("README.md", index_of(folder.path())); }

}  // namespace heddle
