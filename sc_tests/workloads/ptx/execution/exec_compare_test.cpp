#include <cmath>

#include "sc_tests/workloads/ptx/execution/exec_support.h"

namespace heddle::ptx::testing {
namespace {

using In = std::vector<std::uint64_t>;

/// Compares a[i] with b[i] in every build; the sources are in slots 0 and 2.
template <class Want>
void expect_predicate(Operation operation, const In& values, Want want) {
  const unsigned width = source_bits(operation, 0);
  operation.src[0] = reg(0, width);
  operation.src[1] = reg(2, width);
  operation.dst[0] = predicate(1);
  const auto pairs = combinations({values, values});
  for (const LaneBuild* build : lane_builds()) {
    for (std::size_t first = 0; first < pairs.size(); first += kWarpSize) {
      Rig rig(*build);
      rig.predicate_mask(1) = 0x0F0F0F0F;
      LaneMask expected = 0x0F0F0F0F & ~kSomeLanes;
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        const In& pair = pairs[(first + lane) % pairs.size()];
        rig.set(0, width, lane, pair[0]);
        rig.set(2, width, lane, pair[1]);
        if ((kSomeLanes >> lane & 1U) != 0 && want(pair[0], pair[1])) expected |= 1U << lane;
      }
      rig.run(operation, kSomeLanes);
      ASSERT_EQ(rig.predicate_mask(1), expected)
          << build->name << " compare " << static_cast<int>(operation.compare);
    }
  }
}

TEST(ExecCompare, IntegersBySignAndWidth) {
  const In words{0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 5};
  const auto run = [&](Type type, Compare compare, auto want) {
    Operation setp = make(Opcode::kSetp, type, 2);
    setp.source_type = type;
    setp.compare = compare;
    expect_predicate(setp, words, want);
  };
  const auto s = [](std::uint64_t value) { return static_cast<std::int32_t>(value); };
  run(Type::kS32, Compare::kLt, [&](auto a, auto b) { return s(a) < s(b); });
  run(Type::kS32, Compare::kLe, [&](auto a, auto b) { return s(a) <= s(b); });
  run(Type::kS32, Compare::kGt, [&](auto a, auto b) { return s(a) > s(b); });
  run(Type::kS32, Compare::kGe, [&](auto a, auto b) { return s(a) >= s(b); });
  run(Type::kB32, Compare::kEq, [](auto a, auto b) { return a == b; });
  run(Type::kU32, Compare::kNe, [](auto a, auto b) { return a != b; });
  run(Type::kU32, Compare::kLo, [](auto a, auto b) { return a < b; });
  run(Type::kU32, Compare::kLs, [](auto a, auto b) { return a <= b; });
  run(Type::kU32, Compare::kHi, [](auto a, auto b) { return a > b; });
  run(Type::kU32, Compare::kHs, [](auto a, auto b) { return a >= b; });
  Operation wide = make(Opcode::kSetp, Type::kS64, 2);
  wide.compare = Compare::kLt;
  expect_predicate(wide, {0, 1, 0x8000000000000000, 0x7FFFFFFFFFFFFFFF, 0x100000000}, [](auto a, auto b) {
    return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
  });
  Operation half = make(Opcode::kSetp, Type::kS16, 2);
  half.compare = Compare::kGt;
  expect_predicate(half, {0, 1, 0x8000, 0x7FFF, 0xFFFF}, [](auto a, auto b) {
    return static_cast<std::int16_t>(a) > static_cast<std::int16_t>(b);
  });
}

TEST(ExecCompare, FloatsOrderedAndUnordered) {
  const In floats{0, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0x7FC00000, 1};
  const auto run = [&](Compare compare, auto want) {
    Operation setp = make(Opcode::kSetp, Type::kF32, 2);
    setp.compare = compare;
    expect_predicate(setp, floats, [&](auto a, auto b) { return want(as_float(a), as_float(b)); });
  };
  const auto nan = [](float a, float b) { return std::isnan(a) || std::isnan(b); };
  run(Compare::kEq, [](float a, float b) { return a == b; });
  run(Compare::kNe, [&](float a, float b) { return !nan(a, b) && a != b; });
  run(Compare::kLt, [](float a, float b) { return a < b; });
  run(Compare::kLe, [](float a, float b) { return a <= b; });
  run(Compare::kGt, [](float a, float b) { return a > b; });
  run(Compare::kGe, [](float a, float b) { return a >= b; });
  run(Compare::kEqu, [&](float a, float b) { return nan(a, b) || a == b; });
  run(Compare::kNeu, [](float a, float b) { return !(a == b); });
  run(Compare::kLtu, [](float a, float b) { return !(a >= b); });
  run(Compare::kLeu, [](float a, float b) { return !(a > b); });
  run(Compare::kGtu, [](float a, float b) { return !(a <= b); });
  run(Compare::kGeu, [](float a, float b) { return !(a < b); });
  run(Compare::kNum, [&](float a, float b) { return !nan(a, b); });
  run(Compare::kNan, nan);
  Operation flush = make(Opcode::kSetp, Type::kF32, 2);
  flush.compare = Compare::kEq;
  flush.ftz = true;
  expect_predicate(flush, {0, 1, 0x80000001, 0x00800000},
                   [](auto a, auto b) { return (a == 0x00800000) == (b == 0x00800000); });
  Operation wide = make(Opcode::kSetp, Type::kF64, 2);
  wide.compare = Compare::kGtu;
  expect_predicate(wide, {bits(1.0), bits(2.0), bits(std::nan(""))},
                   [](auto a, auto b) { return !(as_double(a) <= as_double(b)); });
}

TEST(ExecCompare, SecondPredicateAndCombination) {
  for (const LaneBuild* build : lane_builds()) {
    Rig rig(*build);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) rig.set(0, 32, lane, lane);
    rig.predicate_mask(3) = 0x0000F0F0;
    Operation setp = make(Opcode::kSetp, Type::kU32, 3);
    setp.compare = Compare::kLt;
    setp.bool_op = Bool::kAnd;
    setp.src = {reg(0, 32), immediate(8), predicate(3, true)};
    setp.dst = {predicate(1), predicate(2)};
    setp.num_dst = 2;
    rig.run(setp);
    EXPECT_EQ(rig.predicate_mask(1), 0x000000FFU & ~0x0000F0F0U);
    EXPECT_EQ(rig.predicate_mask(2), 0xFFFFFF00U & ~0x0000F0F0U);
    setp.bool_op = Bool::kXor;
    rig.run(setp);
    EXPECT_EQ(rig.predicate_mask(1), 0x000000FFU ^ ~0x0000F0F0U);
  }
}

