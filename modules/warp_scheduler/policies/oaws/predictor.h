#pragma once

#include <array>
#include <list>
#include <memory>
#include <optional>

#include "hw/logic/adder.h"
#include "hw/logic/comparator.h"
#include "hw/logic/multiplexer.h"
#include "hw/logic/population_count.h"
#include "hw/logic/priority_selector.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/counter_array.h"
#include "hw/storage/pipeline.h"
#include "hw/storage/register.h"
#include "modules/warp_scheduler/policies/oaws/classifier.h"
#include "modules/warp_scheduler/policies/oaws/ocw.h"
#include "modules/warp_scheduler/policies/oaws/order.h"
#include "modules/warp_scheduler/policies/oaws/parameters.h"
#include "modules/warp_scheduler/shared_policy.h"

namespace heddle {

/// Which predictions are made (OAWS 4.2, 4.3.2).
enum class OawsPrediction : std::uint8_t { kStatic, kDynamic };

/// Does a load that goes by this instruction look for its lines in the L1D, and take MSHR entries for them?
inline bool takes_mshr(const Instruction& load, const GpuConfig& gpu) {
  return gpu.l1d.enabled && load.cache == CacheOp::kAll;
}

/// The misses predicted of the warps' next loads, stored with the instructions in the I-buffer (OAWS 4.4).
/// Plain C++.
///
/// In ideal timing a prediction is made when a load becomes a warp's next instruction and again whenever what
/// it rests on changed. In hardware timing one prediction is begun a cycle, first of loads that have none,
/// and holds cycles() later; the old one stays meanwhile. It is a pipeline: a warp is selected; its next PC
/// and active lanes are read out of the I-buffers and the SIMT stacks of all warps, and the DLC is asked in
/// the same cycle; lanes and rank are counted and added up.
class MissPredictor {
 public:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  /// OAWS 4.4: "each warp can have two instructions".
  static constexpr unsigned kBufferedInstructions = 2;

  /// `order` and `ocw` are used by dynamic prediction only.
  MissPredictor(const hw::Owner& owner, const SmContext& context, OawsPrediction kind,
                DivergentLoadClassifier& classifier, GtoOrder* order, const OcwEstimator* ocw);

  /// The warp's next instruction is another one.
  void forget(unsigned warp);
  /// Makes all predictions again: what they rest on has changed.
  void make_again() { stale_ = ~WarpMask{0}; }
  /// Makes predictions; the cycle at which it must be called again.
  std::uint64_t update(hw::Cycle cycle);

  /// Counts the changes of what loads are predicted to need.
  std::uint64_t version() const { return version_; }
  /// Warps whose next load has a prediction.
  WarpMask known() const { return known_; }
  /// Of a known warp: entries that its next load is predicted to need.
  unsigned need(unsigned warp) const { return static_cast<unsigned>(stored_.value(entry_of_[warp])); }
  /// Likewise, for a load that issues, and takes it along.
  unsigned take(hw::Cycle cycle, unsigned warp) {
    taken_.read(cycle);
    return need(warp);
  }
  /// Cycles that a prediction takes; 0 in ideal timing.
  unsigned cycles() const { return cycles_; }
  /// Bits of a stored prediction: enough for less than all MSHR entries, and no more than a share can have.
  unsigned bits() const { return stored_.bits(); }

  /// A prediction that was begun, and what it is of.
  struct Begun {
    hw::Cycle cycle = ~hw::Cycle{0};
    unsigned warp = kNoWarp;
    std::uint64_t pc = 0;
    LaneMask lanes = 0;
  };
  /// The last one, in hardware timing.
  const Begun& last_begun() const { return begun_; }
  /// Of cycles(), those until a warp has been selected.
  unsigned select_cycles() const { return select_cycles_; }
  /// The share of missing lanes, in 4096ths.
  unsigned share_factor() const { return share_factor_; }

  void trace(WaveSink& sink) const { stored_.trace(sink); }

 private:
  struct Pending {
    Begun of;
    unsigned rank = 0;
    bool divergent = false;
    std::uint64_t value = 0;
    bool asked = false;    ///< the DLC and the warp's rank, which are known
    bool weighed = false;  ///< by OCW: value is known
  };
  /// Registers of the hardware timing.
  struct Stages {
    Stages(const hw::Owner& owner, unsigned warps, unsigned cycles, bool ranks);

    hw::PrioritySelector next_new;  ///< beside next_: of loads that have none
    hw::BitVector known;            ///< as known_ below, and so on
    hw::BitVector stale;
    hw::BitVector entry;
    hw::Register after_last;
    std::list<hw::BitVector> warps;  ///< whose prediction is on its way, a stage each
    hw::Pipeline operands;           ///< what was read
    std::unique_ptr<hw::Pipeline> counted;
  };

  static unsigned entry(unsigned warp, std::uint64_t pc);
  /// What is read for a prediction, and what it comes to, in the same cycle or the next one.
  void ask(hw::Cycle cycle, Pending& pending);
  void weigh(hw::Cycle cycle, Pending& pending);
  bool needs_some(unsigned warp) const;
  /// miss_percent of `lanes`, rounded up: a load of one lane needs what a coherent one needs.
  unsigned share_of(hw::Cycle cycle, unsigned lanes);
  /// Declares the paths of a prediction; the cycles of the longest.
  unsigned prediction_cycles(const hw::Owner& owner);
  void store(hw::Cycle cycle, unsigned warp, std::uint64_t pc, std::uint64_t value);
  void ask_begun(hw::Cycle cycle);
  std::uint64_t next_time() const;
  void store_ready(hw::Cycle cycle);
  std::uint64_t begin_one(hw::Cycle cycle, WarpMask wanted);

  const SmContext context_;
  const OawsParameters config_;
  DivergentLoadClassifier& classifier_;
  GtoOrder* const order_;
  const OcwEstimator* const ocw_;
  const unsigned share_factor_;  ///< miss_percent, as what lanes are multiplied by
  hw::CounterArray stored_;
  hw::PopulationCount lane_counter_;  ///< Div_pred: active lanes (OAWS 4.2)
  std::unique_ptr<hw::Adder>
      share_adders_;  ///< of its partial products; none when the factor is a power of two
  hw::Adder adder_;
  std::optional<hw::Comparator> locality_;  ///< rank < OCW
  hw::PrioritySelector next_;
  hw::Multiplexer operands_;  ///< PC and active lanes of the warp that next_ selects
  hw::Multiplexer of_warps_;  ///< the stored prediction of each warp's next instruction
  hw::Multiplexer taken_;     ///< that of a load that issues, which it takes along
  unsigned select_cycles_ = 0;
  unsigned weigh_cycles_ = 0;  ///< until the rank is compared, behind a register where there is one
  unsigned cycles_ = 0;
  std::unique_ptr<Stages> stages_;

  WarpMask known_ = 0;
  WarpMask stale_ = ~WarpMask{0};  ///< to be made, or made again
  std::uint64_t version_ = 0;
  std::array<std::uint8_t, kMaxWarps> entry_of_{};
  std::vector<Pending> pending_;  ///< begun, in order
  Begun begun_;
  unsigned after_last_ = 0;
};

}  // namespace heddle
