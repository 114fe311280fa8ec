#include <cmath>
#include <limits>

#include "sc_tests/workloads/ptx/execution/exec_support.h"

namespace heddle::ptx::testing {
namespace {

using In = std::vector<std::uint64_t>;

Operation cvt(Type to, Type from, Rounding rounding = Rounding::kNone) {
  Operation operation = make(Opcode::kCvt, to, 1);
  operation.source_type = from;
  operation.rounding = rounding;
  return operation;
}
void expect(const Operation& operation, std::uint64_t source, std::uint64_t result) {
  expect_lanes(operation, {{source}}, [result](const In&) { return result; });
}

TEST(ExecConvert, IntegersExtendByTheSourceAndTruncateToTheDestination) {
  expect(cvt(Type::kS32, Type::kS8), 0x80, 0xFFFFFF80);
  expect(cvt(Type::kU32, Type::kU8), 0x180, 0x80);
  expect(cvt(Type::kS64, Type::kS32), 0x80000000, 0xFFFFFFFF80000000);
  expect(cvt(Type::kU64, Type::kU32), 0x80000000, 0x80000000);
  expect(cvt(Type::kU16, Type::kU32), 0x12345678, 0x5678);
  expect(cvt(Type::kU32, Type::kU64), 0x123456789ABCDEF0, 0x9ABCDEF0);
  expect(cvt(Type::kS32, Type::kS16), 0x8000, 0xFFFF8000);
}

TEST(ExecConvert, SaturatedIntegersStopAtTheLimits) {
  Operation operation = cvt(Type::kU8, Type::kS32);
  operation.sat = true;
  expect(operation, 0xFFFFFFFF, 0);
  expect(operation, 300, 255);
  expect(operation, 200, 200);
  operation = cvt(Type::kS16, Type::kU64);
  operation.sat = true;
  expect(operation, 0xFFFFFFFFFFFFFFFF, 0x7FFF);
  operation = cvt(Type::kS8, Type::kS64);
  operation.sat = true;
  expect(operation, 0x8000000000000000, 0x80);
}

TEST(ExecConvert, FloatsRoundClampAndNanIsZero) {
  const auto to_s32 = [](Rounding rounding, float value) {
    const double rounded = rounding == Rounding::kRni   ? std::nearbyint(value)
                           : rounding == Rounding::kRzi ? std::trunc(value)
                           : rounding == Rounding::kRmi ? std::floor(value)
                                                        : std::ceil(value);
    if (std::isnan(value)) return 0U;
    return static_cast<std::uint32_t>(
        static_cast<std::int32_t>(std::fmax(-2147483648.0, std::fmin(2147483647.0, rounded))));
  };
  const In floats{bits(0.5F),  bits(1.5F),          bits(2.5F),          bits(-0.5F), bits(-1.5F),
                  bits(-2.5F), bits(2.1F),          bits(-2.1F),         bits(3e9F),  bits(-3e9F),
                  0x7F800000,  0xFF800000,          0x7FC00000,          0xFFC00001,  1,
                  0x80000001,  bits(2147483520.0F), bits(-2147483648.0F)};
  for (const Rounding rounding : {Rounding::kRni, Rounding::kRzi, Rounding::kRmi, Rounding::kRpi}) {
    expect_lanes(cvt(Type::kS32, Type::kF32, rounding), {floats},
                 [&](const In& in) { return to_s32(rounding, as_float(in[0])); });
  }
  expect(cvt(Type::kU32, Type::kF32, Rounding::kRzi), bits(-1.0F), 0);
  expect(cvt(Type::kU32, Type::kF32, Rounding::kRzi), bits(4294967040.0F), 4294967040U);
  expect(cvt(Type::kU32, Type::kF32, Rounding::kRzi), bits(5e9F), 0xFFFFFFFF);
  expect(cvt(Type::kU8, Type::kF32, Rounding::kRni), bits(300.0F), 255);
  expect(cvt(Type::kS64, Type::kF64, Rounding::kRzi), bits(1e30), 0x7FFFFFFFFFFFFFFF);
  expect(cvt(Type::kS64, Type::kF64, Rounding::kRzi), bits(-1e30), 0x8000000000000000);
  expect(cvt(Type::kU64, Type::kF64, Rounding::kRzi), bits(1.5e19), 15000000000000000000U);
  expect(cvt(Type::kU64, Type::kF64, Rounding::kRzi), bits(-5.0), 0);
  Operation flush = cvt(Type::kS32, Type::kF32, Rounding::kRpi);
  flush.ftz = true;
  expect(flush, 1, 0);
}

TEST(ExecConvert, NanOfDoublesAndInto64BitsIsTheHighestBit) {
  const std::uint64_t nan = 0x7FF8000000000000;
  expect(cvt(Type::kS32, Type::kF64, Rounding::kRzi), nan, 0x80000000);
  expect(cvt(Type::kU32, Type::kF64, Rounding::kRni), nan, 0x80000000);
  expect(cvt(Type::kS16, Type::kF64, Rounding::kRzi), nan, 0x8000);
  expect(cvt(Type::kS64, Type::kF64, Rounding::kRmi), nan, 0x8000000000000000);
  expect(cvt(Type::kU64, Type::kF64, Rounding::kRpi), nan, 0x8000000000000000);
  expect(cvt(Type::kS64, Type::kF32, Rounding::kRni), 0x7FC00000, 0x8000000000000000);
  expect(cvt(Type::kU64, Type::kF32, Rounding::kRzi), 0xFFC00000, 0x8000000000000000);
  expect(cvt(Type::kU32, Type::kF32, Rounding::kRzi), 0x7FC00000, 0);
  expect(cvt(Type::kS32, Type::kF16, Rounding::kRzi), 0x7E00, 0);
}

TEST(ExecConvert, IntegersToFloatsInEveryRounding) {
  const std::uint64_t odd = 0x01000001;  // 2^24 + 1: halfway
  expect(cvt(Type::kF32, Type::kS32, Rounding::kRn), odd, bits(16777216.0F));
  expect(cvt(Type::kF32, Type::kS32, Rounding::kRp), odd, bits(16777218.0F));
  expect(cvt(Type::kF32, Type::kS32, Rounding::kRm), odd, bits(16777216.0F));
  expect(cvt(Type::kF32, Type::kS32, Rounding::kRz), 0xFEFFFFFF, bits(-16777216.0F));
  expect(cvt(Type::kF32, Type::kS32, Rounding::kRm), 0xFEFFFFFF, bits(-16777218.0F));
  expect(cvt(Type::kF32, Type::kU32, Rounding::kRn), 0xFFFFFFFF, bits(4294967296.0F));
  expect(cvt(Type::kF32, Type::kU64, Rounding::kRz), 0xFFFFFFFFFFFFFFFF, 0x5F7FFFFF);
  expect(cvt(Type::kF64, Type::kS32, Rounding::kRn), 0x80000000, bits(-2147483648.0));
  expect(cvt(Type::kF32, Type::kU16, Rounding::kRn), 0xFFFF, bits(65535.0F));
  expect(cvt(Type::kF64, Type::kU64, Rounding::kRn), 0xFFFFFFFFFFFFFFFF, bits(18446744073709551616.0));
}

TEST(ExecConvert, BetweenFloats) {
  expect(cvt(Type::kF64, Type::kF32), 1, bits(0x1p-149));
  expect(cvt(Type::kF64, Type::kF32), 0x7FC00123, 0xFFF8000000000000);
  expect(cvt(Type::kF32, Type::kF64, Rounding::kRn), bits(1.0 + 0x1p-24), bits(1.0F));
  expect(cvt(Type::kF32, Type::kF64, Rounding::kRp), bits(1.0 + 0x1p-24), 0x3F800001);
  expect(cvt(Type::kF32, Type::kF64, Rounding::kRn), bits(1e300), 0x7F800000);
  expect(cvt(Type::kF32, Type::kF64, Rounding::kRz), bits(1e300), 0x7F7FFFFF);
  expect(cvt(Type::kF32, Type::kF32, Rounding::kRni), bits(2.5F), bits(2.0F));
  expect(cvt(Type::kF32, Type::kF32, Rounding::kRzi), bits(-0.5F), 0x80000000);
  expect(cvt(Type::kF32, Type::kF32, Rounding::kRmi), bits(-0.5F), bits(-1.0F));
  expect(cvt(Type::kF64, Type::kF64, Rounding::kRpi), bits(0.25), bits(1.0));
  Operation sat = cvt(Type::kF32, Type::kF32);
  sat.sat = true;
  expect(sat, bits(1.5F), bits(1.0F));
  expect(sat, bits(-1.5F), 0);
  expect(sat, 0x7FC00000, 0);
}

TEST(ExecConvert, HalfPrecision) {
  expect(cvt(Type::kF32, Type::kF16), 0x3C00, bits(1.0F));
  expect(cvt(Type::kF32, Type::kF16), 0x8001, bits(-0x1p-24F));
  expect(cvt(Type::kF32, Type::kF16), 0x7C00, 0x7F800000);
  expect(cvt(Type::kF32, Type::kF16), 0x7E01, 0x7FFFFFFF);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRn), bits(65504.0F), 0x7BFF);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRn), bits(65519.0F), 0x7BFF);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRn), bits(65520.0F), 0x7C00);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRn), bits(0x1p-24F), 1);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRn), bits(0x1p-25F), 0);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRn), bits(0x1.8p-24F), 2);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRn), bits(1.0F + 0x1p-11F), 0x3C00);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRn), bits(1.0F + 0x1.8p-10F), 0x3C02);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRn), 0xFFC00000, 0x7FFF);
}

