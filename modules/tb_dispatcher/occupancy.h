#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "modules/gpu_config.h"
#include "workloads/kernel_launch.h"

namespace heddle {

/// What one thread block takes of an SM, with the hardware's granularities (gtx480.md, "Clocks, size,
/// occupancy"): threads in whole warps, registers per thread rounded up to the allocation unit, shared memory
/// in whole allocation units.
struct TbDemand {
  unsigned threads = 0;
  unsigned warps = 0;
  unsigned registers = 0;
  unsigned shared_bytes = 0;
  unsigned registers_per_thread = 0;  ///< as allocated

  static TbDemand of(const KernelLaunch& launch, const CoreConfig& core);
};

enum class SmResource : std::uint8_t { kTbSlots, kThreads, kWarps, kRegisters, kSharedMemory, kGrid };
const char* to_string(SmResource resource);

/// A kernel of which not even one TB fits on an SM. The message names the resource, what is needed and what
/// there is.
class OccupancyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How many TBs of a kernel an SM holds at once, and what limits it.
struct Occupancy {
  TbDemand demand;
  unsigned tbs_per_sm = 0;  ///< by resources
  SmResource limiter = SmResource::kTbSlots;
  unsigned resident_limit = 0;  ///< tbs_per_sm, or ceil(TBs / SMs) when the grid is too small to fill the GPU
  /// Resident over possible warps, by resources.
  double warp_occupancy = 0;

  /// Throws OccupancyError. `limiter` is the first in the enum's order that gives the least; kGrid when
  /// resident_limit is less than tbs_per_sm.
  static Occupancy of(const KernelLaunch& launch, const CoreConfig& core);
};

/// Free resources of one SM.
class SmResources {
 public:
  explicit SmResources(const CoreConfig& core)
      : tb_slots_(core.tb_slots),
        threads_(core.threads),
        warps_(core.warps),
        registers_(core.registers),
        shared_bytes_(core.shared_bytes) {}

  bool fits(const TbDemand& d) const {
    return tb_slots_ != 0 && threads_ >= d.threads && warps_ >= d.warps && registers_ >= d.registers &&
           shared_bytes_ >= d.shared_bytes;
  }
  void take(const TbDemand& d) {
    --tb_slots_;
    threads_ -= d.threads;
    warps_ -= d.warps;
    registers_ -= d.registers;
    shared_bytes_ -= d.shared_bytes;
  }
  void give_back(const TbDemand& d) {
    ++tb_slots_;
    threads_ += d.threads;
    warps_ += d.warps;
    registers_ += d.registers;
    shared_bytes_ += d.shared_bytes;
  }

 private:
  unsigned tb_slots_;
  unsigned threads_;
  unsigned warps_;
  unsigned registers_;
  unsigned shared_bytes_;
};

}  // namespace heddle
