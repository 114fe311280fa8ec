#include "top/reproduction/definition/paper_definition.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "sc_tests/support/paths.h"
#include "top/experiment/definition/experiment_reader.h"
#include "top/experiment/definition/points.h"
#include "top/machine/gpu.h"
#include "top/machine/stat_registry.h"
#include "top/report/stats/block_figures.h"
#include "top/reproduction/custom/custom_figure.h"
#include "top/reproduction/points/block_figure.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBegin = R"(paper: X
title: T
authors: A
config: pro
rows:
  all: [{label: A, workload: a}, {label: B, workload: b}]
points: {gto: {scheduler: gto}}
)";

std::string path_of(const std::string& text) {
  const fs::path folder = fs::path(testing::TempDir()) / ("heddle-figures-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const fs::path file = folder / "figures.yaml";
  std::ofstream(file) << kBegin << text;
  return file.string();
}

std::string error_of(const std::string& text) {
  try {
    load_paper_definition(path_of(text), "x");
  } catch (const WorkloadError& error) {
    return error.what();
  }
  return "";
}

constexpr const char* kFigure =
    "figures:\n- {figure: 4, title: F, experiment: e, rows: all, series: [{name: s, value: gto.cycles}], ";

TEST(PaperDefinition, FindsFiguresByNumberAndName) {
  const PaperDefinition paper = load_paper_definition(
      path_of(std::string(kFigure) +
              "}\n- {table: III, title: F, experiment: e, rows: all, series: [{name: s, value: 2}]}\n"
              "- {figure: 4 (large), title: F, experiment: e, rows: all, series: [{name: s, value: 2}]}\n"),
      "x");
  EXPECT_EQ(paper.find("4")->id(), "figure_4");
  EXPECT_EQ(paper.find("Figure 4")->id(), "figure_4");
  EXPECT_EQ(paper.find("iii")->id(), "table_iii");
  EXPECT_EQ(paper.find("table_III")->name, "Table III");
  EXPECT_EQ(paper.find("4 (large)")->id(), "figure_4_large");
  EXPECT_EQ(paper.find("5"), nullptr);
}

TEST(PaperDefinition, TellsWhatIsWrongAndWhere) {
  const std::string unknown = error_of(std::string(kFigure) + "colour: red}\n");
  EXPECT_NE(unknown.find("figures.yaml:9:"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("a figure: unknown key 'colour'"), std::string::npos) << unknown;
  EXPECT_NE(error_of("figures:\n- {figure: 4, title: F, rows: al, series: [{name: s, value: gto.cycles}]}\n")
                .find("there is no set of rows 'al'; did you mean 'all'?"),
            std::string::npos);
  EXPECT_NE(
      error_of("figures:\n- {figure: 4, title: F, rows: all, series: [{name: s, value: gtoo.cycles}]}\n")
          .find("Figure 4: there is no point 'gtoo'; did you mean 'gto'?"),
      std::string::npos);
  EXPECT_NE(
      error_of("figures:\n- {figure: 4, title: F, rows: all, series: [{name: s, value: gto.cycles +}]}\n")
          .find("Figure 4: 'gto.cycles +', place 13: expected"),
      std::string::npos);
  EXPECT_NE(error_of("figures:\n- {figure: 4, title: F, rows: all}\n").find("expected rows"),
            std::string::npos);
  EXPECT_NE(error_of("figures:\n- {title: F}\n").find("either a key 'figure' or a key 'table'"),
            std::string::npos);
  const std::string twice = std::string(kFigure) + "}\n" + std::string(kFigure).substr(9) + "}\n";
  EXPECT_NE(error_of(twice).find("Figure 4 stands twice"), std::string::npos);
}

TEST(PaperDefinition, ThePapersNumbersAreOfRowsAndSeriesThatAreThere) {
  EXPECT_EQ(error_of(std::string(kFigure) + "paper: [{row: B, series: s, value: 1.5, section: 2}]}\n"), "");
  EXPECT_NE(error_of(std::string(kFigure) + "paper: [{row: C, series: s, value: 1.5, section: 2}]}\n")
                .find("the paper's number is of row 'C'"),
            std::string::npos);
  EXPECT_NE(error_of(std::string(kFigure) + "paper_table: {section: 2, series: [t], rows: {A: [1]}}}\n")
                .find("the paper's number is of series 't'"),
            std::string::npos);
  EXPECT_NE(error_of(std::string(kFigure) + "paper_table: {section: 2, series: [s], rows: {A: [1, 2]}}}\n")
                .find("A: expected 1 numbers, found 2"),
            std::string::npos);
  EXPECT_NE(error_of("headlines: [{name: H, figure: 4, row: Z, series: s, paper: 1, section: 1}]\n" +
                     std::string(kFigure) + "}\n")
                .find("Figure 4 has no row 'Z'"),
            std::string::npos);
}

TEST(PaperDefinition, OnlyTheFiguresThatAreAskedForAreLookedUp) {
  const PaperDefinition paper =
      load_paper_definition(path_of("figures:\n- {figure: 1, title: F, experiment: e, rows: all, axis: "
                                    "{label: x, from: 0, to: 1}, series: [{name: s, "
                                    "value: 'gto.age{x}.n / gto.sm.l1d.hits'}]}\n"),
                            "x");
  EXPECT_EQ(paper.wanted_figures({&paper.figures[0]}),
            (std::set<std::string>{"age0.n", "age1.n", "cycles", "sm.l1d.hits"}));
}

/// The papers that have figures.
std::vector<std::string> papers() {
  std::vector<std::string> ids;
  for (const auto& entry : fs::directory_iterator(fs::path(test::source_dir()) / "experiments")) {
    if (fs::exists(entry.path() / "figures.yaml")) ids.push_back(entry.path().filename().string());
  }
  return ids;
}

PaperDefinition definition(const std::string& id) {
  return load_paper_definition((fs::path(test::source_dir()) / "experiments" / id / "figures.yaml").string(),
                               id);
}

fs::path experiment_file(const std::string& id, const std::string& name, bool quick) {
  const fs::path folder = fs::path(test::source_dir()) / "experiments" / id;
  return (quick ? folder / "quick" : folder) / (name + ".yaml");
}

TEST(PapersDefinitions, NameExperimentsThatAreThere) {
  ASSERT_FALSE(papers().empty());
  for (const std::string& id : papers()) {
    const PaperDefinition paper = definition(id);
    for (const FigureDefinition& figure : paper.figures) {
      EXPECT_FALSE(figure.experiments().empty()) << id << " " << figure.name;
      for (const std::string& name : figure.experiments())
        EXPECT_TRUE(fs::exists(experiment_file(id, name, false))) << id << " " << figure.name << ": " << name;
      if (!figure.by.empty()) EXPECT_NE(make_custom_figure(figure), nullptr);
    }
  }
}

TEST(PapersDefinitions, HaveAQuickSizeForEveryHeadline) {
  for (const std::string& id : papers()) {
    const PaperDefinition paper = definition(id);
    if (id != "study") EXPECT_FALSE(paper.headlines.empty()) << id;  // which has no paper
    for (const HeadlineDefinition& headline : paper.headlines) {
      for (const std::string& name : paper.find(headline.figure)->experiments())
        EXPECT_TRUE(fs::exists(experiment_file(id, name, true)))
            << id << " " << headline.name << ": " << name;
    }
  }
}

/// Labels and their values, of all points.
const std::map<std::string, std::set<std::string>>& labels_of(const fs::path& file) {
  static std::map<std::string, std::map<std::string, std::set<std::string>>> known;
  auto& labels = known[file.string()];
  if (!labels.empty()) return labels;
  for (const Point& point : points_of(read_experiment(file.string()))) {
    for (const auto& [name, value] : point.labels) labels[name].insert(value);
  }
  return labels;
}

/// What a figure asks of its experiments is among their points.
void check_coordinates(const PaperDefinition& paper, const FigureDefinition& figure, bool quick) {
  for (const auto& [name, choice] : figure.points) {
    const std::string experiment = choice.experiment.empty() ? figure.experiment : choice.experiment;
    const fs::path file = experiment_file(paper.id, experiment, quick);
    if (!fs::exists(file)) continue;
    const auto& labels = labels_of(file);
    for (const auto& [key, value] : choice.where) {
      const auto found = labels.find(key);
      ASSERT_NE(found, labels.end()) << file << " has no " << key << ", which " << figure.name << " asks for";
      if (!quick) EXPECT_EQ(found->second.count(value), 1U) << file << ": " << key << " " << value;
    }
  }
}

/// Of any experiment of full size.
std::set<std::string> workloads_of(const std::string& id) {
  std::set<std::string> workloads;
  for (const auto& entry : fs::directory_iterator(fs::path(test::source_dir()) / "experiments" / id)) {
    if (entry.path().extension() != ".yaml" || entry.path().stem() == "figures") continue;
    const std::set<std::string>& labels = labels_of(entry.path()).at("workload");
    workloads.insert(labels.begin(), labels.end());
  }
  return workloads;
}

TEST(PapersDefinitions, AskForWorkloadsThatTheirExperimentsHave) {
  for (const std::string& id : papers()) {
    const std::set<std::string> known = workloads_of(id);
    const PaperDefinition paper = definition(id);
    for (const FigureDefinition& figure : paper.figures) {
      for (const RowDefinition& row : figure.rows) {
        for (const std::string& workload : row.workloads)
          EXPECT_EQ(known.count(workload), 1U)
              << id << ", " << figure.name << ", " << row.label << ": " << workload;
      }
    }
  }
}

TEST(PapersDefinitions, AskForPointsThatTheirExperimentsHave) {
  for (const std::string& id : papers()) {
    const PaperDefinition paper = definition(id);
    for (const FigureDefinition& figure : paper.figures) {
      check_coordinates(paper, figure, false);
      check_coordinates(paper, figure, true);
    }
  }
}

/// "instances" of stats.json of a machine on which nothing ran.
nlohmann::json instances_under(const std::string& scheduler) {
  GpuConfig config;
  config.core.load_statistics = true;
  config.scheduler.name = scheduler;
  const Gpu gpu(("gpu_" + scheduler).c_str(), config);
  StatRegistry registry;
  registry.begin();
  gpu.report(registry);
  const StatValues values = registry.end();
  return instances_json(registry, values);
}

TEST(PapersDefinitions, AskForFiguresThatBlocksReport) {
  std::vector<nlohmann::json> machines;
  for (const char* scheduler : {"gto", "ipaws", "two_level_active"})
    machines.push_back(instances_under(scheduler));
  const std::set<std::string> kinds{"sm", "sm0", "partition", "interconnect", "tb_dispatcher"};
  for (const std::string& id : papers()) {
    const PaperDefinition paper = definition(id);
    for (const FigureDefinition& figure : paper.figures) {
      for (const std::string& name : paper.wanted_figures({&figure})) {
        if (kinds.count(name.substr(0, name.find('.'))) == 0) continue;  // derived of others
        EXPECT_TRUE(std::any_of(
            machines.begin(), machines.end(),
            [&name](const nlohmann::json& instances) { return block_figure(instances, name).has_value(); }))
            << id << " " << figure.name << ": " << name;
      }
    }
  }
}

}  // namespace
}  // namespace heddle
