#include "sc_tests/workloads/ptx/execution/exec_support.h"

namespace heddle::ptx::testing {
namespace {

using In = std::vector<std::uint64_t>;
const In kWords{0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x12345678, 0xF0F0F0F0, 0x00010000};
const In kLongs{0, 1, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0x123456789ABCDEF0};
const In kAmounts{0, 1, 15, 16, 31, 32, 33, 63, 64, 65, 0xFFFFFFFF};

std::uint32_t u32(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

TEST(ExecBits, LogicWorksOnEveryWidth) {
  expect_lanes(make(Opcode::kAnd, Type::kB32, 2), {kWords, kWords},
               [](const In& in) { return in[0] & in[1]; });
  expect_lanes(make(Opcode::kOr, Type::kB64, 2), {kLongs, kLongs},
               [](const In& in) { return in[0] | in[1]; });
  expect_lanes(make(Opcode::kXor, Type::kB32, 2), {kWords, kWords},
               [](const In& in) { return in[0] ^ in[1]; });
  expect_lanes(make(Opcode::kNot, Type::kB16, 1), {{0, 1, 0xFFFF, 0x8000}},
               [](const In& in) { return ~in[0] & 0xFFFFU; });
  expect_lanes(make(Opcode::kCnot, Type::kB32, 1), {kWords},
               [](const In& in) { return in[0] == 0 ? 1U : 0U; });
}

TEST(ExecBits, EveryTruthTableOfLop3) {
  for (unsigned lut = 0; lut < 256; ++lut) {
    Operation lop3 = make(Opcode::kLop3, Type::kB32, 3);
    lop3.lut_or_selector = static_cast<std::uint8_t>(lut);
    expect_lanes(lop3, {{0xF0F0F0F0}, {0xCCCCCCCC}, {0xAAAAAAAA, 0x12345678}}, [lut](const In& in) {
      std::uint32_t result = 0;
      for (unsigned bit = 0; bit < 32; ++bit) {
        const unsigned term =
            (u32(in[0] >> bit) & 1U) << 2U | (u32(in[1] >> bit) & 1U) << 1U | (u32(in[2] >> bit) & 1U);
        result |= (lut >> term & 1U) << bit;
      }
      return result;
    });
  }
}

TEST(ExecBits, ShiftsClampAtTheWidth) {
  expect_lanes(make(Opcode::kShl, Type::kB32, 2), {kWords, kAmounts},
               [](const In& in) { return in[1] > 31 ? 0 : u32(in[0] << in[1]); });
  expect_lanes(make(Opcode::kShl, Type::kB64, 2), {kLongs, kAmounts},
               [](const In& in) { return in[1] > 63 ? 0 : in[0] << in[1]; });
  expect_lanes(make(Opcode::kShr, Type::kU32, 2), {kWords, kAmounts},
               [](const In& in) { return in[1] > 31 ? 0 : in[0] >> in[1]; });
  expect_lanes(make(Opcode::kShr, Type::kS32, 2), {kWords, kAmounts}, [](const In& in) {
    return u32(
        static_cast<std::uint64_t>(static_cast<std::int32_t>(in[0]) >> std::min<std::uint64_t>(in[1], 31)));
  });
  expect_lanes(make(Opcode::kShr, Type::kS64, 2), {kLongs, kAmounts}, [](const In& in) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(in[0]) >> std::min<std::uint64_t>(in[1], 63));
  });
  expect_lanes(make(Opcode::kShr, Type::kS16, 2), {{0x8000, 0x7FFF, 0xFFFF}, kAmounts}, [](const In& in) {
    return static_cast<std::uint64_t>(static_cast<std::int16_t>(in[0]) >>
                                      std::min<std::uint64_t>(in[1], 15)) &
           0xFFFFU;
  });
  expect_lanes(make(Opcode::kShl, Type::kB16, 2), {{0x8001, 0x7FFF}, kAmounts},
               [](const In& in) { return in[1] > 15 ? 0 : (in[0] << in[1]) & 0xFFFFU; });
}

TEST(ExecBits, FunnelShiftsWrapOrClamp) {
  for (const bool wrap : {false, true}) {
    Operation shf = make(Opcode::kShf, Type::kB32, 3);
    shf.wrap = wrap;
    const auto amount = [wrap](std::uint64_t n) { return wrap ? n % 32 : std::min<std::uint64_t>(n, 32); };
    expect_lanes(shf, {kWords, kWords, kAmounts},
                 [&](const In& in) { return u32(((in[1] << 32U | in[0]) << amount(in[2])) >> 32U); });
    shf.right = true;
    expect_lanes(shf, {kWords, kWords, kAmounts},
                 [&](const In& in) { return u32((in[1] << 32U | in[0]) >> amount(in[2])); });
  }
}

TEST(ExecBits, CountsAndSearches) {
  const auto leading = [](std::uint64_t value, unsigned width) {
    unsigned zeros = 0;
    while (zeros < width && (value >> (width - 1 - zeros) & 1U) == 0) ++zeros;
    return zeros;
  };
  expect_lanes(make(Opcode::kClz, Type::kB32, 1), {kWords}, [&](const In& in) { return leading(in[0], 32); });
  expect_lanes(make(Opcode::kClz, Type::kB64, 1), {kLongs}, [&](const In& in) { return leading(in[0], 64); });
  const auto ones = [](const In& in) {
    unsigned count = 0;
    for (unsigned bit = 0; bit < 64; ++bit) count += static_cast<unsigned>(in[0] >> bit & 1U);
    return count;
  };
  expect_lanes(make(Opcode::kPopc, Type::kB32, 1), {kWords}, ones);
  expect_lanes(make(Opcode::kPopc, Type::kB64, 1), {kLongs}, ones);
  expect_lanes(make(Opcode::kBrev, Type::kB32, 1), {kWords}, [](const In& in) {
    std::uint64_t result = 0;
    for (unsigned bit = 0; bit < 32; ++bit) result |= (in[0] >> bit & 1U) << (31 - bit);
    return result;
  });
  expect_lanes(make(Opcode::kBfind, Type::kS32, 1), {kWords}, [&](const In& in) {
    const std::uint64_t value = (in[0] & 0x80000000U) != 0 ? ~in[0] & 0xFFFFFFFFU : in[0];
    return value == 0 ? 0xFFFFFFFFU : 31 - leading(value, 32);
  });
  Operation amount = make(Opcode::kBfind, Type::kU64, 1);
  amount.shift_amount = true;
  expect_lanes(amount, {kLongs}, [&](const In& in) { return in[0] == 0 ? 0xFFFFFFFFU : leading(in[0], 64); });
}

TEST(ExecBits, FieldsAreExtractedBitByBit) {
  for (const Type type : {Type::kU32, Type::kS32}) {
    expect_lanes(make(Opcode::kBfe, type, 3), {kWords, {0, 4, 16, 31, 32, 255}, {0, 1, 8, 16, 32, 33, 255}},
                 [type](const In& in) {
                   // The definition in the PTX ISA, "bfe".
                   const auto position = static_cast<unsigned>(in[1]);
                   const auto length = static_cast<unsigned>(in[2]);
                   const unsigned top = std::min(position + length - 1, 31U);
                   const std::uint64_t sign = type == Type::kU32 || length == 0 ? 0 : in[0] >> top & 1U;
                   std::uint64_t result = 0;
                   for (unsigned i = 0; i < 32; ++i) {
                     const bool inside = i < length && position + i <= 31;
                     result |= (inside ? in[0] >> (position + i) & 1U : sign) << i;
                   }
                   return result;
                 });
  }
  expect_lanes(make(Opcode::kBfi, Type::kB32, 4),
               {{0, 0xFFFFFFFF, 0x12345678}, {0, 0xFFFFFFFF}, {0, 8, 31, 32}, {0, 1, 8, 32, 255}},
               [](const In& in) {
                 std::uint64_t result = in[1];
                 for (unsigned i = 0; i < in[3] && in[2] + i <= 31; ++i) {
                   const std::uint64_t bit = std::uint64_t{1} << (in[2] + i);
                   result = (in[0] >> i & 1U) != 0 ? result | bit : result & ~bit;
                 }
                 return result;
               });
}

TEST(ExecBits, PermuteBytesInEveryMode) {
  const std::uint64_t a = 0x83828180;  // bytes 0..3
  const std::uint64_t b = 0x07060504;  // bytes 4..7
  const auto result = [&](PrmtMode mode, std::uint64_t selector, std::uint32_t expected) {
    Operation prmt = make(Opcode::kPrmt, Type::kB32, 3);
    prmt.prmt = mode;
    expect_lanes(prmt, {{a}, {b}, {selector}}, [expected](const In&) { return expected; });
  };
  result(PrmtMode::kDefault, 0x7531, 0x07058381);
  result(PrmtMode::kDefault, 0xC8C8, 0x00FF00FF);  // sign of byte 4, sign of byte 0
  result(PrmtMode::kF4e, 1, 0x04838281);
  result(PrmtMode::kB4e, 1, 0x06078081);
  result(PrmtMode::kRc8, 2, 0x82828282);
  result(PrmtMode::kEcl, 2, 0x83828282);
  result(PrmtMode::kEcr, 2, 0x82828180);
  result(PrmtMode::kRc16, 1, 0x83828382);
}

TEST(ExecBits, MasksExtensionsAndSearchForTheNthBit) {
  Operation bmsk = make(Opcode::kBmsk, Type::kB32, 2);
  const auto ones = [](std::uint64_t from, std::uint64_t width) {
    std::uint32_t result = 0;
    for (std::uint64_t bit = from; bit < std::min<std::uint64_t>(from + width, 32); ++bit)
      result |= 1U << bit;
    return result;
  };
  expect_lanes(bmsk, {kAmounts, {0, 1, 8, 31, 32, 200}}, [&](const In& in) { return ones(in[0], in[1]); });
  bmsk.wrap = true;
  expect_lanes(bmsk, {kAmounts, {0, 1, 8, 31, 33}},
               [&](const In& in) { return ones(in[0] % 32, in[1] % 32); });
  expect_lanes(make(Opcode::kSzext, Type::kS32, 2), {kWords, {0, 1, 8, 31, 32, 40}}, [](const In& in) {
    const std::uint64_t n = in[1];
    if (n == 0 || n >= 32) return n == 0 ? 0 : u32(in[0]);
    const std::uint64_t sign = std::uint64_t{1} << (n - 1);
    return u32(((in[0] & (2 * sign - 1)) ^ sign) - sign);
  });
  const auto fns = [](std::uint64_t mask, std::uint64_t base, std::int32_t offset, std::uint32_t expected) {
    expect_lanes(make(Opcode::kFns, Type::kB32, 3), {{mask}, {base}, {static_cast<std::uint32_t>(offset)}},
                 [expected](const In&) { return expected; });
  };
  fns(0b101100, 3, 0, 3);
  fns(0b101100, 4, 0, 0xFFFFFFFF);
  fns(0b101100, 0, 1, 2);
  fns(0b101100, 0, 3, 5);
  fns(0b101100, 31, -2, 3);
  fns(0b101100, 2, 4, 0xFFFFFFFF);
}

TEST(ExecBits, DotProductsOfBytes) {
  Operation dp4a = make(Opcode::kDp4a, Type::kS32, 3);
  dp4a.source_type = Type::kU32;
  expect_lanes(dp4a, {{0xFF02807F}, {0xFF010203}, {5}}, [](const In&) {
    return u32(static_cast<std::uint64_t>(std::int64_t{-1} * 255 + 2 * 1 - 128 * 2 + 127 * 3 + 5));
  });
  Operation dp2a = make(Opcode::kDp2a, Type::kS32, 3);
  dp2a.source_type = Type::kS32;
  dp2a.mul_part = MulPart::kHi;
  expect_lanes(dp2a, {{0xFFFF0002}, {0x80050000}, {1}}, [](const In&) { return u32(2 * 5 + 128 + 1); });
}

}  // namespace
}  // namespace heddle::ptx::testing
