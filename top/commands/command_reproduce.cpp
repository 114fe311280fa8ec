#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "base/nearest_name.h"
#include "base/stop.h"
#include "top/cluster/cluster_executor.h"
#include "top/commands/commands.h"
#include "top/commands/sweep/stopped_points.h"
#include "top/options/reproduce_options.h"
#include "top/reproduction/definition/paper_files.h"
#include "top/reproduction/figures/taken_run.h"
#include "top/reproduction/pages/number_differences.h"
#include "top/reproduction/pages/reproduction_files.h"
#include "top/reproduction/pages/reproduction_report.h"
#include "top/reproduction/run/paper_run.h"
#include "top/support/output/console.h"
#include "top/support/output/output_folder.h"
#include "top/support/project_files.h"
#include "top/support/results.h"
#include "top/text/shown_path.h"

namespace heddle {

namespace {

PaperDefinition load_paper(const std::string& id) {
  const std::string file = paper_definition_file(id);
  if (!file.empty()) return load_paper_definition(file, id);
  std::vector<std::string> known = defined_papers();
  known.emplace_back("study");  // of no paper, so that it is none of these
  throw FileNotFound(fmt::format("there is no paper '{}'{}", id, name_hint(id, known, "papers")));
}

std::vector<const FigureDefinition*> chosen_figures(const PaperDefinition& paper,
                                                    const std::vector<std::string>& names) {
  std::vector<const FigureDefinition*> figures;
  std::vector<std::string> known;
  for (const FigureDefinition& figure : paper.figures) {
    known.push_back(figure.name);
    if (names.empty()) figures.push_back(&figure);
  }
  for (const std::string& name : names) {
    const FigureDefinition* const figure = paper.find(name);
    if (figure == nullptr) {
      throw UsageError(fmt::format("heddle reproduce: --figure {}: {} has no such figure or table{}", name,
                                   paper.paper, name_hint(name, known, "figures and tables")));
    }
    figures.push_back(figure);
  }
  return figures;
}

void expect_database(const std::string& file) {
  if (std::filesystem::exists(file)) return;
  throw ResultsError(fmt::format(
      "{}: there is no such database of results, whose figures --no-run would show; --db names another",
      file));
}

PaperRunOptions run_options(const ReproduceOptions& options, const std::string& database) {
  PaperRunOptions run;
  run.quick = options.quick;
  run.database = database;
  run.jobs = options.jobs;
  run.retry_failed = options.retry_failed;
  run.plan_only = options.no_run;
  run.quiet = options.quiet;
  return run;
}

/// Throws when the folder has no numbers that pages could be written anew from.
void expect_numbers(const ReproduceOptions& options, const PaperDefinition& paper) {
  const std::filesystem::path folder = options.out.empty() ? ReproduceOptions::kOut : options.out;
  const std::filesystem::path file = folder / (paper.id + ".json");
  if (std::filesystem::exists(file)) return;
  throw ResultsError(fmt::format(
      "{}: there is no such file, from which --redraw would write the pages; --out names another folder",
      shown_path(file.string())));
}

/// The numbers of the folder of --against; nothing without. Throws when it has none of the paper.
std::optional<PaperResults> numbers_against(const ReproduceOptions& options, const PaperDefinition& paper) {
  if (options.against.empty()) return std::nullopt;
  const std::filesystem::path file = std::filesystem::path(options.against) / (paper.id + ".json");
  if (!std::filesystem::exists(file)) {
    throw ResultsError(fmt::format("{}: there is no such file, with whose numbers --against would compare",
                                   shown_path(file.string())));
  }
  return load_paper_results(options.against, paper.id);
}

bool for_programs(OutputFormat format) {
  return format == OutputFormat::kCsv || format == OutputFormat::kJson;
}

/// Which figures are left out or have no value, and why.
void tell_figures_without(const PaperRunResult& ran, const PaperDefinition& paper, const char* size) {
  for (const std::string& name : ran.without) {
    tell("heddle reproduce: {}: experiment '{}' has no {} size: its figures are left out\n", paper.paper,
         name, size);
  }
  for (const std::string& why : ran.valueless) tell("heddle reproduce: {}: {}\n", paper.paper, why);
}

/// In one line, however many they are.
void tell_kept(const std::vector<KeptFigure>& kept, const PaperDefinition& paper, const std::string& file) {
  if (kept.empty()) return;
  std::string figures;
  for (const KeptFigure& figure : kept) {
    figures += fmt::format("{}{} ({} values, {} in this run{}{})", figures.empty() ? "" : ", ", figure.name,
                           figure.values, figure.in_run, figure.rows.empty() ? "" : ", which replaces ",
                           fmt::join(figure.rows, " and "));
  }
  tell("heddle reproduce: {}: points are missing: {} keeps what it has of {}\n", paper.paper,
       shown_path(file), figures);
}

void tell_stopped(const PaperResults& results, const ClusterOptions& cluster) {
  std::size_t done = 0;
  std::size_t points = 0;
  for (const auto& [experiment, sizes] : results.experiments) {
    for (const auto& [size, summary] : sizes) {
      done += summary.complete;
      points += summary.points;
    }
  }
  tell_stopped_points("reproduce", done, points, cluster);
}

}  // namespace

ExitCode reproduce_command(const ReproduceOptions& options) {
  const PaperDefinition paper = load_paper(options.paper);
  const std::vector<const FigureDefinition*> figures = chosen_figures(paper, options.figures);
  const char* const size = options.quick ? kQuickSize : kFullSize;
  const std::string database = options.database.empty() ? ReproduceOptions::kDatabase : options.database;
  if (options.redraw) {
    expect_numbers(options, paper);
  } else if (options.no_run) {
    expect_database(database);
  }
  const std::optional<PaperResults> there = numbers_against(options, paper);
  // That it can be written in is known before hours of work; meanwhile others may have it.
  const std::string path = OutputFolder::open("reproduce", options.out, ReproduceOptions::kOut).path();
  PaperResults ours;
  ExitCode code = ExitCode::kOk;
  if (!options.redraw) {
    const std::unique_ptr<PointExecutor> cluster = cluster_executor(options.cluster);
    PaperRunOptions run = run_options(options, database);
    run.executor = cluster.get();
    const PaperRunResult ran = run_paper(paper, figures, run);
    ours = ran.results;
    code = ran.code;
    if (stop_cause() != StopCause::kNone) {  // the folder waits for the rest
      tell_stopped(ours, options.cluster);
      return code;
    }
    tell_figures_without(ran, paper, size);
  }
  const OutputFolder folder(path, OutputFolder::Wait::kShort);
  PaperResults results = load_paper_results(path, paper.id);
  tell_kept(take_run(results, ours, paper), paper, folder.path_of(paper.id + ".json"));
  write_paper(folder, paper, results);
  write_index(folder);
  const PaperResults& shown = options.redraw ? results : ours;
  fmt::print("{}",
             reproduction_report(paper, figures, shown, size, options.format, there ? &*there : nullptr));
  if (there) {
    const NumberDifferences differences = number_differences(figures, shown, *there, size);
    if (!for_programs(options.format)) {
      fmt::print("\n{}", differences_report(differences, shown_path(options.against), options.format));
    }
    if (differences.nothing_compared()) {
      tell("heddle reproduce: {}: nothing could be compared with {}\n", paper.paper,
           shown_path(options.against));
    }
    const bool failed = differences.any() || differences.nothing_compared();
    if (failed && code == ExitCode::kOk) code = ExitCode::kCheckFailed;
  }
  if (options.format == OutputFormat::kText) {
    fmt::print("\nWith pictures: {}\n", shown_path(folder.path_of(paper.id + ".md")));
  }
  return code;
}

}  // namespace heddle
