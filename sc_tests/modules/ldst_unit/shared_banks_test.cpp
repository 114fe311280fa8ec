#include "modules/ldst_unit/shared_banks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <stdexcept>

namespace heddle {
namespace {

Instruction moving_words(unsigned bytes, MemOp op = MemOp::kLoad) {
  Instruction made;
  made.mem = op;
  made.bytes_per_lane = static_cast<std::uint8_t>(bytes);
  made.element_bytes = static_cast<std::uint8_t>(std::min(bytes, 8U));
  return made;
}

LaneAddresses bank_lanes(std::uint64_t stride, std::uint64_t base = 0) {
  LaneAddresses offsets{};
  for (unsigned lane = 0; lane < kWarpSize; ++lane) offsets.lane[lane] = base + stride * lane;
  return offsets;
}

unsigned cycles(const LaneAddresses& offsets, unsigned bytes = 4, LaneMask lanes = kAllLanes) {
  return SharedBanks(LdstConfig{}).cycles(offsets, lanes, moving_words(bytes));
}

class ConflictDegree : public ::testing::TestWithParam<unsigned> {};

TEST_P(ConflictDegree, LanesOfOneBankTakeTurns) {
  // The first GetParam() lanes want different words of bank 5, the others one word of bank 6.
  LaneAddresses offsets = bank_lanes(0, 24);
  for (unsigned lane = 0; lane < GetParam(); ++lane) offsets.lane[lane] = 20 + 128 * lane;
  EXPECT_EQ(cycles(offsets), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Degrees, ConflictDegree, ::testing::Range(1U, 33U));

TEST(SharedBanks, StridesConflictByTheirPowersOfTwo) {
  const std::map<unsigned, unsigned> expected{{1, 1}, {2, 2},   {3, 1},   {4, 4}, {5, 1},
                                              {8, 8}, {16, 16}, {32, 32}, {33, 1}};
  for (const auto& [stride, degree] : expected)
    EXPECT_EQ(cycles(bank_lanes(std::uint64_t{4} * stride)), degree) << stride;
}

TEST(SharedBanks, ABroadcastIsFree) {
  EXPECT_EQ(cycles(bank_lanes(0, 400)), 1U);
  EXPECT_EQ(cycles(bank_lanes(1), 1), 1U);  // four byte lanes share a word
}

TEST(SharedBanks, WideAccessesTakeSeveralCycles) {
  EXPECT_EQ(cycles(bank_lanes(8), 8), 2U);
  EXPECT_EQ(cycles(bank_lanes(16), 16), 4U);
  EXPECT_EQ(cycles(bank_lanes(8), 8, 0x0000FFFFU),
            1U);  // half a warp of 8-byte elements fills the banks once
}

TEST(SharedBanks, OnlyTheGivenLanesCount) {
  EXPECT_EQ(cycles(bank_lanes(128), 4, 0x80000001U), 2U);
  EXPECT_EQ(cycles(bank_lanes(128), 4, 0x80000000U), 1U);
  EXPECT_EQ(cycles(bank_lanes(128), 4, 0), 1U);
}

TEST(SharedBanks, AtomicsShareAWordLikeLoads) {
  const SharedBanks banks{LdstConfig{}};
  EXPECT_EQ(banks.cycles(bank_lanes(0, 8), kAllLanes, moving_words(4, MemOp::kAtomic)), 1U);
  EXPECT_EQ(banks.cycles(bank_lanes(0, 8), 0xFU, moving_words(4, MemOp::kReduction)), 1U);
  EXPECT_EQ(banks.cycles(bank_lanes(128), kAllLanes, moving_words(4, MemOp::kAtomic)),
            32U);  // words of one bank
}

TEST(SharedBanks, AtomicsShareNothingWhenTheyTakeTurns) {
  LdstConfig config;
  config.shared_atomic_turns = true;
  const SharedBanks banks(config);
  EXPECT_EQ(banks.cycles(bank_lanes(0, 8), kAllLanes, moving_words(4, MemOp::kAtomic)), 32U);
  EXPECT_EQ(banks.cycles(bank_lanes(0, 8), 0xFU, moving_words(4, MemOp::kReduction)), 4U);
  EXPECT_EQ(banks.cycles(bank_lanes(4), kAllLanes, moving_words(4, MemOp::kAtomic)), 1U);
}

TEST(SharedBanks, AgreesWithACountOfWords) {
  std::mt19937 random(11);
  for (unsigned round = 0; round < 3000; ++round) {
    const unsigned bytes = 1U << (random() % 5);
    const std::uint64_t range = std::uint64_t{1} << (random() % 12);
    LaneAddresses offsets{};
    for (auto& offset : offsets.lane) offset = random() % range * bytes;
    const LaneMask lanes = static_cast<LaneMask>(random()) | 1U;
    std::map<std::uint64_t, std::set<std::uint64_t>> words;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      if ((lanes & (1U << lane)) == 0) continue;
      for (unsigned byte = 0; byte < bytes; ++byte) {
        const std::uint64_t word = (offsets.lane[lane] + byte) / 4;
        words[word % 32].insert(word);
      }
    }
    std::size_t expected = 0;
    for (const auto& [bank, distinct] : words) expected = std::max(expected, distinct.size());
    ASSERT_EQ(cycles(offsets, bytes, lanes), expected);
  }
}

TEST(SharedBanks, RefusesWrongConfigurations) {
  LdstConfig banks;
  banks.shared_banks = 24;
  EXPECT_THROW(SharedBanks{banks}, std::invalid_argument);
  LdstConfig width;
  width.shared_bank_bytes = 0;
  EXPECT_THROW(SharedBanks{width}, std::invalid_argument);
}

}  // namespace
}  // namespace heddle
