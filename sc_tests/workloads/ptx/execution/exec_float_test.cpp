#include <cfenv>
#include <cmath>
#include <limits>

#include "sc_tests/workloads/ptx/execution/exec_support.h"

namespace heddle::ptx::testing {
namespace {

using In = std::vector<std::uint64_t>;
// Zeros, subnormals, the smallest and largest numbers, values that round, infinities, NaNs with payloads.
const In kFloats{0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x80800000,
                 0x3F800000, 0xBF800000, 0x3F800001, 0x3EAAAAAB, 0x40490FDB, 0xC2F6E979, 0x4B7FFFFF,
                 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00001, 0xFFC12345, 0x7F800001};
const In kFewFloats{0x00000000, 0x80000001, 0x3F800001, 0xC2F6E979, 0x7F7FFFFF, 0xFF800000, 0x7FC00001};
const In kDoubles{0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800FFFFFFFFFFFFF,
                  0x0010000000000000, 0x3FF0000000000000, 0xBFF0000000000001, 0x3FD5555555555555,
                  0x400921FB54442D18, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000,
                  0x7FF8000000000001, 0xFFF0000000000001};
constexpr std::uint64_t kNan = 0x7FFFFFFF;
constexpr std::uint64_t kDoubleNan = 0xFFF8000000000000;

std::uint64_t canonical(float value) { return value != value ? kNan : bits(value); }
std::uint64_t canonical(double value) { return value != value ? kDoubleNan : bits(value); }
float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value;
}

TEST(ExecFloat, ArithmeticRoundsToNearestEvenAndCanonicalisesNan) {
  const auto f = [](const In& in, unsigned i) { return as_float(in[i]); };
  const auto d = [](const In& in, unsigned i) { return as_double(in[i]); };
  expect_lanes(make(Opcode::kAdd, Type::kF32, 2), {kFloats, kFloats},
               [&](const In& in) { return canonical(f(in, 0) + f(in, 1)); });
  expect_lanes(make(Opcode::kSub, Type::kF32, 2), {kFloats, kFloats},
               [&](const In& in) { return canonical(f(in, 0) - f(in, 1)); });
  expect_lanes(make(Opcode::kMul, Type::kF32, 2), {kFloats, kFloats},
               [&](const In& in) { return canonical(f(in, 0) * f(in, 1)); });
  expect_lanes(make(Opcode::kDiv, Type::kF32, 2), {kFloats, kFloats},
               [&](const In& in) { return canonical(f(in, 0) / f(in, 1)); });
  expect_lanes(make(Opcode::kRcp, Type::kF32, 1), {kFloats},
               [&](const In& in) { return canonical(1.0F / f(in, 0)); });
  expect_lanes(make(Opcode::kSqrt, Type::kF32, 1), {kFloats},
               [&](const In& in) { return canonical(std::sqrt(f(in, 0))); });
  expect_lanes(make(Opcode::kAdd, Type::kF64, 2), {kDoubles, kDoubles},
               [&](const In& in) { return canonical(d(in, 0) + d(in, 1)); });
  expect_lanes(make(Opcode::kMul, Type::kF64, 2), {kDoubles, kDoubles},
               [&](const In& in) { return canonical(d(in, 0) * d(in, 1)); });
  expect_lanes(make(Opcode::kDiv, Type::kF64, 2), {kDoubles, kDoubles},
               [&](const In& in) { return canonical(d(in, 0) / d(in, 1)); });
  expect_lanes(make(Opcode::kSqrt, Type::kF64, 1), {kDoubles},
               [&](const In& in) { return canonical(std::sqrt(d(in, 0))); });
}

TEST(ExecFloat, FmaRoundsOnce) {
  expect_lanes(make(Opcode::kFma, Type::kF32, 3), {kFloats, kFloats, kFewFloats}, [](const In& in) {
    return canonical(std::fma(as_float(in[0]), as_float(in[1]), as_float(in[2])));
  });
  expect_lanes(make(Opcode::kFma, Type::kF64, 3), {kDoubles, kDoubles, kDoubles}, [](const In& in) {
    return canonical(std::fma(as_double(in[0]), as_double(in[1]), as_double(in[2])));
  });
  // (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24, which a rounded product would lose.
  expect_lanes(make(Opcode::kFma, Type::kF32, 3), {{0x3F800800}, {0x3F800800}, {0xBF801000}},
               [](const In&) { return bits(std::ldexp(1.0F, -24)); });
}

TEST(ExecFloat, FtzFlushesSourcesAndResults) {
  Operation mul = make(Opcode::kMul, Type::kF32, 2);
  mul.ftz = true;
  expect_lanes(mul, {kFloats, kFloats}, [](const In& in) {
    return canonical(flushed(flushed(as_float(in[0])) * flushed(as_float(in[1]))));
  });
  Operation add = make(Opcode::kAdd, Type::kF32, 2);
  add.ftz = true;
  expect_lanes(add, {{0x00000001, 0x80000001}, {0x80000000, 0x00000002}},
               [](const In& in) { return in[0] == 0x80000001 && in[1] == 0x80000000 ? 0x80000000 : 0; });
}

TEST(ExecFloat, SatClampsToZeroAndOne) {
  Operation add = make(Opcode::kAdd, Type::kF32, 2);
  add.sat = true;
  expect_lanes(add, {kFloats, kFloats}, [](const In& in) {
    const float sum = as_float(in[0]) + as_float(in[1]);
    return sum > 0 ? bits(sum < 1 ? sum : 1.0F) : 0;
  });
}

TEST(ExecFloat, MinimumAndMaximumPreferNumbersAndOrderZeros) {
  const auto less = [](float a, float b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); };
  const auto select = [&](const In& in, bool minimum) {
    const float a = as_float(in[0]);
    const float b = as_float(in[1]);
    if (a != a) return canonical(b);
    if (b != b) return canonical(a);
    return less(a, b) == minimum ? bits(a) : bits(b);
  };
  expect_lanes(make(Opcode::kMin, Type::kF32, 2), {kFloats, kFloats},
               [&](const In& in) { return select(in, true); });
  expect_lanes(make(Opcode::kMax, Type::kF32, 2), {kFloats, kFloats},
               [&](const In& in) { return select(in, false); });
  expect_lanes(make(Opcode::kMin, Type::kF64, 2), {{0, 0x8000000000000000}, {0x8000000000000000, kDoubleNan}},
               [](const In& in) { return in[1] == kDoubleNan ? in[0] : 0x8000000000000000; });
}