TEST(ExecCompare, SetSelectAndTest) {
  Operation set = make(Opcode::kSet, Type::kU32, 2);
  set.source_type = Type::kF32;
  set.compare = Compare::kGt;
  const In floats{bits(1.0F), bits(2.0F), 0x7FC00000};
  expect_lanes(set, {floats, floats},
               [](const In& in) { return as_float(in[0]) > as_float(in[1]) ? 0xFFFFFFFFU : 0U; });
  set.type = Type::kF32;
  expect_lanes(set, {floats, floats},
               [](const In& in) { return as_float(in[0]) > as_float(in[1]) ? 0x3F800000U : 0U; });
  Operation slct = make(Opcode::kSlct, Type::kB64, 3);
  slct.source_type = Type::kF32;
  expect_lanes(slct, {{11}, {22}, {0, 0x80000000, 0xBF800000, 0x3F800000, 0x7FC00000}},
               [](const In& in) { return as_float(in[2]) >= 0 ? in[0] : in[1]; });
  for (const LaneBuild* build : lane_builds()) {
    Rig rig(*build);
    rig.predicate_mask(0) = 0x00FF00FF;
    Operation selp = make(Opcode::kSelp, Type::kB32, 3);
    selp.src = {immediate(7), immediate(9), predicate(0)};
    selp.dst[0] = reg(0, 32);
    rig.run(selp);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      EXPECT_EQ(rig.get(0, 32, lane), (0x00FF00FFU >> lane & 1U) != 0 ? 7U : 9U);
    }
    const In classes{0, 1, 0x3F800000, 0x7F800000, 0x7FC00000};
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      rig.set(2, 32, lane, lane < 5 ? classes[lane] : 0x3F800000);
    Operation testp = make(Opcode::kTestp, Type::kF32, 1);
    testp.src[0] = reg(2, 32);
    testp.dst[0] = predicate(1);
    const auto expect_class = [&](FloatClass asked, LaneMask expected) {
      testp.float_class = asked;
      rig.run(testp);
      EXPECT_EQ(rig.predicate_mask(1) & 0x1FU, expected);
    };
    expect_class(FloatClass::kFinite, 0b00111);
    expect_class(FloatClass::kInfinite, 0b01000);
    expect_class(FloatClass::kNumber, 0b01111);
    expect_class(FloatClass::kNotANumber, 0b10000);
    expect_class(FloatClass::kNormal, 0b00100);
    expect_class(FloatClass::kSubnormal, 0b00010);
  }
}

}  // namespace
}  // namespace heddle::ptx::testing
