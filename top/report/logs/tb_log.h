#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "top/machine/gpu.h"
#include "top/report/logs/slot_issues.h"
#include "top/report/logs/structural_predictions.h"

namespace heddle {

/// Writes down the lives of thread blocks and their warps, what SMs have allocated over time, what the warps
/// of the first SM issued, when the dispatch policy sampled kernels and handed SMs over, and what the
/// structure of grids predicts: what thread_blocks.json holds. Listens to the SMs and the dispatcher; a run
/// without it pays nothing.
class TbLog {
 public:
  /// Instructions per bin of the histogram of dynamic instructions per warp (WarpMan figures 6 and 8).
  static constexpr unsigned kBinInstructions = 500;

  /// Before the simulation starts. `gpu` is kept.
  explicit TbLog(Gpu& gpu);

  /// Ends an interval of the allocated shares, at the present cycle.
  void sample();
  /// `complete`: the run came to its end. TBs that had not ended are counted only.
  std::string json(bool complete) const;

 private:
  struct WarpLife {
    unsigned warp_in_tb = 0;
    Cycle start = 0;
    Cycle end = 0;
    std::uint64_t instructions = 0;
    std::uint64_t texture_misses = 0;
  };
  struct TbLife {
    std::uint64_t launch = 0;
    std::string kernel;
    std::uint64_t tb = 0;
    unsigned sm = 0;
    unsigned slot = 0;
    Cycle start = 0;
    Cycle end = 0;
    std::vector<WarpLife> warps;  ///< in the order of their starts

    Cycle longest() const;
    /// Sum of maxT - T_i (WarpMan 3.2).
    Cycle unused() const;
    double rtru() const;
  };
  /// Of one SM and nothing of others: SMs may tick at the same time.
  struct SmState {
    std::vector<TbLife> lives;                  ///< in the order of their starts
    std::array<std::size_t, kMaxWarps> tb{};    ///< of the warp slot: index into lives
    std::array<std::size_t, kMaxWarps> warp{};  ///< and into its warps
    std::array<std::size_t, kMaxWarps> tb_in_slot{};
    IssueStatistics at_last_sample;
  };
  struct Sample {
    Cycle end = 0;
    double registers = 0;
    double warp_slots = 0;
    double shared_memory = 0;
    double warps = 0;  ///< resident, mean of the SMs
  };

  void listen(unsigned sm, IssueStage& issue);
  /// In the order of their starts; at equal times in that of the SMs.
  std::vector<const TbLife*> sorted_lives() const;
  std::string launch_json(std::uint64_t launch, const std::vector<const TbLife*>& lives) const;

  Gpu& gpu_;
  std::vector<SmState> sms_;
  std::vector<Sample> samples_;
  Cycle last_sample_ = 0;
  SlotIssues pattern_;  ///< of SM 0
  std::vector<PolicyInterval> policy_intervals_;
  StructuralPredictions predictions_;
};

}  // namespace heddle
