#include "modules/warp_scheduler/policies/basic/own_warps.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(OwnWarps, NumbersAndSlotsAreEachOthersInverse) {
  for (unsigned stride = 1; stride <= kMaxWarps; ++stride) {
    for (unsigned first = 0; first < stride; ++first) {
      const unsigned count = (kMaxWarps - first + stride - 1) / stride;
      const OwnWarps own(first, stride, count);
      for (unsigned number = 0; number < count; ++number) {
        ASSERT_EQ(own.warp(number), first + number * stride);
        ASSERT_EQ(own.number(own.warp(number)), number) << "stride " << stride << ", first " << first;
      }
    }
  }
}

TEST(OwnWarps, TheMaskHasThemAndNoOthers) {
  EXPECT_EQ(OwnWarps(1, 2, 3).mask(), 0b101010U);
  EXPECT_EQ(OwnWarps(0, 1, 4).mask(), 0b1111U);
}

}  // namespace
}  // namespace heddle