TEST(ExecFloat, SignsAreBits) {
  expect_lanes(make(Opcode::kNeg, Type::kF32, 1), {{0, 0x80000000, 1, 0x7F800000}},
               [](const In& in) { return in[0] ^ 0x80000000U; });
  expect_lanes(make(Opcode::kAbs, Type::kF32, 1), {{0x80000000, 0x80000001, 0xFF800000}},
               [](const In& in) { return in[0] & 0x7FFFFFFFU; });
  expect_lanes(make(Opcode::kAbs, Type::kF64, 1), {{0xC008000000000000, 0x8000000000000000}},
               [](const In& in) { return in[0] & 0x7FFFFFFFFFFFFFFFU; });
  expect_lanes(make(Opcode::kCopysign, Type::kF32, 2), {kFloats, kFloats},
               [](const In& in) { return (in[0] & 0x80000000U) | (in[1] & 0x7FFFFFFFU); });
}

/// The directed rounding of an exact value that lies next to `nearest`, from the sign of the exact error.
float directed(Rounding rounding, float nearest, double exact_minus_nearest) {
  const float infinity = std::numeric_limits<float>::infinity();
  const bool toward_zero_is_down = nearest > 0;
  const bool down = rounding == Rounding::kRm || (rounding == Rounding::kRz && toward_zero_is_down);
  if (down && exact_minus_nearest < 0) return std::nextafter(nearest, -infinity);
  if (!down && exact_minus_nearest > 0) return std::nextafter(nearest, infinity);
  return nearest;
}

TEST(ExecFloat, DirectedRoundingsBracketTheExactResult) {
  const In numbers{0x3F800001, 0x3EAAAAAB, 0xC0490FDB, 0x42F6E979, 0xBDCCCCCD, 0x3F800000, 0x41200000};
  for (const Rounding rounding : {Rounding::kRz, Rounding::kRm, Rounding::kRp}) {
    Operation mul = make(Opcode::kMul, Type::kF32, 2);
    mul.rounding = rounding;
    expect_lanes(mul, {numbers, numbers}, [rounding](const In& in) {
      const float a = as_float(in[0]);
      const float b = as_float(in[1]);
      const double exact = static_cast<double>(a) * b;  // 48 bits: exact
      const auto nearest = static_cast<float>(exact);
      return bits(directed(rounding, nearest, exact - static_cast<double>(nearest)));
    });
    Operation div = make(Opcode::kDiv, Type::kF32, 2);
    div.rounding = rounding;
    expect_lanes(div, {numbers, numbers}, [rounding](const In& in) {
      const double a = as_float(in[0]);
      const double b = as_float(in[1]);
      const auto nearest = static_cast<float>(a / b);
      const double remainder = a - static_cast<double>(nearest) * b;  // exact
      return bits(directed(rounding, nearest, b > 0 ? remainder : -remainder));
    });
    Operation add = make(Opcode::kAdd, Type::kF32, 2);
    add.rounding = rounding;
    expect_lanes(add, {numbers, numbers}, [rounding](const In& in) -> std::uint64_t {
      const double exact = static_cast<double>(as_float(in[0])) + static_cast<double>(as_float(in[1]));
      if (exact == 0) return rounding == Rounding::kRm ? 0x80000000U : 0U;
      const auto nearest = static_cast<float>(exact);
      return bits(directed(rounding, nearest, exact - static_cast<double>(nearest)));
    });
  }
  EXPECT_EQ(std::fegetround(), FE_TONEAREST) << "the host's rounding mode is put back";
}

TEST(ExecFloat, DirectedRoundingsOfRootsAndDoubles) {
  const In squares{0x40000000, 0x40400000, 0x40800000, 0x3DCCCCCD};
  Operation root = make(Opcode::kSqrt, Type::kF32, 1);
  root.rounding = Rounding::kRp;
  expect_lanes(root, {squares}, [](const In& in) {
    const double x = as_float(in[0]);
    const auto nearest = static_cast<float>(std::sqrt(x));
    return bits(
        directed(Rounding::kRp, nearest, x - static_cast<double>(nearest) * static_cast<double>(nearest)));
  });
  Operation add = make(Opcode::kAdd, Type::kF64, 2);
  add.rounding = Rounding::kRp;
  expect_lanes(add, {{bits(1.0)}, {bits(0x1p-60)}}, [](const In&) { return bits(std::nextafter(1.0, 2.0)); });
  add.rounding = Rounding::kRm;
  expect_lanes(add, {{bits(1.0)}, {bits(0x1p-60)}}, [](const In&) { return bits(1.0); });
  Operation fma = make(Opcode::kFma, Type::kF64, 3);
  fma.rounding = Rounding::kRz;
  expect_lanes(fma, {{bits(1.0)}, {bits(-0x1p-60)}, {bits(1.0)}},
               [](const In&) { return bits(std::nextafter(1.0, 0.0)); });
}

}  // namespace
}  // namespace heddle::ptx::testing
