#pragma once

#include <array>
#include <cstdint>

namespace heddle {

/// Type of a texel's components.
enum class TexelType : std::uint8_t { kU8, kI8, kU16, kI16, kU32, kI32, kF32 };
constexpr unsigned bytes_of(TexelType type) {
  return type < TexelType::kU16 ? 1 : type < TexelType::kU32 ? 2 : 4;
}

/// What a coordinate beyond the texture reads.
enum class AddressMode : std::uint8_t {
  kWrap,    ///< the texture again, from its other end
  kClamp,   ///< the outermost texel
  kMirror,  ///< the texture in the opposite direction
  kBorder,  ///< zeros
};

/// Where texels lie.
enum class TextureMemory : std::uint8_t {
  kLinear,   ///< one after the other: one dimension, integer coordinates alone, zeros beyond the end
  kPitched,  ///< rows with a pitch: two dimensions
  kArray,    ///< opaque to programs: tiles (see texel_offset()), each of one to three dimensions
};

/// A texture: memory, and how tex instructions read it (CUDA C Programming Guide, "Texture Memory").
///
/// The values lie row after row in a buffer, whatever `memory` says; what the texture cache sees of an array
/// are addresses of the tiled copy that the hardware would have.
struct Texture {
  std::uint64_t address = 0;         ///< of the texel (0, 0, 0) in the buffer; 0: unbound
  std::uint64_t pitch_bytes = 0;     ///< from a row in the buffer to the next
  std::uint64_t cached_address = 0;  ///< of what the texture cache sees: `address`, or the tiled copy
  std::array<std::uint32_t, 3> size = {1, 1, 1};  ///< in texels
  std::uint8_t dimensions = 1;
  TexelType type = TexelType::kF32;
  std::uint8_t components = 1;  ///< 1, 2 or 4
  TextureMemory memory = TextureMemory::kLinear;
  std::array<AddressMode, 3> mode = {AddressMode::kClamp, AddressMode::kClamp, AddressMode::kClamp};
  bool linear_filter = false;    ///< otherwise the texel that holds the point
  bool normalized = false;       ///< float coordinates from 0 to 1 instead of to the size
  bool normalized_read = false;  ///< integers of 8 and 16 bits are read as floats of [0, 1] or [-1, 1]

  unsigned texel_bytes() const { return bytes_of(type) * components; }
};

/// Tiles of an array of two or three dimensions, as the hardware's block-linear layout has them: 64 bytes of
/// 8 rows, in which 32 neighbouring bytes are 16 of two rows (Tegra X1 Technical Reference Manual, "Block
/// Linear"). A line of 128 bytes holds 32 bytes of 4 rows. Tiles lie row after row, slices one after the
/// other.
constexpr std::uint64_t kTileRowBytes = 64;
constexpr std::uint64_t kTileRows = 8;
constexpr std::uint64_t kTileBytes = kTileRowBytes * kTileRows;

/// Offset from Texture::cached_address of a texel.
inline std::uint64_t texel_offset(const Texture& texture, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  const std::uint64_t byte = std::uint64_t{x} * texture.texel_bytes();
  if (texture.memory != TextureMemory::kArray || texture.dimensions == 1)
    return y * texture.pitch_bytes + byte;
  const std::uint64_t row_bytes = std::uint64_t{texture.size[0]} * texture.texel_bytes();
  const std::uint64_t tiles_x = (row_bytes + kTileRowBytes - 1) / kTileRowBytes;
  const std::uint64_t tiles_y = (texture.size[1] + kTileRows - 1) / kTileRows;
  const std::uint64_t tile = (z * tiles_y + y / kTileRows) * tiles_x + byte / kTileRowBytes;
  const std::uint64_t in_row = byte % kTileRowBytes;
  const std::uint64_t row = y % kTileRows;
  return tile * kTileBytes + in_row / 32 * 256 + row / 2 * 64 + in_row % 32 / 16 * 32 + row % 2 * 16 +
         in_row % 16;
}

/// Bytes of the tiled copy of an array.
inline std::uint64_t array_bytes(const Texture& texture) {
  const std::uint64_t row_bytes = std::uint64_t{texture.size[0]} * texture.texel_bytes();
  if (texture.dimensions == 1) return row_bytes;
  const std::uint64_t tiles = (row_bytes + kTileRowBytes - 1) / kTileRowBytes *
                              ((texture.size[1] + kTileRows - 1) / kTileRows) * texture.size[2];
  return tiles * kTileBytes;
}

}  // namespace heddle
