#pragma once

#include <algorithm>

namespace heddle::hw {

/// Depth of logic in FO4, in netlists of two kinds. Both have trees of buffers where a line drives many
/// gates. docs/hardware-parts.md, "Two depths", says where each is used.
struct Depth {
  double unsized =
      0;             ///< cells of one size, as the prototypes of hardware-cost.md: what cycles are taken from
  double sized = 0;  ///< cells as large as what they drive asks for: what rtl/synthesis makes
};

constexpr Depth operator+(const Depth& a, const Depth& b) {
  return {a.unsized + b.unsized, a.sized + b.sized};
}
constexpr Depth operator-(const Depth& a, const Depth& b) {
  return {a.unsized - b.unsized, a.sized - b.sized};
}
constexpr Depth operator*(double times, const Depth& depth) {
  return {times * depth.unsized, times * depth.sized};
}
constexpr Depth operator/(const Depth& depth, double by) { return {depth.unsized / by, depth.sized / by}; }

/// Where cells drive little, so that their size matters little.
constexpr Depth either_depth(double fo4) { return {fo4, fo4}; }

/// Gates that the price of what stands beside them has in unsized netlists already.
constexpr Depth sized_only(const Depth& depth) { return {0, depth.sized}; }

/// Of two signals that meet, the later one's.
constexpr Depth later(const Depth& a, const Depth& b) {
  return {std::max(a.unsized, b.unsized), std::max(a.sized, b.sized)};
}

}  // namespace heddle::hw