TEST(ExecConvert, HalfPrecisionInEveryRoundingAndFromEveryType) {
  const std::uint64_t third = bits(1.0F / 3);  // between 0x3555 and 0x3556
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRz), third, 0x3555);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRp), third, 0x3556);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRm), third | 0x80000000, 0xB556);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRz), third | 0x80000000, 0xB555);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRz), bits(1e9F), 0x7BFF);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRp), bits(1e9F), 0x7C00);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRp), bits(-1e9F), 0xFBFF);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRz), 0xFF800000, 0xFC00);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRz), 0x7FC00000, 0x7FFF);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRp), 1, 1);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRz), bits(0x1.FFFFFEp-15F), 0x03FF);
  expect(cvt(Type::kF16, Type::kF32, Rounding::kRp), bits(0x1.FFFFFEp-15F), 0x0400);
  expect(cvt(Type::kF16, Type::kF64, Rounding::kRn), bits(1.0 + 0x1p-11), 0x3C00);
  expect(cvt(Type::kF16, Type::kF64, Rounding::kRn), bits(1.0 + 0x1p-11 + 0x1p-40), 0x3C01);
  expect(cvt(Type::kF16, Type::kF64, Rounding::kRn), bits(-65520.0), 0xFC00);
  expect(cvt(Type::kF16, Type::kF64, Rounding::kRm), bits(1e-300), 0);
  expect(cvt(Type::kF16, Type::kF64, Rounding::kRp), bits(1e-300), 1);
  expect(cvt(Type::kF16, Type::kS32, Rounding::kRn), 0xFFFFF7FF, 0xE800);  // -2049, halfway
  expect(cvt(Type::kF16, Type::kU16, Rounding::kRz), 0xFFFF, 0x7BFF);
  expect(cvt(Type::kF16, Type::kS64, Rounding::kRn), 0x8000000000000000, 0xFC00);
  expect(cvt(Type::kF16, Type::kU8, Rounding::kRn), 255, 0x5BF8);
}

}  // namespace
}  // namespace heddle::ptx::testing
