#pragma once

#include <cfenv>

#include "workloads/ptx/lanes/rows.h"

namespace heddle::ptx::HEDDLE_LANES {

/// Sets the host's rounding mode for its lifetime. The compiler does not know of rounding modes: operands
/// and results of the arithmetic in between have to pass through volatile objects, which it may not move
/// across the calls that change the mode.
class RoundingMode {
 public:
  explicit RoundingMode(Rounding rounding) { std::fesetround(host_mode(rounding)); }
  ~RoundingMode() { std::fesetround(FE_TONEAREST); }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;

 private:
  static int host_mode(Rounding rounding) {
    switch (rounding) {
      case Rounding::kRz:
        return FE_TOWARDZERO;
      case Rounding::kRm:
        return FE_DOWNWARD;
      case Rounding::kRp:
        return FE_UPWARD;
      default:
        return FE_TONEAREST;
    }
  }
};

/// A value that the compiler computes here and not earlier or later.
template <class V>
inline V fixed(V value) {
  volatile V held = value;
  return held;
}

/// Like handle(), in the rounding mode of the operation.
template <class F, class D, class... S, std::size_t... I>
inline void run_rounded(LaneContext& context, const BoundOperation& bound,
                        std::index_sequence<I...> /*unused*/) {
  typename D::Value computed[kWarpSize];
  {
    const RoundingMode mode(bound.operation->rounding);
    for (unsigned i = 0; i < kWarpSize; ++i) {
      computed[i] = fixed(F{}(fixed(S::get(row<typename S::Row>(context, bound.src[I])[i]))...));
    }
  }
  typename D::Row value[kWarpSize];
  for (unsigned i = 0; i < kWarpSize; ++i) value[i] = D::put(computed[i]);
  blend(context.active, row<typename D::Row>(context, bound.dst[0]), value);
}
template <class F, class D, class... S>
void handle_rounded(LaneContext& context, const BoundOperation& bound) {
  run_rounded<F, D, S...>(context, bound, std::index_sequence_for<S...>{});
}

}  // namespace heddle::ptx::HEDDLE_LANES
