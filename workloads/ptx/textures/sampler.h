#pragma once

#include <array>
#include <cstdint>

#include "workloads/launch/texture.h"

namespace heddle::ptx {

/// The texels that one fetch reads, at most two in each dimension, and their weights.
struct Footprint {
  struct Texel {
    std::array<std::uint32_t, 3> at{};  ///< x, y, z
    double weight = 1;
  };
  std::array<Texel, 8> texels;
  unsigned number = 0;  ///< 0: all beyond a border
};

/// Four 32-bit results, as bits: x, y, z, w.
using TexelBits = std::array<std::uint32_t, 4>;

/// The texels at integer coordinates: what lies beyond linear memory is zeros, beyond other memory as the
/// address mode says.
Footprint texels_at(const Texture& texture, const std::array<std::int32_t, 3>& place);

/// The texels at float coordinates, by the texture's filter and address modes. With the linear filter i is
/// floor(x - 0.5) and the weight of texel i + 1 is x - 0.5 - i, rounded to 8 fractional bits (CUDA C
/// Programming Guide, "Texture Fetching": 9-bit fixed point, so that 1 is exact).
Footprint texels_at(const Texture& texture, const std::array<float, 3>& place);

/// The value of these texels, with `data` the texture's texel (0, 0, 0) in the host's memory. Integers come
/// sign- or zero-extended; weighted sums are made in doubles and rounded once. Components that the format
/// does not have are 0, and 1 in w.
TexelBits read_texels(const Texture& texture, const Footprint& footprint, const std::uint8_t* data);

}  // namespace heddle::ptx
