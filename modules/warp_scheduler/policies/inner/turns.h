#pragma once

#include "hw/storage/register.h"
#include "modules/warp_scheduler/warp_table.h"

namespace heddle {

/// Several groups of warps want the issue slot of a warp scheduler: that which issued last comes last, the
/// others in order after it. The number of that group is a register.
class Turns {
 public:
  Turns(const hw::Owner& owner, std::string_view name, unsigned groups)
      : groups_(groups), last_(owner, name, shape(groups)) {}

  /// The first warp that `choose(group)` gives, asked in turn; kNoWarp when all give none.
  template <class Choose>
  unsigned take(Choose choose) const {
    for (unsigned step = 1; step <= groups_; ++step) {
      const unsigned warp = choose((static_cast<unsigned>(last_.value()) + step) % groups_);
      if (warp != kNoWarp) return warp;
    }
    return kNoWarp;
  }
  void issued(std::uint64_t cycle, unsigned group) {
    if (last_.value() != group) last_.write(cycle, group);
  }
  void trace(WaveSink& sink) const { last_.trace(sink); }

 private:
  static hw::RegisterShape shape(unsigned groups) {
    hw::RegisterShape shape;
    shape.bits = hw::index_bits(groups);
    shape.reset = groups - 1;
    return shape;
  }

  unsigned groups_;
  hw::Register last_;
};

}  // namespace heddle
