#include "sc_tests/workloads/ptx/execution/exec_support.h"

namespace heddle::ptx::testing {
namespace {

using In = std::vector<std::uint64_t>;
const In kWords{0, 1, 2, 31, 32, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0x12345678, 0xFFFF0000, 255};
const In kLongs{
    0, 1, 63, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0x123456789ABCDEF0, 0x100000000};
const In kHalves{0, 1, 0x7FFF, 0x8000, 0xFFFF, 0x1234};

std::uint32_t u32(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::int32_t s32(std::uint64_t value) { return static_cast<std::int32_t>(value); }
std::int64_t s64(std::uint64_t value) { return static_cast<std::int64_t>(value); }
__extension__ using Wide = __int128;

TEST(ExecInteger, SumsWrapInTheirWidth) {
  expect_lanes(make(Opcode::kAdd, Type::kS32, 2), {kWords, kWords},
               [](const In& in) { return u32(in[0] + in[1]); });
  expect_lanes(make(Opcode::kSub, Type::kU32, 2), {kWords, kWords},
               [](const In& in) { return u32(in[0] - in[1]); });
  expect_lanes(make(Opcode::kAdd, Type::kU64, 2), {kLongs, kLongs},
               [](const In& in) { return in[0] + in[1]; });
  expect_lanes(make(Opcode::kSub, Type::kS64, 2), {kLongs, kLongs},
               [](const In& in) { return in[0] - in[1]; });
  expect_lanes(make(Opcode::kAdd, Type::kS16, 2), {kHalves, kHalves},
               [](const In& in) { return (in[0] + in[1]) & 0xFFFFU; });
}

TEST(ExecInteger, SaturatingSumsStopAtTheLimits) {
  const auto clamped = [](std::int64_t value) {
    return u32(static_cast<std::uint64_t>(
        std::min<std::int64_t>(std::max<std::int64_t>(value, INT32_MIN), INT32_MAX)));
  };
  Operation add = make(Opcode::kAdd, Type::kS32, 2);
  add.sat = true;
  expect_lanes(add, {kWords, kWords},
               [&](const In& in) { return clamped(std::int64_t{s32(in[0])} + s32(in[1])); });
  Operation sub = make(Opcode::kSub, Type::kS32, 2);
  sub.sat = true;
  expect_lanes(sub, {kWords, kWords},
               [&](const In& in) { return clamped(std::int64_t{s32(in[0])} - s32(in[1])); });
}

TEST(ExecInteger, DivisionByZeroAndOverflowAreDefined) {
  const auto divide = [](const In& in) -> std::uint64_t {
    if (u32(in[1]) == 0) return 0xFFFFFFFF;
    return u32(static_cast<std::uint64_t>(std::int64_t{s32(in[0])} / s32(in[1])));
  };
  const auto remainder = [](const In& in) -> std::uint64_t {
    if (u32(in[1]) == 0) return 0xFFFFFFFF;
    return u32(static_cast<std::uint64_t>(std::int64_t{s32(in[0])} % s32(in[1])));
  };
  expect_lanes(make(Opcode::kDiv, Type::kS32, 2), {kWords, kWords}, divide);
  expect_lanes(make(Opcode::kRem, Type::kS32, 2), {kWords, kWords}, remainder);
  expect_lanes(make(Opcode::kDiv, Type::kU32, 2), {kWords, kWords},
               [](const In& in) { return in[1] == 0 ? 0xFFFFFFFFU : u32(in[0]) / u32(in[1]); });
  expect_lanes(make(Opcode::kRem, Type::kU64, 2), {kLongs, kLongs},
               [](const In& in) { return in[1] == 0 ? ~std::uint64_t{0} : in[0] % in[1]; });
  expect_lanes(make(Opcode::kDiv, Type::kS64, 2), {kLongs, kLongs}, [](const In& in) -> std::uint64_t {
    if (in[1] == 0) return ~std::uint64_t{0};
    return static_cast<std::uint64_t>(Wide{s64(in[0])} / s64(in[1]));
  });
}

TEST(ExecInteger, ProductsGiveTheirLowHighOrWidePart) {
  Operation mul = make(Opcode::kMul, Type::kS32, 2);
  mul.mul_part = MulPart::kLo;
  expect_lanes(mul, {kWords, kWords}, [](const In& in) { return u32(in[0] * in[1]); });
  mul.mul_part = MulPart::kHi;
  expect_lanes(mul, {kWords, kWords}, [](const In& in) {
    return u32(static_cast<std::uint64_t>((std::int64_t{s32(in[0])} * s32(in[1])) >> 32));
  });
  mul.mul_part = MulPart::kWide;
  expect_lanes(mul, {kWords, kWords}, [](const In& in) {
    return static_cast<std::uint64_t>(std::int64_t{s32(in[0])} * s32(in[1]));
  });
  mul.type = Type::kU32;
  expect_lanes(mul, {kWords, kWords}, [](const In& in) { return in[0] * in[1]; });
  mul.type = Type::kU16;
  expect_lanes(mul, {kHalves, kHalves}, [](const In& in) { return in[0] * in[1]; });
  mul = make(Opcode::kMul, Type::kS64, 2);
  mul.mul_part = MulPart::kHi;
  expect_lanes(mul, {kLongs, kLongs}, [](const In& in) {
    return static_cast<std::uint64_t>((Wide{s64(in[0])} * s64(in[1])) >> 64);
  });
}

TEST(ExecInteger, MultiplyAddsKeepTheirWidth) {
  Operation mad = make(Opcode::kMad, Type::kS32, 3);
  mad.mul_part = MulPart::kLo;
  expect_lanes(mad, {kWords, kWords, kWords}, [](const In& in) { return u32(in[0] * in[1] + in[2]); });
  mad.mul_part = MulPart::kWide;
  expect_lanes(mad, {kWords, kWords, kLongs}, [](const In& in) {
    return static_cast<std::uint64_t>(std::int64_t{s32(in[0])} * s32(in[1])) + in[2];
  });
  Operation mul24 = make(Opcode::kMul24, Type::kS32, 2);
  mul24.mul_part = MulPart::kLo;
  const auto low24 = [](std::uint64_t value) { return std::int64_t{s32(value << 8U) >> 8}; };
  expect_lanes(mul24, {kWords, kWords},
               [&](const In& in) { return u32(static_cast<std::uint64_t>(low24(in[0]) * low24(in[1]))); });
  mul24.mul_part = MulPart::kHi;
  expect_lanes(mul24, {kWords, kWords}, [&](const In& in) {
    return u32(static_cast<std::uint64_t>((low24(in[0]) * low24(in[1])) >> 16));
  });
}

TEST(ExecInteger, AbsoluteValueMinimumMaximumAndSad) {
  expect_lanes(make(Opcode::kAbs, Type::kS32, 1), {kWords},
               [](const In& in) { return s32(in[0]) < 0 ? u32(0 - in[0]) : u32(in[0]); });
  expect_lanes(make(Opcode::kNeg, Type::kS16, 1), {kHalves},
               [](const In& in) { return (0 - in[0]) & 0xFFFFU; });
  expect_lanes(make(Opcode::kMin, Type::kS32, 2), {kWords, kWords}, [](const In& in) {
    return u32(static_cast<std::uint64_t>(std::min(s32(in[0]), s32(in[1]))));
  });
  expect_lanes(make(Opcode::kMax, Type::kU64, 2), {kLongs, kLongs},
               [](const In& in) { return std::max(in[0], in[1]); });
  expect_lanes(make(Opcode::kMin, Type::kU16, 2), {kHalves, kHalves},
               [](const In& in) { return std::min(in[0], in[1]); });
  expect_lanes(make(Opcode::kSad, Type::kS32, 3), {kWords, kWords, kWords}, [](const In& in) {
    const std::int64_t difference = std::int64_t{s32(in[0])} - s32(in[1]);
    return u32(in[2] + static_cast<std::uint64_t>(difference < 0 ? -difference : difference));
  });
}

TEST(ExecInteger, CarryChainsAddAndSubtractLongNumbers) {
  for (const LaneBuild* build : lane_builds()) {
    Rig rig(*build);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const std::uint64_t a = kLongs[lane % kLongs.size()];
      const std::uint64_t b = kLongs[lane / kLongs.size()];
      rig.set(0, 32, lane, u32(a));
      rig.set(1, 32, lane, u32(a >> 32U));
      rig.set(2, 32, lane, u32(b));
      rig.set(3, 32, lane, u32(b >> 32U));
    }
    for (const Opcode opcode : {Opcode::kAdd, Opcode::kSub}) {
      Operation low = make(opcode, Type::kU32, 2);
      low.carry_out = true;
      low.src = {reg(0, 32), reg(2, 32)};
      low.dst[0] = reg(4, 32);
      Operation high = low;
      high.carry_in = true;
      high.src = {reg(1, 32), reg(3, 32)};
      high.dst[0] = reg(5, 32);
      Operation last = high;
      last.src = {immediate(0), immediate(0)};
      last.dst[0] = reg(6, 32);
      rig.run(low);
      rig.run(high);
      rig.run(last);
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        const Wide a = kLongs[lane % kLongs.size()];
        const Wide b = kLongs[lane / kLongs.size()];
        const Wide expected = opcode == Opcode::kAdd ? a + b : a - b;
        const std::uint64_t result = rig.get(4, 32, lane) | rig.get(5, 32, lane) << 32U;
        EXPECT_EQ(result, static_cast<std::uint64_t>(expected));
        EXPECT_EQ(rig.get(6, 32, lane), u32(static_cast<std::uint64_t>(expected >> 64))) << "carry out";
      }
    }
  }
}

TEST(ExecInteger, MultiplyAddChainKeepsTheCarry) {
  Operation mad = make(Opcode::kMad, Type::kU32, 3);
  mad.mul_part = MulPart::kHi;
  mad.carry_out = true;
  expect_lanes(mad, {kWords, kWords, kWords},
               [](const In& in) { return u32(((in[0] * in[1]) >> 32U) + in[2]); });
}

}  // namespace
}  // namespace heddle::ptx::testing
