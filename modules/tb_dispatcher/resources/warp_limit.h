#pragma once

#include "hw/logic/adder.h"
#include "hw/logic/comparator.h"
#include "hw/pricing/owner.h"
#include "hw/storage/counter_array.h"
#include "modules/config/gpu_config.h"

namespace heddle {

/// Contention control `threshold` of one SM (WarpMan 6.1): from core.resources.contention_warps concurrent
/// warps on, nothing more is given warp by warp. Its parts work in ideal timing, as the dispatcher's do:
/// warps end and thread blocks start once in many cycles.
class WarpLimit {
 public:
  WarpLimit(const CoreConfig& core, const hw::Owner& hardware);

  /// A warp was given its resources, or has given them back.
  void issued() { running_.add(kAnyCycle, 0, 1); }
  void ended() { running_.subtract(kAnyCycle, 0, 1); }

  /// Of `warps` for which there is room, those that the limit lets start.
  unsigned allowed(unsigned warps);
  /// The next unissued warp of the partial thread block may start. The limit does not count when that is the
  /// only one of the SM, which has `free_tb_slots` left: its warps may wait for each other.
  bool lets_next_start(unsigned free_tb_slots);

 private:
  static constexpr hw::Cycle kAnyCycle = 0;  ///< ideal timing looks at no cycle

  unsigned below_limit();

  unsigned limit_;
  unsigned one_tb_;           ///< TB slots that one resident TB leaves free
  hw::CounterArray running_;  ///< concurrent warps
  hw::Adder below_limit_;     ///< the limit less these, 0 at least
  hw::Comparator fewer_;      ///< is there room for fewer?
  hw::Comparator alone_;
};

}  // namespace heddle
