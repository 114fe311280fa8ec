#include "modules/memory_partition/address_map.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <stdexcept>

namespace heddle {
namespace {

AddressMap make_map(unsigned channels, unsigned slices = 2, unsigned interleave = 256) {
  AddressMapConfig map;
  map.channel_interleave_bytes = interleave;
  L2Config l2;
  l2.slices_per_channel = slices;
  DramConfig dram;
  dram.channels = channels;
  return {map, l2, dram};
}

TEST(AddressMap, DealsInterleaveBlocksToTheChannelsThenToTheOtherSlice) {
  const AddressMap map = make_map(6);
  for (unsigned block = 0; block < 24; ++block) {
    const MemoryLocation location = map.locate(std::uint64_t{block} * 256 + 17);
    EXPECT_EQ(location.channel, block % 6) << block;
    EXPECT_EQ(location.slice, block % 6 * 2 + block / 6 % 2) << block;
    EXPECT_EQ(map.slice_of(std::uint64_t{block} * 256 + 17), location.slice) << block;
  }
}

// gtx480.md, "Address map": R...R.BBBCCCCB.CCSSSSSS of the address in the channel.
TEST(AddressMap, SplitsTheChannelAddressByTheReferenceMask) {
  const AddressMap map = make_map(1);
  const auto at = [&map](unsigned bit) { return map.locate(std::uint64_t{1} << bit); };
  for (unsigned bit = 0; bit < 6; ++bit) EXPECT_EQ(at(bit).offset, 1U << bit);
  EXPECT_EQ(at(6).column, 1U);
  EXPECT_EQ(at(7).column, 2U);
  EXPECT_EQ(at(8).bank, 1U);
  EXPECT_EQ(at(9).column, 4U);
  EXPECT_EQ(at(12).column, 32U);
  EXPECT_EQ(at(13).bank, 2U);
  EXPECT_EQ(at(15).bank, 8U);
  EXPECT_EQ(at(16).row, 1U);
  EXPECT_EQ(at(27).row, 1U << 11);
}

TEST(AddressMap, IsOneToOneForEveryChannelCount) {
  std::mt19937_64 random(1);
  for (const unsigned channels : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 12U}) {
    for (const unsigned slices : {1U, 2U, 4U}) {
      for (const unsigned interleave : {128U, 256U, 1024U, 4096U}) {
        const AddressMap map = make_map(channels, slices, interleave);
        for (int i = 0; i < 200; ++i) {
          const std::uint64_t address = random() >> 24;
          const MemoryLocation location = map.locate(address);
          ASSERT_LT(location.channel, channels);
          ASSERT_LT(location.bank, 16U);
          ASSERT_LT(location.column, 64U);
          ASSERT_LT(location.slice, map.slices());
          ASSERT_EQ(map.address_of(location), address);
        }
      }
    }
  }
}

TEST(AddressMap, CoversEveryPlaceOfSmallMemoriesOnce) {
  const AddressMap map = make_map(3);
  std::set<std::uint64_t> places;
  constexpr unsigned kAtoms = 3 * 16 * 64 * 4;
  for (std::uint64_t atom = 0; atom < kAtoms; ++atom) {
    const MemoryLocation l = map.locate(atom * 64);
    ASSERT_LT(l.row, 4U);
    places.insert(((l.channel * 16ULL + l.bank) * 64 + l.column) * 4 + l.row);
  }
  EXPECT_EQ(places.size(), kAtoms);
}

TEST(AddressMap, SliceAddressesAreDenseInEverySlice) {
  const AddressMap map = make_map(6);
  std::vector<std::set<std::uint64_t>> lines(map.slices());
  for (std::uint64_t line = 0; line < 12 * 64; ++line) {
    lines[map.slice_of(line * 128)].insert(map.slice_address(line * 128) / 128);
  }
  for (const auto& of_slice : lines) {
    EXPECT_EQ(of_slice.size(), 64U);
    EXPECT_EQ(*of_slice.rbegin(), 63U);
  }
}

TEST(AddressMap, RefusesWhatItCanNotSplit) {
  EXPECT_THROW(make_map(0), std::invalid_argument);
  EXPECT_THROW(make_map(6, 3), std::invalid_argument);
  EXPECT_THROW(make_map(6, 32), std::invalid_argument);
  EXPECT_THROW(make_map(6, 2, 64), std::invalid_argument);
  EXPECT_THROW(make_map(6, 2, 8192), std::invalid_argument);
  EXPECT_THROW(make_map(6, 2, 300), std::invalid_argument);
}

}  // namespace
}  // namespace heddle
