#include "top/experiment/run_ends.h"

#include <fmt/format.h>

#include "top/support/output/console.h"
#include "top/text/shell_word.h"
#include "top/text/shown_path.h"

namespace heddle {

void tell_problem(const std::string& command, const std::string& label, const ExperimentRow& row,
                  const RunOutcome& outcome) {
  const bool failed = row.state == ExperimentRow::State::kFailed;
  const std::string& problem = outcome.message.empty() && failed ? row.status : outcome.message;
  if (!problem.empty()) tell("heddle {}: {}: {}\n", command, label, problem);
}

std::string where_results_are(const EngineOptions& engine) {
  if (engine.folders == nullptr)
    return fmt::format("Figures of each run: heddle results export --db {}\n",
                       shell_word(shown_path(engine.database)));
  const std::string folder = shown_path(engine.folders->all.path());
  return fmt::format("Results of each run in {}/; charts: heddle report {}\n", folder, shell_word(folder));
}

}  // namespace heddle
