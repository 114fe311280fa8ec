#pragma once

#include <cstdint>

#include "modules/config/policy_parameters.h"

namespace heddle {

/// Of a TB's counts of warps (PRO III.E).
constexpr unsigned kProWarpCountBits = 8;

/// What becomes of the progress that two schedulers add to one TB in a cycle, in hardware timing: the amounts
/// are added up first, a scheduler has a register of its own per TB, or the last one alone counts.
enum class ProSameTb : std::uint8_t { kMerge, kBank, kLose };

struct ProParameters {
  unsigned progress_bits = 32;            ///< of a progress register; it wraps (PRO III.E)
  std::uint64_t threshold_cycles = 1000;  ///< between sorts of the TBs that wait for nothing (PRO III.C.1)
  unsigned tb_comparators = 1;            ///< that sort the TBs of an SM
  unsigned warp_comparators = 1;          ///< per TB: that sort its warps
  unsigned cycles_per_compare = 0;        ///< hardware timing; 0: from the logic depth and the clock
  ProSameTb same_tb = ProSameTb::kMerge;
  unsigned add_cycles = 1;    ///< of an adder of progress, hardware timing; 0: as cycles_per_compare
  unsigned logged_sorts = 0;  ///< first sorts of each SM whose TB order is put into the statistics
};
extern const ParametersOf<ProParameters> pro_parameters;

}  // namespace heddle
