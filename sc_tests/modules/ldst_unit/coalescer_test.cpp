#include "modules/ldst_unit/coalescer.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace heddle {
namespace {

using Shape = Coalescer::Shape;

constexpr std::uint64_t kBase = 0xC0000000;

Instruction moving(unsigned element_bytes, unsigned vector = 1) {
  Instruction made;
  made.element_bytes = static_cast<std::uint8_t>(element_bytes);
  made.bytes_per_lane = static_cast<std::uint8_t>(element_bytes * vector);
  return made;
}

LaneAddresses strided(std::uint64_t base, std::uint64_t stride) {
  LaneAddresses addresses{};
  for (unsigned lane = 0; lane < kWarpSize; ++lane) addresses.lane[lane] = base + stride * lane;
  return addresses;
}

AccessList coalesce(const LaneAddresses& addresses, const Instruction& instruction, Shape shape,
                    LaneMask lanes = kAllLanes, unsigned line_bytes = 128) {
  AccessList out;
  Coalescer(line_bytes).coalesce(addresses, lanes, instruction, shape, out);
  return out;
}

class Stride : public ::testing::TestWithParam<unsigned> {};

TEST_P(Stride, WordsAtAStrideTouchAsManyLinesAsTheySpan) {
  const AccessList out = coalesce(strided(kBase, 4 * GetParam()), moving(4), Shape::kLines);
  EXPECT_EQ(out.size(), GetParam());
  for (unsigned i = 0; i < out.size(); ++i) {
    EXPECT_EQ(out[i].address, kBase + 128 * (out.size() - 1 - i));
    EXPECT_EQ(out[i].bytes, 128);
    EXPECT_EQ(out[i].sectors, 0xF);
  }
}

INSTANTIATE_TEST_SUITE_P(Words, Stride, ::testing::Range(1U, 33U));

TEST(Coalescer, ABroadcastIsOneAccess) {
  const AccessList load = coalesce(strided(kBase + 68, 0), moving(4), Shape::kLines);
  ASSERT_EQ(load.size(), 1U);
  EXPECT_EQ(load[0].lanes, kAllLanes);
  const AccessList bypass = coalesce(strided(kBase + 68, 0), moving(4), Shape::kTouched);
  ASSERT_EQ(bypass.size(), 1U);
  EXPECT_EQ(bypass[0].address, kBase + 64);
  EXPECT_EQ(bypass[0].bytes, 32);
  EXPECT_EQ(bypass[0].sectors, 0x4);
}

TEST(Coalescer, AMisalignedWarpTouchesTwoLines) {
  const AccessList out = coalesce(strided(kBase + 64, 4), moving(4), Shape::kTouched);
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].address, kBase + 128);
  EXPECT_EQ(out[0].bytes, 64);
  EXPECT_EQ(out[0].sectors, 0x3);
  EXPECT_EQ(out[0].lanes, 0xFFFF0000U);
  EXPECT_EQ(out[1].address, kBase + 64);
  EXPECT_EQ(out[1].bytes, 64);
  EXPECT_EQ(out[1].sectors, 0xC);
  EXPECT_EQ(out[1].lanes, 0x0000FFFFU);
}

TEST(Coalescer, WideElementsTakeSeveralLines) {
  EXPECT_EQ(coalesce(strided(kBase, 8), moving(8), Shape::kLines).size(), 2U);
  EXPECT_EQ(coalesce(strided(kBase, 16), moving(4, 4), Shape::kLines).size(), 4U);
  EXPECT_EQ(coalesce(strided(kBase, 16), moving(8, 2), Shape::kTouched).size(), 4U);
}

TEST(Coalescer, NarrowElementsHaveNarrowSegments) {
  // 32 two-byte elements fill one 64-byte segment, shifted by 32 bytes they touch two.
  EXPECT_EQ(coalesce(strided(kBase, 2), moving(2), Shape::kLines).size(), 1U);
  const AccessList shorts = coalesce(strided(kBase + 32, 2), moving(2), Shape::kLines);
  ASSERT_EQ(shorts.size(), 2U);
  EXPECT_EQ(shorts[0].address, kBase);  // the L1D fetches whole lines
  EXPECT_EQ(shorts[1].address, kBase);
  const AccessList bytes = coalesce(strided(kBase + 16, 1), moving(1), Shape::kTouched);
  ASSERT_EQ(bytes.size(), 2U);
  EXPECT_EQ(bytes[0].address, kBase + 32);
  EXPECT_EQ(bytes[0].bytes, 32);
  EXPECT_EQ(bytes[1].address, kBase);
}

