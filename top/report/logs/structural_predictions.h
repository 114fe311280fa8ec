#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "modules/tb_dispatcher/heard_slots.h"
#include "modules/tb_dispatcher/policies/srtf/slicing_table.h"
#include "modules/tb_dispatcher/tb_dispatcher.h"

namespace heddle {

/// What SRTF's ways of predicting make of a run, whatever policy dispatched it: per launch and SM the run
/// time by the staircase model and by linear regression (SRTF 3.2, figure 4), and by the Simple Slicing
/// predictor with and without slices (4.2, figure 11), beside the true one. As in the paper the predictors go
/// over the starts and ends of thread blocks; they decide nothing and are no hardware of the run.
class StructuralPredictions {
 public:
  /// Listens to `dispatcher`, before the simulation starts. `core` is kept.
  StructuralPredictions(TbDispatcher& dispatcher, const CoreConfig& core);

  /// Of a launch that has ended an object for each SM that had a TB of it, in the order of the SMs; of any
  /// other an empty array. Cycles are of the core clock:
  /// - `tbs`, and `residency`, the TBs that the SM may hold at once (R);
  /// - `span_cycles`, from the start of the first TB to the end of the last, `active_cycles`, those of them
  ///   with a TB of the launch;
  /// - `staircase_cycles`: equation 1, ceil(tbs / R) times the duration of the TB that ended first;
  /// - `regression_cycles`: the line fitted to the ends of the TBs by least squares, at the last of them;
  /// null
  ///   when there is one TB;
  /// - `slicing_cycles`, `once_cycles`: equation 2 at the first end in the last slice that has one, and at
  /// the
  ///   first of all; they predict `active_cycles`.
  nlohmann::ordered_json of_launch(std::uint64_t launch) const;

 private:
  struct Running {
    std::uint64_t start;
    TbSlot tb_slot;
  };
  struct OnSm {
    unsigned resident = 0;
    std::uint64_t first_start = 0;
    std::uint64_t last_end = 0;
    std::uint64_t since = 0;          ///< a TB is there
    std::uint64_t active_cycles = 0;  ///< until the last time that none was there
    std::uint64_t first_tb_cycles = 0;
    bool new_slice = true;  ///< no TB has ended in the present slice
    std::uint64_t slicing_cycles = 0;
    std::uint64_t once_cycles = 0;
    std::map<std::uint64_t, Running> running;  ///< by TB
    std::vector<std::uint64_t> ends;           ///< in their order
  };
  struct Launch {
    unsigned residency = 0;        ///< the most, of the times that its grid was spread
    std::uint64_t tbs_per_sm = 0;  ///< expected on each SM that it has
    unsigned kernel_slot = 0;
    bool ended = false;
    std::vector<OnSm> sms;
  };
  struct Tables {
    explicit Tables(const CoreConfig& core);
    SlicingTable slicing;
    SlicingTable once;
    HeardSlots slots;
  };

  void spread(const LaunchRecord& record);
  void begin_slice();
  void started(const TbTransaction& tb, std::uint64_t cycle);
  void ended(const TbTransaction& tb, std::uint64_t cycle);
  Launch& launch_of(const TbTransaction& tb, std::uint64_t cycle);
  static nlohmann::ordered_json regression(const OnSm& sm);

  const CoreConfig& core_;
  std::vector<std::unique_ptr<Tables>> tables_;  ///< by SM
  std::uint64_t kernel_slots_ = 0;               ///< bit k: taken
  std::map<std::uint64_t, Launch> launches_;
};

}  // namespace heddle
