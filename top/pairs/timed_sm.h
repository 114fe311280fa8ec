#pragma once

#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "modules/sm/residency/tb_slots.h"
#include "tlm/clocked.h"

namespace heddle {

/// An SM for the dispatcher's test bed: it has the resources of an SM (TbSlots), but its thread blocks are
/// those of TimedLaunch: each holds its resources for its drawn time and executes nothing. A TB accepted at t
/// ends at t + its duration.
class TimedSm : public sc_core::sc_module, public Clocked, private tlm::tlm_fw_transport_if<TbProtocol> {
 public:
  /// `core` is kept.
  TimedSm(const sc_core::sc_module_name& name, ClockDomain& domain, const CoreConfig& core);

  /// From the TB dispatcher.
  TbTargetSocket tb;

  bool tick() override;

 private:
  using Ending = std::pair<Cycle, TbSlot>;

  tlm::tlm_sync_enum nb_transport_fw(TbTransaction& transaction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(TbTransaction& transaction, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(TbTransaction& transaction, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(TbTransaction& transaction) override;

  TbSlots tbs_;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> endings_;
};

}  // namespace heddle
