#pragma once

#include <cstdint>

#include "workloads/ptx/lanes/rows.h"

namespace heddle::ptx::HEDDLE_LANES {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

template <class V>
struct DoubledOf;
template <>
struct DoubledOf<std::uint16_t> {
  using Result = std::uint32_t;
};
template <>
struct DoubledOf<std::int16_t> {
  using Result = std::int32_t;
};
template <>
struct DoubledOf<std::uint32_t> {
  using Result = std::uint64_t;
};
template <>
struct DoubledOf<std::int32_t> {
  using Result = std::int64_t;
};
template <>
struct DoubledOf<std::uint64_t> {
  using Result = Uint128;
};
template <>
struct DoubledOf<std::int64_t> {
  using Result = Int128;
};
/// The integer type of the same sign and twice the width.
template <class V>
using Doubled = typename DoubledOf<V>::Result;

/// The upper half of a * b.
template <class V>
inline V high_part(V a, V b) {
  using W = Doubled<V>;
  return static_cast<V>(static_cast<W>(static_cast<W>(a) * static_cast<W>(b)) >> (8 * sizeof(V)));
}

}  // namespace heddle::ptx::HEDDLE_LANES
