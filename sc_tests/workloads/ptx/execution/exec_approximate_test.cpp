#include <cmath>

#include "sc_tests/workloads/ptx/execution/exec_support.h"

namespace heddle::ptx::testing {
namespace {

using In = std::vector<std::uint64_t>;

In range(double from, double to, unsigned count) {
  In values;
  for (unsigned i = 0; i < count; ++i) {
    values.push_back(bits(static_cast<float>(from + (to - from) * i / (count - 1))));
  }
  return values;
}
/// Numbers of all magnitudes.
In magnitudes() {
  In values;
  for (std::uint64_t exponent = 1; exponent < 255; exponent += 3) {
    values.push_back(exponent << 23U | (exponent * 0x12345U & 0x7FFFFFU));
  }
  return values;
}

void expect_relative(Operation operation, const In& values, double (*exact)(double), double limit) {
  operation.approx = true;
  sweep(operation, {values}, [&](const In& in, std::uint64_t result) {
    const double expected = exact(as_float(in[0]));
    ASSERT_LE(std::fabs(as_float(result) - expected), std::fabs(expected) * limit) << as_float(in[0]);
  });
}
void expect_absolute(Operation operation, const In& values, double (*exact)(double), double limit) {
  operation.approx = true;
  sweep(operation, {values}, [&](const In& in, std::uint64_t result) {
    ASSERT_LE(std::fabs(as_float(result) - exact(as_float(in[0]))), limit) << as_float(in[0]);
  });
}
void expect_bits(Operation operation, std::uint64_t source, std::uint64_t expected) {
  operation.approx = true;
  expect_lanes(operation, {{source}}, [expected](const In&) { return expected; });
}

TEST(ExecApproximate, Ex2KeepsItsErrorAndIsExactOnIntegers) {
  const Operation ex2 = make(Opcode::kEx2, Type::kF32, 1);
  expect_relative(
      ex2, range(-125.9, 127.9, 20001), [](double x) { return std::exp2(x); }, 0x1p-22);
  In integers;
  for (int n = -149; n < 128; ++n) integers.push_back(bits(static_cast<float>(n)));
  expect_lanes(ex2, {integers},
               [](const In& in) { return bits(std::ldexp(1.0F, static_cast<int>(as_float(in[0])))); });
  expect_bits(ex2, bits(128.0F), 0x7F800000);
  expect_bits(ex2, 0x7F800000, 0x7F800000);
  expect_bits(ex2, 0xFF800000, 0);
  expect_bits(ex2, 0x7FC00001, 0x7FFFFFFF);
  expect_bits(ex2, 0x80000000, 0x3F800000);
  Operation flush = ex2;
  flush.ftz = true;
  expect_bits(flush, bits(-127.0F), 0);
}

TEST(ExecApproximate, Lg2KeepsItsErrorAndIsExactOnPowersOfTwo) {
  const Operation lg2 = make(Opcode::kLg2, Type::kF32, 1);
  expect_absolute(
      lg2, range(0.5, 2.0, 20001), [](double x) { return std::log2(x); }, 0x1p-22);
  expect_relative(
      lg2, magnitudes(), [](double x) { return std::log2(x); }, 0x1p-22);
  In powers;
  for (int n = -149; n < 128; ++n) powers.push_back(bits(std::ldexp(1.0F, n)));
  expect_lanes(lg2, {powers},
               [](const In& in) { return bits(static_cast<float>(std::ilogb(as_float(in[0])))); });
  expect_bits(lg2, 0, 0xFF800000);
  expect_bits(lg2, 0x80000000, 0xFF800000);
  expect_bits(lg2, 0x7F800000, 0x7F800000);
  expect_bits(lg2, 0xBF800000, 0x7FFFFFFF);
  expect_bits(lg2, 0x7FC00001, 0x7FFFFFFF);
}

TEST(ExecApproximate, SineAndCosineKeepTheirError) {
  const Operation sine = make(Opcode::kSin, Type::kF32, 1);
  const Operation cosine = make(Opcode::kCos, Type::kF32, 1);
  expect_absolute(
      sine, range(-3.1415926, 3.1415926, 20001), [](double x) { return std::sin(x); }, 0x1p-20);
  expect_absolute(
      cosine, range(-3.1415926, 3.1415926, 20001), [](double x) { return std::cos(x); }, 0x1p-20);
  expect_absolute(
      sine, range(-1e5, 1e5, 5001), [](double x) { return std::sin(x); }, 0x1p-20);
  expect_bits(sine, 0x80000000, 0x80000000);
  expect_bits(cosine, 0x80000000, 0x3F800000);
  expect_bits(sine, 0x7F800000, 0x7FFFFFFF);
  expect_bits(cosine, 0x7FC00001, 0x7FFFFFFF);
  sweep(sine, {{0x7F7FFFFF, 0xFF7FFFFF, 0x60000000}},
        [](const In&, std::uint64_t result) { ASSERT_LE(std::fabs(as_float(result)), 1.0F); });
}

TEST(ExecApproximate, ReciprocalsAndRootsKeepTheirError) {
  expect_relative(
      make(Opcode::kRcp, Type::kF32, 1), magnitudes(), [](double x) { return 1 / x; }, 0x1p-23);
  expect_relative(
      make(Opcode::kSqrt, Type::kF32, 1), magnitudes(), [](double x) { return std::sqrt(x); }, 0x1p-23);
  expect_relative(
      make(Opcode::kRsqrt, Type::kF32, 1), magnitudes(), [](double x) { return 1 / std::sqrt(x); },
      0x1.13p-23);
  expect_relative(
      make(Opcode::kTanh, Type::kF32, 1), range(-9, 9, 1001), [](double x) { return std::tanh(x); }, 0x1p-11);
  expect_bits(make(Opcode::kRsqrt, Type::kF32, 1), 0x80000000, 0xFF800000);
  expect_bits(make(Opcode::kRsqrt, Type::kF32, 1), 0xBF800000, 0x7FFFFFFF);
  expect_bits(make(Opcode::kRcp, Type::kF32, 1), 0, 0x7F800000);
}

TEST(ExecApproximate, DoubleReciprocalsHaveTwentyBitsAndFlush) {
  for (const Opcode opcode : {Opcode::kRcp, Opcode::kRsqrt}) {
    Operation operation = make(opcode, Type::kF64, 1);
    operation.approx = true;
    operation.ftz = true;
    sweep(operation, {{bits(3.0), bits(0.1), bits(12345.678)}}, [&](const In& in, std::uint64_t result) {
      const double x = as_double(in[0]);
      const double exact = opcode == Opcode::kRcp ? 1 / x : 1 / std::sqrt(x);
      ASSERT_EQ(result & 0xFFFFFFFFU, 0U);
      ASSERT_LE(std::fabs(as_double(result) - exact), exact * 0x1p-20);
    });
    expect_bits(operation, 1, bits(std::numeric_limits<double>::infinity()));  // subnormal: zero
  }
}

TEST(ExecApproximate, BothBuildsGiveTheSameBits) {
  if (avx2_lane_build() == nullptr) GTEST_SKIP() << "this host has no AVX2";
  for (const Opcode opcode :
       {Opcode::kEx2, Opcode::kLg2, Opcode::kSin, Opcode::kCos, Opcode::kRsqrt, Opcode::kRcp}) {
    Operation operation = make(opcode, Type::kF32, 1);
    operation.approx = true;
    operation.src[0] = reg(0, 32);
    operation.dst[0] = reg(2, 32);
    std::uint32_t state = 12345;
    for (unsigned round = 0; round < 2000; ++round) {
      Rig baseline(baseline_lane_build());
      Rig fast(*avx2_lane_build());
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        state = state * 1664525U + 1013904223U;
        baseline.set(0, 32, lane, state);
        fast.set(0, 32, lane, state);
      }
      baseline.run(operation);
      fast.run(operation);
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        ASSERT_EQ(baseline.get(2, 32, lane), fast.get(2, 32, lane)) << std::hex << baseline.get(0, 32, lane);
      }
    }
  }
}

}  // namespace
}  // namespace heddle::ptx::testing