TEST(Coalescer, ShrinksToTheTouchedHalfOrQuarter) {
  const auto bytes_of = [](std::uint64_t from, LaneMask lanes) {
    const AccessList out = coalesce(strided(kBase + from, 4), moving(4), Shape::kTouched, lanes);
    EXPECT_EQ(out.size(), 1U);
    return std::make_pair(out[0].address - kBase, static_cast<unsigned>(out[0].bytes));
  };
  EXPECT_EQ(bytes_of(0, 0x000000FFU), std::make_pair(std::uint64_t{0}, 32U));
  EXPECT_EQ(bytes_of(0, 0x00FF0000U), std::make_pair(std::uint64_t{64}, 32U));
  EXPECT_EQ(bytes_of(0, 0xFFFF0000U), std::make_pair(std::uint64_t{64}, 64U));
  EXPECT_EQ(bytes_of(0, 0x0000FFFFU), std::make_pair(std::uint64_t{0}, 64U));
  EXPECT_EQ(bytes_of(0, 0x00FFFF00U), std::make_pair(std::uint64_t{0}, 128U));  // the middle is no half
}

TEST(Coalescer, OnlyTheGivenLanesCount) {
  EXPECT_EQ(coalesce(strided(kBase, 128), moving(4), Shape::kLines, 0).size(), 0U);
  const AccessList out = coalesce(strided(kBase, 128), moving(4), Shape::kLines, 0x80000010U);
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].address, kBase + 31 * 128);
  EXPECT_EQ(out[1].address, kBase + 4 * 128);
  EXPECT_EQ(out[1].lanes, 0x10U);
}

TEST(Coalescer, GoesDownFromTheHighestAddress) {
  LaneAddresses addresses = strided(kBase, 0);
  addresses.lane[0] = kBase + 256;
  addresses.lane[1] = kBase + 1280;
  addresses.lane[31] = kBase + 1284;
  const AccessList out = coalesce(addresses, moving(4), Shape::kLines);
  ASSERT_EQ(out.size(), 3U);
  EXPECT_EQ(out[0].address, kBase + 1280);
  EXPECT_EQ(out[1].address, kBase + 256);
  EXPECT_EQ(out[2].address, kBase);
  EXPECT_EQ(out[0].lanes, 0x80000002U);
}

TEST(Coalescer, AtomicsOfOneLineGoFromTheLastLaneOfAWordToItsFirst) {
  const AccessList out = coalesce(strided(kBase, 0), moving(4), Shape::kAtomic, 0x7U);
  ASSERT_EQ(out.size(), 3U);
  EXPECT_EQ(out[0].lanes, 0x4U);
  EXPECT_EQ(out[1].lanes, 0x2U);
  EXPECT_EQ(out[2].lanes, 0x1U);
}

TEST(Coalescer, AccessesStayWithinShorterLines) {
  const AccessList out = coalesce(strided(kBase, 4), moving(4), Shape::kLines, kAllLanes, 64);
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].bytes, 64);
  EXPECT_EQ(out[0].address, kBase + 64);
  EXPECT_EQ(out[0].sectors, 0xC);
  EXPECT_EQ(out[1].sectors, 0x3);
}

class AtomicMultiplicity : public ::testing::TestWithParam<unsigned> {};

TEST_P(AtomicMultiplicity, LanesOnTheSameWordTakeTurns) {
  LaneAddresses addresses{};
  for (unsigned lane = 0; lane < kWarpSize; ++lane) addresses.lane[lane] = kBase + 4 * (lane / GetParam());
  const AccessList out = coalesce(addresses, moving(4), Shape::kAtomic);
  EXPECT_EQ(out.size(), GetParam());
  LaneMask seen = 0;
  for (unsigned i = 0; i < out.size(); ++i) {
    EXPECT_EQ(seen & out[i].lanes, 0U);
    seen |= out[i].lanes;
    std::set<std::uint64_t> words;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      if ((out[i].lanes >> lane & 1U) != 0) {
        EXPECT_TRUE(words.insert(addresses.lane[lane]).second);
      }
    }
  }
  EXPECT_EQ(seen, kAllLanes);
}

INSTANTIATE_TEST_SUITE_P(Lanes, AtomicMultiplicity, ::testing::Values(1, 2, 4, 8, 16, 32));

TEST(Coalescer, LocalWordsOfAWarpAreAdjacent) {
  const LocalWindow window{kBase, 4096, 64};
  const LaneAddresses offsets = strided(8, 0);  // every lane its third word
  AccessList out;
  Coalescer(128).coalesce_local(offsets, kAllLanes, moving(4), Shape::kLines, window, out);
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].address, kBase + (2 * 4096 + 64) * 4);
  Coalescer(128).coalesce_local(offsets, kAllLanes, moving(8), Shape::kTouched, window, out);
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].address - out[1].address, 4096U * 4);
  EXPECT_EQ(out[1].lanes, kAllLanes);
}

