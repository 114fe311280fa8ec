#pragma once

#include <array>
#include <memory>
#include <vector>

#include "hw/storage/bit_vector.h"
#include "modules/warp_scheduler/policies/inner/inner_schedulers.h"

namespace heddle {

/// What the schedulers of an SM share when kernels of different streams are scheduled differently (iPAWS 4.3,
/// the static combinations of table 4): for each stream a whole scheduler that knows the warps of its kernels
/// alone. The SM's events are told to all of them.
class PerStream final : public InnerSchedulers {
 public:
  PerStream(const SmContext& context, const PolicyChannel& channel);

  void on_tb_start(const TbEvent& event) override;
  void on_warp_start(const WarpEvent& event) override;

  /// Warp slots of the side's kernels.
  WarpMask warps_of(unsigned side) const { return warps_of_[side]; }

 private:
  bool rules_misses(unsigned side, unsigned warp) const override {
    return (warps_of_[side] >> warp & 1U) != 0;
  }

  std::array<unsigned, kMaxWarps> side_of_slot_{};  ///< by TB slot
  std::vector<WarpMask> warps_of_;
  std::vector<std::unique_ptr<hw::BitVector>> side_bits_;  ///< all but the first, whose warps are the others
};

}  // namespace heddle
