#pragma once

#include <optional>
#include <string>
#include <vector>

#include "top/batch/batch.h"
#include "top/options/options.h"
#include "top/pair_runs/alone_cache.h"
#include "top/pair_runs/planned_pairs.h"
#include "top/support/output/output_folder.h"

namespace heddle {

/// Pairs, or sets of more, of workloads that execute instructions: `heddle run` runs each point of the plan
/// in a folder of its own. How long each workload takes alone comes from a cache, or from a run under fifo. A
/// workload that does not run alone, or a pair that fails, is reported on stderr and does not stop the
/// others.
class FolderPairs {
 public:
  /// Throws ConfigError, and as PlannedPairs.
  explicit FolderPairs(const PairsOptions& options);

  /// Runs everything. Throws OutputError.
  void run();

  const PairFigures& figures() const { return planned_.figures; }
  /// kOk, or the code of the first run that failed.
  ExitCode code() const { return code_; }

 private:
  struct Alone {
    std::string key;       ///< "": the workload can't even be read
    RunIdentity identity;  ///< what the key is of
    std::string file;      ///< with its run times
    std::optional<AloneRun> run;
    std::string failure;
  };
  const Point& point_of(const PolicyResult& result, const PairResult& pair) const;
  RunOptions alone_options(std::size_t workload) const;
  void find_alone();
  /// The first workload that is the same.
  std::size_t first_of_key(std::size_t workload) const;
  void run_alone(const std::vector<std::size_t>& missing);
  void know(std::size_t workload, const AloneRun& run);
  /// Interrupted before the pairs: none of them runs.
  void give_up();
  void run_pairs();
  RunOptions pair_options(const PolicyResult& result, PairResult& pair) const;
  void collect(const PolicyResult& result, PairResult& pair, const BatchOutcome& outcome);
  void fail(ExitCode code);

  PairsOptions options_;
  AloneCache cache_;
  PlannedPairs planned_;
  std::vector<Point> points_;
  std::vector<Alone> alone_;
  std::optional<OutputFolder> folder_;  ///< of the runs
  ExitCode code_ = ExitCode::kOk;
};

}  // namespace heddle
