#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "workloads/ptx/lanes/bound_operation.h"

// The handlers are compiled once for each instruction set, each time into a namespace of its own, so that
// the linker cannot merge a function compiled for AVX2 into the build for plain x86-64.
#ifndef HEDDLE_LANES
#error "HEDDLE_LANES names the namespace of this build of the lane handlers"
#endif

// Lanes of one operation never depend on another lane: a destination row may be a source row, same lane.
#if defined(__clang__)
#define HEDDLE_INDEPENDENT_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define HEDDLE_INDEPENDENT_LANES _Pragma("GCC ivdep")
#endif

namespace heddle::ptx::HEDDLE_LANES {

// Rows are read as 32-bit and as 64-bit lanes: these sources are compiled with -fno-strict-aliasing.
using Row32 = std::uint32_t;
using Row64 = std::uint64_t;

template <class To, class From>
inline To bit_copy(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof(to));
  return to;
}

/// An integer type: how its values lie in a row.
template <Type kPtxType, class V, class R>
struct IntegerLane {
  static constexpr Type kType = kPtxType;
  using Value = V;
  using Row = R;
  using Unsigned = std::make_unsigned_t<V>;
  static Value get(Row row) { return static_cast<Value>(row); }
  static Row put(Value value) { return static_cast<Row>(static_cast<Unsigned>(value)); }
};
using U8 = IntegerLane<Type::kU8, std::uint8_t, Row32>;
using U16 = IntegerLane<Type::kU16, std::uint16_t, Row32>;
using U32 = IntegerLane<Type::kU32, std::uint32_t, Row32>;
using U64 = IntegerLane<Type::kU64, std::uint64_t, Row64>;
using S8 = IntegerLane<Type::kS8, std::int8_t, Row32>;
using S16 = IntegerLane<Type::kS16, std::int16_t, Row32>;
using S32 = IntegerLane<Type::kS32, std::int32_t, Row32>;
using S64 = IntegerLane<Type::kS64, std::int64_t, Row64>;

/// Subnormal numbers become zeros of the same sign.
inline float flush(float value) {
  const auto bits = bit_copy<std::uint32_t>(value);
  return bit_copy<float>((bits & 0x7F800000U) == 0 ? bits & 0x80000000U : bits);
}

/// Clamps to [0, 1]; NaN and -0 become +0.
template <class V>
inline V saturate(V value) {
  return value > V{0} ? (value < V{1} ? value : V{1}) : V{0};
}

/// f32 with .ftz and .sat as part of the type. A NaN result is the canonical 0x7FFFFFFF.
template <bool kFlush, bool kSaturate>
struct Float32Lane {
  static constexpr Type kType = Type::kF32;
  using Value = float;
  using Row = Row32;
  static Value get(Row row) {
    const auto value = bit_copy<float>(static_cast<std::uint32_t>(row));
    return kFlush ? flush(value) : value;
  }
  static Row put(Value value) {
    const Value flushed = kFlush ? flush(value) : value;
    const Value result = kSaturate ? saturate(flushed) : flushed;
    return result != result ? 0x7FFFFFFFU : bit_copy<std::uint32_t>(result);
  }
};
using F32 = Float32Lane<false, false>;
using F32Ftz = Float32Lane<true, false>;

/// f64. A NaN result is 0xFFF8000000000000, the quiet NaN that CUDA's headers name.
template <bool kSaturate>
struct Float64Lane {
  static constexpr Type kType = Type::kF64;
  using Value = double;
  using Row = Row64;
  static Value get(Row row) { return bit_copy<double>(static_cast<std::uint64_t>(row)); }
  static Row put(Value value) {
    const Value result = kSaturate ? saturate(value) : value;
    return result != result ? 0xFFF8000000000000U : bit_copy<std::uint64_t>(result);
  }
};
using F64 = Float64Lane<false>;

/// f64 with all 64 result bits given by the operation itself.
struct Bits64 {
  using Value = std::uint64_t;
  using Row = Row64;
  static Value get(Row row) { return row; }
  static Row put(Value value) { return value; }
};

