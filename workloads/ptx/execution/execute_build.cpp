#include "workloads/ptx/lanes/lane_build.h"

#ifdef HEDDLE_LANES_AVX2
#include <cpuid.h>
#endif

namespace heddle::ptx {

namespace lanes_baseline {
extern const LaneBuild kBuild;
}
#ifdef HEDDLE_LANES_AVX2
namespace lanes_avx2 {
extern const LaneBuild kBuild;
}
#endif

const LaneBuild& baseline_lane_build() { return lanes_baseline::kBuild; }

#ifdef HEDDLE_LANES_AVX2
namespace {

/// Asked of the processor itself: not every compiler's __builtin_cpu_supports() knows this one.
bool has_f16c() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

}  // namespace
#endif

const LaneBuild* avx2_lane_build() {
#ifdef HEDDLE_LANES_AVX2
  static const bool supported =
      __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 && has_f16c();
  return supported ? &lanes_avx2::kBuild : nullptr;
#else
  return nullptr;
#endif
}

const LaneBuild& lane_build() {
  const LaneBuild* const avx2 = avx2_lane_build();
  return avx2 != nullptr ? *avx2 : baseline_lane_build();
}

}  // namespace heddle::ptx
