#pragma once

#include <optional>
#include <string>
#include <vector>

#include "top/batch/run_figures.h"
#include "top/batch/run_identity.h"
#include "top/options/options.h"
#include "top/support/output/output_folder.h"
#include "top/support/processes/exit_code.h"

namespace heddle {

/// One run of a batch.
struct BatchRun {
  RunOptions options;  ///< `out` is set by run_batch
  std::string label;   ///< in messages and in the name of its folder
};

struct BatchOutcome {
  ExitCode code = ExitCode::kOk;
  std::optional<RunFigures> figures;  ///< when the run left results
  std::string folder = {};            ///< where they are
  std::string message = {};           ///< the first line of its messages
  RunIdentity identity = {};          ///< of the run, as it was asked for

  /// The run came to its end; its output may be wrong.
  bool complete() const { return figures && figures->complete; }
  /// As of RunFigures; nothing without results.
  std::optional<double> tb_rounds() const { return figures ? figures->tb_rounds : std::nullopt; }
  /// "complete", "sampled" (its figures are estimates), "wrong output", or how it ended.
  std::string status() const;
};

/// Before anything runs: each configuration's GPU is built and each workload loaded with its PTX; what is
/// wrong with them is thrown as by run_command. Workloads of runs with several (concurrent()) are left to the
/// run.
void check_batch(const std::vector<BatchRun>& runs);

/// Runs `heddle run` for each of `runs`, `jobs` of them at once (copies_at_once()), with results in numbered
/// folders of `out`. Outcomes are in the order of `runs`. Results that are not those of the run that was
/// asked for (RunIdentity) are an error. Unless `quiet`, a terminal shows how far they are. Errors of a run
/// go to stderr after "heddle `command`: LABEL: ".
std::vector<BatchOutcome> run_batch(const std::string& command, std::vector<BatchRun> runs,
                                    const OutputFolder& out, bool quiet, unsigned jobs);

/// Why all were ended, or the first code that is not kOk.
ExitCode batch_code(const std::vector<BatchOutcome>& outcomes);

}  // namespace heddle
