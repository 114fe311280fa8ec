#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "modules/tb_dispatcher/tb_dispatcher.h"
#include "top/report/logs/prediction_log.h"
#include "top/report/logs/structural_predictions.h"

namespace heddle {

/// Writes down where and when the thread blocks of a test bed ran, what was predicted by the policy and by
/// the structure of grids, and when kernels were sampled and SMs handed over.
class TimedLog {
 public:
  /// Listens to `dispatcher`, before the simulation starts. `core` is kept.
  TimedLog(TbDispatcher& dispatcher, const CoreConfig& core);

  /// thread_blocks.json and predictions.csv in `folder`, which is made. `title` says what ran. Throws
  /// OutputError.
  void write(const std::string& folder, const std::string& title) const;

 private:
  struct Life {
    std::uint64_t launch;
    std::string kernel;
    std::uint64_t tb;
    unsigned sm;
    unsigned slot;
    Cycle start;
    Cycle end;
  };

  std::string json(const std::string& title) const;

  PredictionLog predictions_;
  StructuralPredictions structural_;
  std::vector<Life> lives_;  ///< in the order of their starts
  std::vector<PolicyInterval> policy_intervals_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> life_of_;  ///< by launch and TB: into lives_
};

}  // namespace heddle
