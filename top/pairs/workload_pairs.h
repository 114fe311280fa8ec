#pragma once

#include <optional>
#include <string>
#include <vector>

#include "top/batch/batch.h"
#include "top/options/options.h"
#include "top/pairs/alone_cache.h"
#include "top/pairs/pair_bench.h"

namespace heddle {

/// Pairs of workloads that execute instructions, under dispatch policies: each pair of those named, in the
/// order in which they are named, runs as two streams; `heddle run` does the runs. How long each takes alone
/// comes from a cache, or from a run under fifo. A workload that does not run alone, or a pair that fails, is
/// reported on stderr and does not stop the other pairs.
class WorkloadPairs {
 public:
  /// Throws ConfigError, and std::invalid_argument for an arrival that can't be read.
  explicit WorkloadPairs(const PairsOptions& options);

  /// Runs everything. Throws OutputError.
  void run();

  const PairFigures& figures() const { return figures_; }
  /// kOk, or the code of the first run that failed.
  ExitCode code() const { return code_; }

 private:
  struct Alone {
    std::string key;   ///< "": the workload can't even be read
    std::string file;  ///< with its run times
    bool known = false;
    std::string failure;
  };
  struct Place {
    std::size_t result;
    std::size_t pair;
  };

  RunOptions base() const;
  RunOptions alone_options(std::size_t workload) const;
  void find_alone();
  void run_alone(const std::vector<std::size_t>& missing);
  void know(std::size_t workload, const AloneRun& run);
  /// Interrupted before the pairs: none of them runs.
  void give_up();
  void run_pairs();
  void collect(PairResult& pair, const BatchOutcome& outcome);
  void fail(ExitCode code);

  PairsOptions options_;
  AloneCache cache_;
  std::vector<Arrival> arrivals_;
  std::vector<Alone> alone_;
  PairFigures figures_;
  ExitCode code_ = ExitCode::kOk;
};

}  // namespace heddle