TEST(Coalescer, LocalBytesShareTheirWord) {
  const LocalWindow window{kBase, 1024, 0};
  EXPECT_EQ(window.address(3, 5), kBase + (1 * 1024 + 3) * 4 + 1);
  AccessList out;
  Coalescer(128).coalesce_local(strided(5, 0), 0xFU, moving(1), Shape::kTouched, window, out);
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].address, kBase + 4096);
  EXPECT_EQ(out[0].bytes, 32);
}

TEST(Coalescer, DivergentLocalVectorsFitTheList) {
  LaneAddresses offsets{};
  for (unsigned lane = 0; lane < kWarpSize; ++lane) offsets.lane[lane] = lane * 64;
  AccessList out;
  Coalescer(128).coalesce_local(offsets, kAllLanes, moving(4, 4), Shape::kLines, {kBase, 1024, 0}, out);
  EXPECT_EQ(out.size(), 128U);
}

TEST(Coalescer, RefusesOtherLines) {
  EXPECT_THROW(Coalescer(256), std::invalid_argument);
  EXPECT_THROW(Coalescer(0), std::invalid_argument);
}

/// What the rules say of one warp, byte by byte.
struct Expected {
  std::set<std::uint64_t> bytes;
  LaneMask lanes = 0;
};

std::vector<Expected> by_bytes(const LaneAddresses& addresses, LaneMask lanes, unsigned bytes,
                               std::uint64_t segment) {
  std::map<std::uint64_t, Expected, std::greater<>> segments;  // in the order of the accesses
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if ((lanes & (1U << lane)) == 0) continue;
    for (unsigned byte = 0; byte < bytes; ++byte) {
      const std::uint64_t address = addresses.lane[lane] + byte;
      const std::uint64_t key = address / segment;
      segments[key].bytes.insert(address);
      segments[key].lanes |= 1U << lane;
    }
  }
  std::vector<Expected> result;
  for (const auto& [key, segment_bytes] : segments) result.push_back(segment_bytes);
  return result;
}

void expect_touched(const Access& access, const Expected& expected) {
  EXPECT_EQ(access.lanes, expected.lanes);
  const std::uint64_t low = *expected.bytes.begin();
  const std::uint64_t high = *expected.bytes.rbegin();
  unsigned size = 32;
  while (low / size != high / size) size *= 2;
  EXPECT_EQ(access.bytes, size);
  EXPECT_EQ(access.address, low / size * size);
  unsigned sectors = 0;
  for (const std::uint64_t byte : expected.bytes) sectors |= 1U << (byte % 128 / 32);
  EXPECT_EQ(access.sectors, sectors);
}

TEST(Coalescer, AgreesWithACountOfBytes) {
  std::mt19937 random(7);
  const std::pair<unsigned, unsigned> kinds[] = {{1, 1}, {1, 4}, {2, 1}, {2, 2}, {4, 1},
                                                 {4, 2}, {4, 4}, {8, 1}, {8, 2}};
  for (unsigned round = 0; round < 3000; ++round) {
    const auto [element, vector] = kinds[random() % 9];
    const unsigned bytes = element * vector;
    const std::uint64_t range = std::uint64_t{1} << (random() % 14);
    const bool aligned = random() % 4 != 0;
    LaneAddresses addresses{};
    for (auto& address : addresses.lane) {
      address = kBase + random() % (range * bytes);
      if (aligned) address -= address % bytes;
    }
    const LaneMask lanes = static_cast<LaneMask>(random()) | (random() % 2 == 0 ? kAllLanes : 1U);
    const std::uint64_t segment = element >= 4 ? 128 : element * 32;
    const std::vector<Expected> expected = by_bytes(addresses, lanes, bytes, segment);

    const AccessList touched = coalesce(addresses, moving(element, vector), Shape::kTouched, lanes);
    ASSERT_EQ(touched.size(), expected.size());
    for (unsigned i = 0; i < touched.size(); ++i) expect_touched(touched[i], expected[i]);

    const AccessList lines = coalesce(addresses, moving(element, vector), Shape::kLines, lanes);
    ASSERT_EQ(lines.size(), expected.size());
    for (unsigned i = 0; i < lines.size(); ++i) {
      EXPECT_EQ(lines[i].address, *expected[i].bytes.begin() / 128 * 128);
      EXPECT_EQ(lines[i].bytes, 128);
      EXPECT_EQ(lines[i].lanes, expected[i].lanes);
    }
  }
}

}  // namespace
}  // namespace heddle
