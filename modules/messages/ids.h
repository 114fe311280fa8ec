#pragma once

#include <cstdint>

#include "base/id.h"

namespace heddle {

// What stands side by side in signatures and messages, as types that can't be swapped.

/// A streaming multiprocessor of the GPU.
using SmId = Id<struct SmTag, std::uint16_t>;
/// A place of an SM that holds a resident thread block.
using TbSlot = Id<struct TbSlotTag, std::uint16_t>;
/// A place of an SM that holds a resident warp: bit of a WarpMask.
using WarpSlot = Id<struct WarpSlotTag, std::uint16_t>;
/// A warp by its number in its thread block, in the order of linear thread ids.
using WarpInTb = Id<struct WarpInTbTag, std::uint16_t>;
/// A place of a cache that holds a line: set x ways + way.
using LineIndex = Id<struct LineIndexTag>;

}  // namespace heddle
