#include <fmt/format.h>

#include <filesystem>

#include "base/nearest_name.h"
#include "top/commands/commands.h"
#include "top/options/reproduce_options.h"
#include "top/reproduction/definition/paper_files.h"
#include "top/reproduction/pages/reproduction_files.h"
#include "top/reproduction/pages/reproduction_report.h"
#include "top/reproduction/run/paper_run.h"
#include "top/support/output/output_folder.h"
#include "top/support/project_files.h"
#include "top/text/shown_path.h"

namespace heddle {

namespace {

PaperDefinition load_paper(const std::string& id) {
  const std::string file = paper_definition_file(id);
  if (!file.empty()) return load_paper_definition(file, id);
  throw FileNotFound(fmt::format("there is no paper '{}'{}", id, name_hint(id, defined_papers(), "papers")));
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

}  // namespace

ExitCode reproduce_command(const ReproduceOptions& options) {
  const PaperDefinition paper = load_paper(options.paper);
  const std::vector<const FigureDefinition*> figures = chosen_figures(paper, options.figures);
  // That it can be written in is known before hours of work; meanwhile others may have it.
  const std::string path = OutputFolder::open("reproduce", options.out, ReproduceOptions::kOut).path();
  PaperResults ours;
  ExitCode code = ExitCode::kOk;
  if (!options.redraw) {
    PaperRunOptions run;
    run.quick = options.quick;
    run.database = options.database.empty() ? ReproduceOptions::kDatabase : options.database;
    run.jobs = options.jobs;
    run.retry_failed = options.retry_failed;
    run.plan_only = options.no_run;
    run.quiet = options.quiet;
    const PaperRunResult ran = run_paper(paper, figures, run);
    ours = ran.results;
    code = ran.code;
    for (const std::string& name : ran.without) {
      fmt::print(stderr, "heddle reproduce: {}: experiment '{}' has no {} size: its figures are left out\n",
                 paper.paper, name, options.quick ? kQuickSize : kFullSize);
    }
    for (const std::string& why : ran.valueless)
      fmt::print(stderr, "heddle reproduce: {}: {}\n", paper.paper, why);
  }
  const OutputFolder folder(path, OutputFolder::Wait::kShort);
  PaperResults results = load_paper_results(path, paper.id);
  results.merge(ours);
  write_paper(folder, paper, results);
  write_index(folder);
  fmt::print("{}", reproduction_report(paper, figures, results, options.quick ? kQuickSize : kFullSize,
                                       options.format));
  if (options.format == OutputFormat::kText) {
    fmt::print("\nWith pictures: {}\n", shown_path(folder.path_of(paper.id + ".md")));
  }
  return code;
}

}  // namespace heddle
