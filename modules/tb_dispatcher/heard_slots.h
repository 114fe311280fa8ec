#pragma once

#include <cstdint>

#include "modules/messages/ids.h"

namespace heddle {

/// TB slots of one SM, up to 64, as the dispatcher and those that listen to it know them. An SM frees the
/// slot of a TB that ends at t at once, and may put the TB that it is given at t there; of the end the
/// dispatcher hears at t + 1. What is kept by slot is the older TB's until then, so that the younger one has
/// another.
class HeardSlots {
 public:
  /// A TB starts that the SM has in `of_sm`: that slot, or the lowest free one while it is held. Of no more
  /// TBs at once than the SM has slots.
  TbSlot start(TbSlot of_sm) {
    const bool held = (held_ >> of_sm.value() & 1U) != 0;
    const auto slot = held ? static_cast<unsigned>(__builtin_ctzll(~held_)) : of_sm.value();
    held_ |= std::uint64_t{1} << slot;
    return TbSlot(slot);
  }
  /// The end of the TB in `slot` was heard.
  void end(TbSlot slot) { held_ &= ~(std::uint64_t{1} << slot.value()); }

 private:
  std::uint64_t held_ = 0;  ///< a bit per slot
};

}  // namespace heddle
