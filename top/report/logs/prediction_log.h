#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "modules/tb_dispatcher/tb_dispatcher.h"

namespace heddle {

/// What a dispatch policy predicts over time, against the truth (SRTF figures 4 and 11).
class PredictionLog {
 public:
  /// Listens to `dispatcher`, before the simulation starts.
  explicit PredictionLog(TbDispatcher& dispatcher);

  /// cycle, launch, kernel, sm, tb_cycles, predicted_cycles, actual_cycles: core cycles. Actual are those
  /// with a TB of the launch on the SM, as the dispatcher sees them; empty for a launch that did not end.
  std::string csv() const;

 private:
  /// The cycles in which an SM holds TBs of a launch.
  struct Residence {
    unsigned tbs = 0;
    Cycle since = 0;
    Cycle cycles = 0;
  };
  struct Launch {
    std::string kernel;
    bool ended = false;
  };

  void started(const TbTransaction& tb, Cycle cycle);
  void ended(const TbTransaction& tb, Cycle cycle);

  std::map<std::pair<std::uint64_t, unsigned>, Residence> residence_;  ///< by launch and SM
  std::map<std::uint64_t, Launch> launches_;
  std::vector<RuntimePrediction> predictions_;
};

}  // namespace heddle