template <class R>
struct LaneBits;
template <>
struct LaneBits<Row32> {
  static constexpr std::uint32_t kBit[kWarpSize] = {
      1U << 0U,  1U << 1U,  1U << 2U,  1U << 3U,  1U << 4U,  1U << 5U,  1U << 6U,  1U << 7U,
      1U << 8U,  1U << 9U,  1U << 10U, 1U << 11U, 1U << 12U, 1U << 13U, 1U << 14U, 1U << 15U,
      1U << 16U, 1U << 17U, 1U << 18U, 1U << 19U, 1U << 20U, 1U << 21U, 1U << 22U, 1U << 23U,
      1U << 24U, 1U << 25U, 1U << 26U, 1U << 27U, 1U << 28U, 1U << 29U, 1U << 30U, 1U << 31U};
};
template <>
struct LaneBits<Row64> {
  static constexpr std::uint64_t kBit[kWarpSize] = {
      1U << 0U,  1U << 1U,  1U << 2U,  1U << 3U,  1U << 4U,  1U << 5U,  1U << 6U,  1U << 7U,
      1U << 8U,  1U << 9U,  1U << 10U, 1U << 11U, 1U << 12U, 1U << 13U, 1U << 14U, 1U << 15U,
      1U << 16U, 1U << 17U, 1U << 18U, 1U << 19U, 1U << 20U, 1U << 21U, 1U << 22U, 1U << 23U,
      1U << 24U, 1U << 25U, 1U << 26U, 1U << 27U, 1U << 28U, 1U << 29U, 1U << 30U, 1U << 31U};
};

template <class R>
inline R* row(LaneContext& context, RowRef ref) {
  return static_cast<R*>(__builtin_assume_aligned(context.bases[ref.base] + ref.offset, 64));
}

/// Writes `value[i]` to the active lanes.
template <class R>
inline void blend(LaneMask active, R* destination, const R* value) {
  if (active == kAllLanes) {
    __builtin_memcpy(destination, value, sizeof(R) * kWarpSize);
    return;
  }
  HEDDLE_INDEPENDENT_LANES
  for (unsigned i = 0; i < kWarpSize; ++i) {
    destination[i] = (active & LaneBits<R>::kBit[i]) != 0 ? value[i] : destination[i];
  }
}

/// destination[i] = f(sources[i]...) in the active lanes; the others are computed and dropped. The
/// destination may be a source's row, and never partly overlaps one.
template <class D, class... S, class F>
inline void map_lanes(LaneMask active, typename D::Row* destination, F f, const typename S::Row*... source) {
  if (active == kAllLanes) {
    HEDDLE_INDEPENDENT_LANES
    for (unsigned i = 0; i < kWarpSize; ++i) destination[i] = D::put(f(S::get(source[i])...));
  } else {
    HEDDLE_INDEPENDENT_LANES
    for (unsigned i = 0; i < kWarpSize; ++i) {
      const typename D::Row value = D::put(f(S::get(source[i])...));
      destination[i] = (active & LaneBits<typename D::Row>::kBit[i]) != 0 ? value : destination[i];
    }
  }
}

template <class F, class D, class... S, std::size_t... I>
inline void run_map(LaneContext& context, const BoundOperation& bound, std::index_sequence<I...> /*unused*/) {
  map_lanes<D, S...>(context.active, row<typename D::Row>(context, bound.dst[0]), F{},
                     row<typename S::Row>(context, bound.src[I])...);
}

/// The handler that computes F from sources of types S into a destination of type D.
template <class F, class D, class... S>
void handle(LaneContext& context, const BoundOperation& bound) {
  run_map<F, D, S...>(context, bound, std::index_sequence_for<S...>{});
}

/// The handler of F for the type among T that `type` names, or nullptr: T x n -> T.
template <class F, class... T>
inline Handler unary(Type type) {
  Handler found = nullptr;
  ((type == T::kType ? static_cast<void>(found = &handle<F, T, T>) : static_cast<void>(0)), ...);
  return found;
}
template <class F, class... T>
inline Handler binary(Type type) {
  Handler found = nullptr;
  ((type == T::kType ? static_cast<void>(found = &handle<F, T, T, T>) : static_cast<void>(0)), ...);
  return found;
}
template <class F, class... T>
inline Handler ternary(Type type) {
  Handler found = nullptr;
  ((type == T::kType ? static_cast<void>(found = &handle<F, T, T, T, T>) : static_cast<void>(0)), ...);
  return found;
}

/// The lanes in which a predicate operand is true.
inline LaneMask predicate_of(const LaneContext& context, const Operand& operand) {
  const LaneMask value = operand.kind == Operand::Kind::kPredicate ? context.predicates[operand.slot]
                         : operand.value != 0                      ? kAllLanes
                                                                   : 0;
  return operand.inverted ? ~value : value;
}

inline void write_predicate(LaneContext& context, const Operand& operand, LaneMask value) {
  LaneMask& predicate = context.predicates[operand.slot];
  predicate = (predicate & ~context.active) | (value & context.active);
}

}  // namespace heddle::ptx::HEDDLE_LANES
