#pragma once

#include <cstdint>
#include <vector>

#include "modules/tb_dispatcher/dispatch_policy.h"
#include "modules/tb_dispatcher/policies/srtf/slicing_parts.h"

namespace heddle {

/// What the Simple Slicing predictor keeps in one SM (SRTF 4.1, table 1 and algorithm 1), per kernel slot, in
/// ideal timing: a prediction is there at once (SlicingMachine: in hardware timing).
/// The paper has Block_Start[] per kernel; a TB slot holds a TB of one kernel at a time, so that one array
/// serves all. Total_Blocks_Done, "number of blocks completed so far" beside those "completed on SM", is
/// taken to be of all SMs, as the dispatcher counts them for the kernel's end; neither the algorithm nor the
/// equation reads it. The second term of equation 2 is worked out once per prediction, by a sequential
/// multiplier and divider, and kept: SRTF compares these terms.
class SlicingTable {
 public:
  /// `slices`: false for the slice-unaware mode (SRTF 4.2), in which a kernel is predicted once, when its
  /// first TB on the SM has ended.
  SlicingTable(const hw::Owner& owner, unsigned kernels, unsigned tb_slots, bool slices = true);

  /// OnLaunch. `residency`: TBs of the kernel that an SM holds when it is alone.
  void launch(std::uint64_t cycle, unsigned kernel, unsigned residency, std::uint64_t blocks_per_sm);
  /// OnKernelEnd, for every running kernel: the next TB that ends is measured.
  void reslice() {
    if (slices_) parts_.reslice.set_bits(~std::uint64_t{0});
  }
  void block_start(std::uint64_t cycle, unsigned kernel, TbSlot tb_slot);
  /// OnBlockEnd and the prediction that follows it. False: none does.
  bool block_end(std::uint64_t cycle, unsigned kernel, TbSlot tb_slot);
  /// So many TBs of the kernel have ended on all SMs.
  void blocks_ended(std::uint64_t cycle, unsigned kernel, std::uint64_t blocks) {
    parts_.total_blocks_done->write(cycle, kernel, blocks);
  }
  /// Takes the TB duration sampled on another SM as its first (SRTF 5.1.1).
  void adopt(std::uint64_t cycle, unsigned kernel, std::uint64_t tb_cycles);

  bool known(unsigned kernel) const { return parts_.t.value(kernel) != 0; }
  std::uint64_t tb_cycles(unsigned kernel) const { return parts_.t.value(kernel); }
  std::uint64_t blocks_left(unsigned kernel) const;
  /// The second term of equation 2, as of the last prediction; 2^32 - 1 at most.
  std::uint64_t remaining_cycles(unsigned kernel) const { return parts_.remaining.value(kernel); }
  /// Kernel `a` has less left than `b`, as of their last predictions.
  bool ends_before(std::uint64_t cycle, unsigned a, unsigned b) {
    const std::uint64_t both = std::uint64_t{1} << a | std::uint64_t{1} << b;
    return parts_.first.least(cycle, both, parts_.remaining.values()) == a &&
           parts_.remaining.value(a) != parts_.remaining.value(b);
  }
  /// Pred_Cycles as of the last prediction.
  std::uint64_t predicted_cycles(unsigned kernel) const { return parts_.predicted.value(kernel); }
  std::uint64_t total_blocks_done(unsigned kernel) const { return parts_.total_blocks_done->value(kernel); }
  /// Pred_Cycles and Total_Blocks_Done of every kernel slot.
  void trace(WaveSink& sink) const;

 private:
  void count_active(std::uint64_t cycle, unsigned kernel);
  void predict(std::uint64_t cycle, unsigned kernel);

  SlicingParts parts_;
  bool slices_;
  std::vector<unsigned> running_;             ///< TBs of the kernel that the SM holds
  std::vector<std::uint64_t> counted_until_;  ///< Active_Kernel_Cycles is counted up when it is read
};

}  // namespace heddle
