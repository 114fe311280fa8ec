#pragma once

#include <cmath>

#include "workloads/ptx/lanes/rows.h"

namespace heddle::ptx::HEDDLE_LANES {

struct FloatAdd {
  template <class V>
  V operator()(V a, V b) const {
    return a + b;
  }
};
struct FloatSubtract {
  template <class V>
  V operator()(V a, V b) const {
    return a - b;
  }
};
struct FloatMultiply {
  template <class V>
  V operator()(V a, V b) const {
    return a * b;
  }
};
struct FloatDivide {
  template <class V>
  V operator()(V a, V b) const {
    return a / b;
  }
};
struct Fused {
  float operator()(float a, float b, float c) const { return std::fma(a, b, c); }
  double operator()(double a, double b, double c) const { return std::fma(a, b, c); }
};
struct Reciprocal {
  template <class V>
  V operator()(V a) const {
    return V{1} / a;
  }
};
struct SquareRoot {
  float operator()(float a) const { return std::sqrt(a); }
  double operator()(double a) const { return std::sqrt(a); }
};

}  // namespace heddle::ptx::HEDDLE_LANES
