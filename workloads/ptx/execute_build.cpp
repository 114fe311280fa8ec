#include "workloads/ptx/lanes/lane_build.h"

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

const LaneBuild* avx2_lane_build() {
#ifdef HEDDLE_LANES_AVX2
  static const bool supported = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                                __builtin_cpu_supports("f16c") != 0;
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
