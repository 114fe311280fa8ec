#include "modules/cache/tag_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>

namespace heddle::test {
namespace {

CacheConfig config(unsigned sets, unsigned ways, unsigned line_bytes = 128,
                   SetIndex index = SetIndex::kLinear) {
  return {sets, ways, line_bytes, index};
}

TEST(TagArray, LinearIndexTakesTheBitsAboveTheLineOffset) {
  const TagArray tags(config(64, 8));
  EXPECT_EQ(tags.set_of(0), 0U);
  EXPECT_EQ(tags.set_of(127), 0U);
  EXPECT_EQ(tags.set_of(128), 1U);
  EXPECT_EQ(tags.set_of(63 * 128), 63U);
  EXPECT_EQ(tags.set_of(64 * 128), 0U);
}

TEST(TagArray, HashedIndexXorsBits13To15And17And19OntoBits7To11) {
  const TagArray tags(config(32, 4, 128, SetIndex::kHashed));
  EXPECT_EQ(tags.set_of(0x80), 1U);
  EXPECT_EQ(tags.set_of(0x800), 16U);
  EXPECT_EQ(tags.set_of(0x1000), 0U);  // bit 12 does not take part
  EXPECT_EQ(tags.set_of(0x2000), 1U);
  EXPECT_EQ(tags.set_of(0x4000), 2U);
  EXPECT_EQ(tags.set_of(0x8000), 4U);
  EXPECT_EQ(tags.set_of(0x10000), 0U);
  EXPECT_EQ(tags.set_of(0x20000), 8U);
  EXPECT_EQ(tags.set_of(0x40000), 0U);
  EXPECT_EQ(tags.set_of(0x80000), 16U);
  EXPECT_EQ(tags.set_of(0x2080), 0U);
  EXPECT_EQ(tags.set_of(0xAE000 | 0xF80), 31U ^ 31U);
}

TEST(TagArray, EveryHashSpreadsAnAlignedBlockOverAllSets) {
  for (const unsigned sets : {4U, 16U, 32U, 64U, 128U}) {
    for (const unsigned line : {64U, 128U}) {
      const TagArray tags(config(sets, 1, line, SetIndex::kHashed));
      for (const std::uint64_t base : {std::uint64_t{0}, std::uint64_t{1} << 20, std::uint64_t{0x7A0000}}) {
        std::set<unsigned> seen;
        for (unsigned i = 0; i < sets; ++i) seen.insert(tags.set_of(base + i * line));
        EXPECT_EQ(seen.size(), sets) << sets << " sets of " << line << " bytes";
        EXPECT_LT(*seen.rbegin(), sets);
      }
    }
  }
}

TEST(TagArray, FindsWhatWasFilledAndNothingElse) {
  TagArray tags(config(4, 2));
  const unsigned set = tags.set_of(0x1000);
  tags.fill(tags.victim(set), 0x1000, tags.all_sectors());
  EXPECT_NE(tags.find(0x1000), TagArray::kNoLine);
  EXPECT_EQ(tags.find(0x107F), tags.find(0x1000));
  EXPECT_EQ(tags.find(0x1080), TagArray::kNoLine);
  EXPECT_EQ(tags.find(0x1000 + 4 * 128), TagArray::kNoLine);  // same set
  EXPECT_EQ(tags.find(0), TagArray::kNoLine);
  EXPECT_EQ(tags.line(tags.find(0x1000)).state, LineState::kValid);
}

TEST(TagArray, VictimIsAnInvalidLineThenTheLeastRecentlyUsed) {
  TagArray tags(config(1, 3));
  std::uint64_t a = 0x000, b = 0x080, c = 0x100, d = 0x180;
  for (const std::uint64_t address : {a, b, c}) {
    const unsigned line = tags.victim(0);
    EXPECT_EQ(tags.line(line).state, LineState::kInvalid);
    EXPECT_EQ(tags.fill(line, address, 0xF).valid, 0);
  }
  tags.touch(tags.find(a));
  EXPECT_EQ(tags.victim(0), tags.find(b));
  const Eviction evicted = tags.fill(tags.victim(0), d, 0xF);
  EXPECT_EQ(evicted.address, b);
  EXPECT_EQ(evicted.valid, 0xF);
  EXPECT_EQ(evicted.dirty, 0);
  EXPECT_EQ(tags.victim(0), tags.find(c));
  tags.invalidate(tags.find(a));
  EXPECT_EQ(tags.find(a), TagArray::kNoLine);
  EXPECT_EQ(tags.line(tags.victim(0)).state, LineState::kInvalid);
}

TEST(TagArray, FindDoesNotChangeTheOrder) {
  TagArray tags(config(1, 2));
  tags.fill(tags.victim(0), 0x000, 0xF);
  tags.fill(tags.victim(0), 0x080, 0xF);
  tags.find(0x000);
  EXPECT_EQ(tags.victim(0), tags.find(0x000));
}

TEST(TagArray, ReservedLinesAreNotReplacedAndAllReservedIsAFailure) {
  TagArray tags(config(1, 2));
  tags.reserve(tags.victim(0), 0x000, 0xF);
  EXPECT_EQ(tags.line(tags.find(0x000)).state, LineState::kReserved);
  tags.fill(tags.victim(0), 0x080, 0xF);
  EXPECT_EQ(tags.victim(0), tags.find(0x080));
  EXPECT_FALSE(tags.all_reserved(0));
  tags.reserve(tags.victim(0), 0x100, 0xF);
  EXPECT_EQ(tags.reserved_lines(), 2U);
  EXPECT_EQ(tags.victim(0), TagArray::kNoLine);
  EXPECT_TRUE(tags.all_reserved(0));
  tags.fill(tags.find(0x000), 0x000, 0xF);
  EXPECT_EQ(tags.reserved_lines(), 1U);
  EXPECT_FALSE(tags.all_reserved(0));
  EXPECT_EQ(tags.victim(0), tags.find(0x000));
}

TEST(TagArray, AFetchedLineIsAsRecentAsItsLastUseWheneverItComes) {
  TagArray tags(config(1, 2));
  tags.reserve(tags.victim(0), 0x000, 0xF);
  tags.reserve(tags.victim(0), 0x080, 0xF);
  tags.fill(tags.find(0x080), 0x080, 0xF);
  tags.fill(tags.find(0x000), 0x000, 0xF);
  EXPECT_EQ(tags.victim(0), tags.find(0x000));
  tags.reserve(tags.victim(0), 0x100, 0xF);  // 0x080 stays
  tags.touch(tags.find(0x080));
  tags.fill(tags.find(0x100), 0x100, 0xF);
  EXPECT_EQ(tags.victim(0), tags.find(0x100));
  tags.reserve(tags.find(0x080), 0x080, 0xF);
  tags.touch(tags.find(0x100));
  tags.touch(tags.find(0x080));  // while it is reserved
  tags.fill(tags.find(0x080), 0x080, 0xF);
  EXPECT_EQ(tags.victim(0), tags.find(0x100));
}

TEST(TagArray, ALineStaysReservedUntilItsLastPendingSectorComes) {
  TagArray tags(config(1, 1));
  tags.reserve(0, 0x000, 0b0101);
  tags.fill(0, 0x000, 0b0001);
  EXPECT_EQ(tags.line(0).state, LineState::kReserved);
  EXPECT_EQ(tags.line(0).valid, 0b0001);
  EXPECT_EQ(tags.line(0).pending, 0b0100);
  tags.fill(0, 0x000, 0b0100);
  EXPECT_EQ(tags.line(0).state, LineState::kValid);
  EXPECT_EQ(tags.line(0).valid, 0b0101);
}

TEST(TagArray, WritesMakeSectorsValidAndDirtyAndAreEvictedAsSuch) {
  TagArray tags(config(1, 1));
  tags.write(0, 0x000, 0b0010);
  EXPECT_EQ(tags.line(0).state, LineState::kModified);
  tags.reserve(0, 0x000, 0b1000);
  EXPECT_EQ(tags.line(0).state, LineState::kReserved);
  tags.fill(0, 0x000, 0b1000);
  EXPECT_EQ(tags.line(0).state, LineState::kModified);
  const Eviction evicted = tags.reserve(0, 0x080, 0xF);
  EXPECT_EQ(evicted.address, 0U);
  EXPECT_EQ(evicted.valid, 0b1010);
  EXPECT_EQ(evicted.dirty, 0b0010);
  EXPECT_EQ(tags.line(0).dirty, 0);
  EXPECT_EQ(tags.address_of(0), 0x080U);
}

TEST(TagArray, FlushDropsAllButReservedLines) {
  TagArray tags(config(2, 2));
  tags.fill(0, 0x000, 0xF);
  tags.write(2, 0x080, 0xF);
  tags.reserve(1, 0x100, 0xF);
  tags.flush();
  EXPECT_EQ(tags.find(0x000), TagArray::kNoLine);
  EXPECT_EQ(tags.find(0x080), TagArray::kNoLine);
  EXPECT_EQ(tags.find(0x100), 1U);
  EXPECT_EQ(tags.reserved_lines(), 1U);
}

TEST(TagArray, SectorsFollowTheLineSize) {
  EXPECT_EQ(TagArray(config(1, 1, 16)).all_sectors(), 0b1);
  EXPECT_EQ(TagArray(config(1, 1, 32)).all_sectors(), 0b1);
  EXPECT_EQ(TagArray(config(1, 1, 64)).all_sectors(), 0b11);
  EXPECT_EQ(TagArray(config(1, 1, 128)).all_sectors(), 0b1111);
  EXPECT_EQ(TagArray(config(1, 1, 256)).all_sectors(), 0xFF);
}

TEST(TagArray, ImpossibleShapesAreRejected) {
  EXPECT_THROW(TagArray(config(0, 1)), std::invalid_argument);
  EXPECT_THROW(TagArray(config(12, 1)), std::invalid_argument);
  EXPECT_THROW(TagArray(config(4, 0)), std::invalid_argument);
  EXPECT_THROW(TagArray(config(4, 1, 96)), std::invalid_argument);
  EXPECT_THROW(TagArray(config(4, 1, 512)), std::invalid_argument);
}

TEST(TagArray, RandomTrafficAgreesWithListsInOrderOfUse) {
  constexpr unsigned kSets = 8;
  constexpr unsigned kWays = 4;
  TagArray tags(config(kSets, kWays));
  std::vector<std::vector<std::uint64_t>> recency(kSets);  // most recent last
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t address = (random() % 64) * 128;
    const auto set = static_cast<unsigned>(address / 128 % kSets);
    auto& order = recency[set];
    const auto found = std::find(order.begin(), order.end(), address);
    const unsigned line = tags.find(address, set);
    ASSERT_EQ(line != TagArray::kNoLine, found != order.end());
    if (found != order.end()) {
      order.erase(found);
      tags.touch(line);
    } else {
      const Eviction evicted = tags.fill(tags.victim(set), address, 0xF);
      ASSERT_EQ(evicted.valid != 0, order.size() == kWays);
      if (order.size() == kWays) {
        ASSERT_EQ(evicted.address, order.front());
        order.erase(order.begin());
      }
    }
    order.push_back(address);
  }
}

TEST(TagArray, ALineThatIsGivenToAnotherAddressHasNoFillerUntilItIsNoted) {
  TagArray tags(config(1, 1));
  tags.fill(0, 0x1000, 0xF);
  tags.set_filler(LineIndex(0), 7);
  tags.fill(0, 0x1000, 0xF);  // the same line: as it was
  EXPECT_EQ(tags.line(0).filler, 7U);
  EXPECT_EQ(tags.reserve(0, 0x2000, 0xF).filler, 7U);
  EXPECT_EQ(tags.line(0).filler, TagArray::kNoFiller);
}

}  // namespace
}  // namespace heddle::test
