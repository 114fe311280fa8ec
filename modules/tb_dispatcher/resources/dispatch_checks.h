#pragma once

#include "hw/logic/adder.h"
#include "hw/logic/comparator.h"
#include "hw/logic/multiplexer.h"
#include "hw/logic/population_count.h"
#include "hw/storage/register.h"
#include "modules/tb_dispatcher/resources/occupancy.h"

namespace heddle {

/// The checks of WarpMan's dispatch logic for one SM (WarpMan 4.1, figure 13), as hardware has them: what is
/// free is counted in warp scheduler entries, in warps that the free registers are enough for, in TB slots
/// and in TBs that the free shared memory is enough for. All TBs of the SM are of one kernel, of which the
/// launch says how many warps and TBs an SM's registers and shared memory are enough for. Decides in the
/// cycle in either timing.
class DispatchChecks {
 public:
  DispatchChecks(const CoreConfig& core, const hw::Owner& hardware);

  /// Warps that the registers of an SM without TBs are enough for, core.warps at most.
  static unsigned register_warps(const CoreConfig& core, const TbDemand& demand);
  /// TBs that its shared memory is enough for, core.tb_slots at most.
  static unsigned shared_tbs(const CoreConfig& core, const TbDemand& demand);

  /// Warps of a TB that could start, when no TB has unissued warps.
  unsigned room(const TbDemand& demand);
  /// A TB starts, without warps yet.
  void start(const TbDemand& demand);
  /// An unissued warp issues.
  void issue();
  void warps_ended(unsigned warps);
  void tb_ended();
  /// The SM has no TB, whatever was counted: TBs of several kernels were there.
  void empty_sm();

 private:
  static constexpr hw::Cycle kAnyCycle = 0;  ///< ideal timing looks at no cycle

  bool empty() const { return slots_.value() == core_.tb_slots; }

  const CoreConfig core_;
  hw::Register entries_;
  hw::Register register_warps_;
  hw::Register slots_;
  hw::Register shared_tbs_;
  hw::Comparator fewer_;         ///< entries or registers; do all unissued warps issue; does a whole TB fit
  hw::Multiplexer fewer_warps_;  ///< of each of these the lesser number, and an empty SM's or what is left
  hw::Multiplexer shared_mux_;
  hw::Adder sums_;  ///< unissued warps, room, what changes, what is left
  hw::Adder tb_sums_;
  hw::PopulationCount ended_;
  hw::PopulationCount tbs_ended_;
};

}  // namespace heddle
