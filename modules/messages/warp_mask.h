#pragma once

#include <cstdint>

namespace heddle {

/// One bit per warp slot of an SM; bit w is slot w.
using WarpMask = std::uint64_t;
constexpr unsigned kMaxWarps = 64;
constexpr unsigned kNoWarp = ~0U;

constexpr WarpMask warp_bit(unsigned warp) { return WarpMask{1} << warp; }
/// The same, and no bit for kNoWarp.
constexpr WarpMask warp_bit_if_any(unsigned warp) { return warp == kNoWarp ? 0 : warp_bit(warp); }
/// Lowest slot of a non-empty mask.
inline unsigned lowest_warp(WarpMask mask) { return static_cast<unsigned>(__builtin_ctzll(mask)); }
/// First slot of a non-empty mask at or after `start` (< kMaxWarps), wrapping around.
inline unsigned first_warp_from(WarpMask mask, unsigned start) {
  const WarpMask upper = mask >> start << start;
  return lowest_warp(upper != 0 ? upper : mask);
}

}  // namespace heddle
