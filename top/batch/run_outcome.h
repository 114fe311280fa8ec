#pragma once

#include <optional>
#include <string>

#include "top/batch/run_figures.h"
#include "top/support/processes/exit_code.h"

namespace heddle {

/// How a run ended, and what it has left.
struct RunOutcome {
  ExitCode code = ExitCode::kOk;
  std::optional<RunFigures> figures;  ///< when the run left results
  std::string message = {};           ///< the first line of its messages

  /// The run came to its end; its output may be wrong.
  bool complete() const { return figures && figures->complete; }
  /// Of a run that came to its end: means are not of others.
  std::optional<double> figure_of_whole(const std::string& metric) const {
    return complete() ? figures->value(metric) : std::nullopt;
  }
  /// As of RunFigures; nothing without results.
  std::optional<double> tb_rounds() const { return figures ? figures->tb_rounds : std::nullopt; }
  /// As status_of(), but "sampled" of one that is complete and whose figures are estimates.
  std::string status() const {
    const bool sampled = code == ExitCode::kOk && figures && figures->sampled;
    return sampled ? "sampled" : status_of(static_cast<int>(code));
  }
};

}  // namespace heddle
