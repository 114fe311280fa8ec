#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "modules/config/gpu_config.h"
#include "workloads/launch/kernel_launch.h"

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

  unsigned registers_per_warp() const { return registers_per_thread * kWarpSize; }

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
  /// Most TBs that an SM may hold at once by its resources: tbs_per_sm, with warp-level management what TB
  /// slots and shared memory allow.
  unsigned resource_limit = 0;
  /// The same; ceil(TBs / SMs) when that is less.
  unsigned resident_limit = 0;
  /// Resident over possible warps, by resources.
  double warp_occupancy = 0;

  /// Throws OccupancyError. `limiter` is the first in the enum's order that gives the least; kGrid when
  /// resident_limit is less than tbs_per_sm.
  static Occupancy of(const KernelLaunch& launch, const CoreConfig& core);

  /// Sets resident_limit for a grid of `tbs`, 1 or more, that has `sms` SMs, 1 or more, to itself.
  void spread(std::uint64_t tbs, unsigned sms);
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
  /// A TB slot and shared memory for the TB are there: what it needs as a whole, however few of its warps
  /// start.
  bool fits_tb(const TbDemand& d) const { return tb_slots_ != 0 && shared_bytes_ >= d.shared_bytes; }
  /// Warps of such a TB for which there are a warp slot and registers.
  unsigned warps_that_fit(const TbDemand& d) const {
    unsigned count = std::min(warps_, threads_ / kWarpSize);
    if (d.registers != 0) count = std::min(count, registers_ / d.registers_per_warp());
    return count;
  }
  void take_tb(const TbDemand& d) {
    --tb_slots_;
    shared_bytes_ -= d.shared_bytes;
  }
  void give_back_tb(const TbDemand& d) {
    ++tb_slots_;
    shared_bytes_ += d.shared_bytes;
  }
  void take_warps(const TbDemand& d, unsigned count) {
    threads_ -= count * kWarpSize;
    warps_ -= count;
    registers_ -= count * d.registers_per_warp();
  }
  void give_back_warps(const TbDemand& d, unsigned count) {
    threads_ += count * kWarpSize;
    warps_ += count;
    registers_ += count * d.registers_per_warp();
  }
  unsigned tb_slots() const { return tb_slots_; }
  unsigned warps() const { return warps_; }
  unsigned registers() const { return registers_; }
  unsigned shared_bytes() const { return shared_bytes_; }

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
