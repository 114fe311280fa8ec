#pragma once

#include <vector>

#include "modules/sm/residency/tb_slots.h"
#include "tlm/clocked.h"

namespace heddle {

class TimedLaunch;

/// An SM for the dispatcher's test bed: it has the resources of an SM (TbSlots), but its thread blocks are
/// those of TimedLaunch: each holds its resources for its drawn time and executes nothing.
///
/// A TB accepted at t ends at t + its duration, unless TBs interfere (SRTF 3.4.3, 3.4.4). Then they share
/// what the SM can do: each asks for a part of it, residency_slowdown / residency of its kernel, and when
/// they ask for more than the whole together, all of them slow down by that sum. So durations are the drawn
/// ones on an SM full of the kernel's TBs, shorter with fewer or with undemanding co-runners, and longer with
/// demanding ones.
class TimedSm : public sc_core::sc_module, public Clocked, private tlm::tlm_fw_transport_if<TbProtocol> {
 public:
  /// `core` is kept. What TBs ask for is multiplied by `interference`; 0: none.
  TimedSm(const sc_core::sc_module_name& name, ClockDomain& domain, const CoreConfig& core,
          double interference = 0);

  /// From the TB dispatcher.
  TbTargetSocket tb;

  bool tick() override;

 private:
  struct Running {
    bool active = false;
    double left_cycles = 0;  ///< that it would last with nothing to slow it down
    double load = 0;         ///< share of the SM that it asks for
  };

  void advance(Cycle now);
  void change_load();
  void wake_for_next_end();

  tlm::tlm_sync_enum nb_transport_fw(TbTransaction& transaction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(TbTransaction& transaction, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(TbTransaction& transaction, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(TbTransaction& transaction) override;

  const CoreConfig& core_;
  const double interference_;
  TbSlots tbs_;
  std::vector<Running> running_;  ///< by TB slot
  double slowdown_ = 1;
  Cycle advanced_to_ = 0;
};

}  // namespace heddle
