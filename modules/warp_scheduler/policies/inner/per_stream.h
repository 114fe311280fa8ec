#pragma once

#include <array>
#include <memory>
#include <vector>

#include "hw/storage/bit_vector.h"
#include "modules/warp_scheduler/policies/inner/inner_schedulers.h"

namespace heddle {

/// Whose the TBs in an SM's slots are, of so many sides.
class SidesOfSlots {
 public:
  explicit SidesOfSlots(std::size_t sides);

  void set(unsigned slot, unsigned side) { side_of_[slot] = side; }
  unsigned side_of(unsigned slot) const { return side_of_[slot]; }
  const ServedTbs* share(std::size_t side) const { return shares_[side].get(); }

 private:
  std::array<unsigned, kMaxWarps> side_of_{};
  std::vector<std::unique_ptr<ServedTbs>> shares_;
};

/// What the schedulers of an SM share when kernels of different streams are scheduled differently (iPAWS 4.3,
/// the static combinations of table 4): for each stream a whole scheduler that knows the warps of its kernels
/// alone: what it limits are those warps. The SM's events are told to all of them, so that what a policy
/// measures of caches and memory, or orders without limiting it, goes by the whole SM.
class PerStream final : private SidesOfSlots, public InnerSchedulers {
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

  std::vector<WarpMask> warps_of_;
  std::vector<std::unique_ptr<hw::BitVector>> side_bits_;  ///< all but the first, whose warps are the others
};

}  // namespace heddle
