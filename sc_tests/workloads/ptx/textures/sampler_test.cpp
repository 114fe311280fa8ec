#include "workloads/ptx/textures/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace heddle::ptx {
namespace {

float as_float(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// Texels that hold their number, row after row, from 0.
struct Picture {
  Picture(std::uint32_t width, std::uint32_t height = 1, std::uint32_t depth = 1) {
    texture.size = {width, height, depth};
    texture.dimensions = depth > 1 ? 3 : height > 1 ? 2 : 1;
    texture.memory = TextureMemory::kArray;
    texture.pitch_bytes = width * 4;
    for (unsigned i = 0; i < width * height * depth; ++i) data.push_back(static_cast<float>(i));
  }
  const std::uint8_t* bytes() const { return reinterpret_cast<const std::uint8_t*>(data.data()); }
  float at(float x, float y = 0, float z = 0) const {
    return as_float(read_texels(texture, texels_at(texture, std::array<float, 3>{x, y, z}), bytes())[0]);
  }
  float fetch(std::int32_t x, std::int32_t y = 0) const {
    return as_float(
        read_texels(texture, texels_at(texture, std::array<std::int32_t, 3>{x, y, 0}), bytes())[0]);
  }

  Texture texture;
  std::vector<float> data;
};

TEST(Sampler, APointIsInTheTexelThatHoldsIt) {
  const Picture row(4);
  EXPECT_EQ(row.at(0), 0);
  EXPECT_EQ(row.at(0.999F), 0);
  EXPECT_EQ(row.at(1), 1);
  EXPECT_EQ(row.at(3.5F), 3);
  const Picture plane(4, 3);
  EXPECT_EQ(plane.at(2.5F, 1.25F), 6);
  const Picture box(4, 3, 2);
  EXPECT_EQ(box.at(3, 2, 1), 23);
}

TEST(Sampler, WhatLiesBeyondIsTheOutermostTexelOrZeros) {
  Picture row(4);
  EXPECT_EQ(row.at(-7), 0);
  EXPECT_EQ(row.at(4), 3);
  EXPECT_EQ(row.at(std::numeric_limits<float>::infinity()), 3);
  EXPECT_EQ(row.at(std::numeric_limits<float>::quiet_NaN()), 0);
  EXPECT_EQ(row.fetch(-1), 0);
  EXPECT_EQ(row.fetch(9), 3);
  row.texture.mode.fill(AddressMode::kBorder);
  row.data[0] = 5;
  EXPECT_EQ(row.at(-0.1F), 0);
  EXPECT_EQ(row.at(0), 5);
  EXPECT_EQ(row.at(4), 0);
  EXPECT_EQ(row.fetch(4), 0);
  EXPECT_EQ(texels_at(row.texture, std::array<float, 3>{4, 0, 0}).number, 0U);
}

TEST(Sampler, LinearMemoryHasZerosBeyondItsEnd) {
  Picture row(4);
  row.texture.memory = TextureMemory::kLinear;
  EXPECT_EQ(row.fetch(3), 3);
  EXPECT_EQ(row.fetch(4), 0);
  row.data[0] = 5;
  EXPECT_EQ(row.fetch(0), 5);
  EXPECT_EQ(row.fetch(-1), 0);
  EXPECT_EQ(row.fetch(std::numeric_limits<std::int32_t>::min()), 0);
}

TEST(Sampler, WrapBeginsAgainAndMirrorTurnsRound) {
  Picture row(4);
  row.texture.normalized = true;
  row.texture.mode.fill(AddressMode::kWrap);
  EXPECT_EQ(row.at(0.25F), 1);
  EXPECT_EQ(row.at(1.25F), 1);
  EXPECT_EQ(row.at(-0.25F), 3);
  EXPECT_EQ(row.at(1), 0);
  row.texture.mode.fill(AddressMode::kMirror);
  EXPECT_EQ(row.at(0.25F), 1);
  EXPECT_EQ(row.at(1.1F), 3);
  EXPECT_EQ(row.at(-0.1F), 0);
  EXPECT_EQ(row.at(-0.9F), 3);
  EXPECT_EQ(row.at(2.3F), 1);
  row.texture.mode.fill(AddressMode::kClamp);
  EXPECT_EQ(row.at(1.25F), 3);
}

TEST(Sampler, TheLinearFilterMixesNeighboursWithEightBitsOfWeight) {
  Picture row(4);
  row.texture.linear_filter = true;
  EXPECT_EQ(row.at(1.5F), 1);  // the middle of texel 1
  EXPECT_EQ(row.at(2), 1.5F);
  EXPECT_EQ(row.at(1.5F + 1.0F / 256), 1 + 1.0F / 256);
  EXPECT_EQ(row.at(1.5F + 1.4F / 256), 1 + 1.0F / 256);  // rounded to the nearest
  EXPECT_EQ(row.at(1.5F + 1.6F / 256), 1 + 2.0F / 256);
  EXPECT_EQ(row.at(1.5F + 255.6F / 256), 2);  // the weight is 1, which 9 bits hold
  EXPECT_EQ(row.at(0), 0);
  EXPECT_EQ(row.at(4), 3);
}

TEST(Sampler, TheLinearFilterMixesInEachDimension) {
  Picture plane(4, 3);
  plane.texture.linear_filter = true;
  EXPECT_EQ(plane.at(2, 2), (5 + 6 + 9 + 10) / 4.0F);
  EXPECT_EQ(texels_at(plane.texture, std::array<float, 3>{2, 2, 0}).number, 4U);
  EXPECT_EQ(texels_at(plane.texture, std::array<float, 3>{1.5F, 2, 0}).number, 2U);
  Picture box(4, 3, 2);
  box.texture.linear_filter = true;
  EXPECT_EQ(box.at(2, 2, 1), (5 + 6 + 9 + 10) / 4.0F + 6);
  EXPECT_EQ(texels_at(box.texture, std::array<float, 3>{2, 2, 1}).number, 8U);
}

TEST(Sampler, TheLinearFilterGoesAroundTheRim) {
  Picture row(4);
  row.texture.linear_filter = true;
  row.texture.mode.fill(AddressMode::kBorder);
  EXPECT_EQ(row.at(4), 1.5F);  // half of texel 3, half of the border
  row.texture.normalized = true;
  row.texture.mode.fill(AddressMode::kWrap);
  EXPECT_EQ(row.at(1), 1.5F);  // half of texel 3, half of texel 0
  EXPECT_EQ(row.at(0), 1.5F);
  row.texture.mode.fill(AddressMode::kMirror);
  EXPECT_EQ(row.at(1), 3);
}

TEST(Sampler, FormatsAreExtendedOrNormalised) {
  const auto read = [](TexelType type, unsigned components, bool normalized,
                       std::vector<std::uint8_t> bytes) {
    Texture texture;
    texture.type = type;
    texture.components = static_cast<std::uint8_t>(components);
    texture.normalized_read = normalized;
    return read_texels(texture, texels_at(texture, std::array<std::int32_t, 3>{0, 0, 0}), bytes.data());
  };
  EXPECT_EQ(read(TexelType::kU8, 4, false, {1, 2, 255, 4}), (TexelBits{1, 2, 255, 4}));
  EXPECT_EQ(read(TexelType::kI8, 2, false, {0xFF, 0x80}), (TexelBits{0xFFFFFFFF, 0xFFFFFF80, 0, 1}));
  EXPECT_EQ(read(TexelType::kU16, 1, false, {0x34, 0xFF}), (TexelBits{0xFF34, 0, 0, 1}));
  EXPECT_EQ(read(TexelType::kI16, 1, false, {0x34, 0xFF}), (TexelBits{0xFFFFFF34, 0, 0, 1}));
  EXPECT_EQ(read(TexelType::kI32, 1, false, {1, 2, 3, 4}), (TexelBits{0x04030201, 0, 0, 1}));
  const TexelBits one = read(TexelType::kU8, 1, true, {255});
  EXPECT_EQ(as_float(one[0]), 1);
  EXPECT_EQ(as_float(one[1]), 0);
  EXPECT_EQ(as_float(one[3]), 1);
  EXPECT_EQ(as_float(read(TexelType::kI8, 1, true, {0x80})[0]), -1);
  EXPECT_EQ(as_float(read(TexelType::kI8, 1, true, {0x81})[0]), -1);
  EXPECT_EQ(as_float(read(TexelType::kU16, 1, true, {0xFF, 0xFF})[0]), 1);
  EXPECT_EQ(as_float(read(TexelType::kI16, 1, true, {0xFF, 0x7F})[0]), 1);
  // Bits of floats come through as they are, signalling NaNs too.
  EXPECT_EQ(read(TexelType::kF32, 1, false, {1, 0, 0xA0, 0x7F})[0], 0x7FA00001U);
}

TEST(TextureTiles, ALineHoldsThirtyTwoBytesOfFourRows) {
  Texture texture;
  texture.memory = TextureMemory::kArray;
  texture.dimensions = 2;
  texture.size = {40, 20, 1};  // 160 bytes a row: three tiles of 64
  EXPECT_EQ(array_bytes(texture), 3U * 3 * 512);
  std::vector<bool> used(array_bytes(texture) / 4);
  for (std::uint32_t y = 0; y < 20; ++y) {
    for (std::uint32_t x = 0; x < 40; ++x) {
      const std::uint64_t offset = texel_offset(texture, x, y, 0);
      ASSERT_LT(offset, array_bytes(texture));
      EXPECT_FALSE(used[offset / 4]) << x << ' ' << y;
      used[offset / 4] = true;
      EXPECT_EQ(offset / 128, (y / 8 * 3 + x / 16) * 4 + x % 16 / 8 * 2 + y % 8 / 4) << x << ' ' << y;
    }
  }
}

TEST(TextureTiles, SlicesFollowEachOther) {
  Texture texture;
  texture.memory = TextureMemory::kArray;
  texture.dimensions = 3;
  texture.size = {16, 8, 3};
  EXPECT_EQ(texel_offset(texture, 0, 0, 2), 1024U);
  EXPECT_EQ(array_bytes(texture), 3 * 512U);
}

}  // namespace
}  // namespace heddle::ptx
