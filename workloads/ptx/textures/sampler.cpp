#include "workloads/ptx/textures/sampler.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace heddle::ptx {

namespace {

/// The texels that a fetch reads in one dimension.
struct Span {
  std::array<std::uint32_t, 2> at{};
  std::array<double, 2> weight = {1, 0};
  unsigned number = 0;
};

constexpr double kWeightSteps = 256;
constexpr double kFarthest = 1 << 30;  ///< coordinates beyond are as good as this one

/// Of texel `index`, which may lie beyond the texture.
void add_texel(std::int64_t index, double weight, std::uint32_t size, AddressMode mode, Span& span) {
  const std::int64_t last = std::int64_t{size} - 1;
  std::int64_t at = index;
  if (index < 0 || index > last) {
    if (mode == AddressMode::kBorder) return;
    at = std::clamp<std::int64_t>(index, 0, last);
    // Coordinates have been brought into the texture: this is a neighbour of the first or last texel.
    if (mode == AddressMode::kWrap) at = index < 0 ? last : 0;
  }
  span.at.at(span.number) = static_cast<std::uint32_t>(at);
  span.weight.at(span.number++) = weight;
}

/// In texels; those of wrap and mirror lie in the texture afterwards.
double in_texels(float coordinate, const Texture& texture, unsigned dimension) {
  double x = coordinate;
  if (texture.normalized) {
    const double whole = std::floor(x);
    const AddressMode mode = texture.mode.at(dimension);
    if (mode == AddressMode::kWrap) x -= whole;
    if (mode == AddressMode::kMirror) {
      const bool forwards = std::fmod(whole, 2) == 0;
      x = forwards ? x - whole : 1 - (x - whole);
    }
    x *= texture.size.at(dimension);
  }
  return std::isnan(x) ? 0 : std::clamp(x, -kFarthest, kFarthest);
}

Span span_at(float coordinate, const Texture& texture, unsigned dimension) {
  const std::uint32_t size = texture.size.at(dimension);
  const AddressMode mode = texture.mode.at(dimension);
  const double x = in_texels(coordinate, texture, dimension);
  Span span;
  if (!texture.linear_filter) {
    add_texel(static_cast<std::int64_t>(std::floor(x)), 1, size, mode, span);
    return span;
  }
  const double first = std::floor(x - 0.5);
  const double weight = std::round((x - 0.5 - first) * kWeightSteps) / kWeightSteps;
  const auto index = static_cast<std::int64_t>(first);
  if (weight < 1) add_texel(index, 1 - weight, size, mode, span);
  if (weight > 0) add_texel(index + 1, weight, size, mode, span);
  return span;
}

Footprint product(const std::array<Span, 3>& spans, unsigned dimensions) {
  Footprint footprint;
  for (unsigned k = 0; k < spans[2].number; ++k) {
    for (unsigned j = 0; j < spans[1].number; ++j) {
      for (unsigned i = 0; i < spans[0].number; ++i) {
        Footprint::Texel& texel = footprint.texels.at(footprint.number++);
        texel.at = {spans[0].at.at(i), spans[1].at.at(j), spans[2].at.at(k)};
        texel.weight = spans[0].weight.at(i);
        if (dimensions > 1) texel.weight *= spans[1].weight.at(j);
        if (dimensions > 2) texel.weight *= spans[2].weight.at(k);
      }
    }
  }
  return footprint;
}

template <class T>
T load(const std::uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

/// A component's bits, extended to 32.
std::uint32_t raw(TexelType type, const std::uint8_t* from) {
  switch (type) {
    case TexelType::kU8:
      return *from;
    case TexelType::kI8:
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(load<std::int8_t>(from)));
    case TexelType::kU16:
      return load<std::uint16_t>(from);
    case TexelType::kI16:
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(load<std::int16_t>(from)));
    case TexelType::kU32:
    case TexelType::kI32:
    case TexelType::kF32:
      break;
  }
  return load<std::uint32_t>(from);
}

/// The value of a component that is read as a float.
double real(TexelType type, const std::uint8_t* from) {
  switch (type) {
    case TexelType::kU8:
      return *from / 255.0;
    case TexelType::kI8:
      return std::max(load<std::int8_t>(from) / 127.0, -1.0);
    case TexelType::kU16:
      return load<std::uint16_t>(from) / 65535.0;
    case TexelType::kI16:
      return std::max(load<std::int16_t>(from) / 32767.0, -1.0);
    case TexelType::kU32:
    case TexelType::kI32:
    case TexelType::kF32:
      break;
  }
  return load<float>(from);
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

const std::uint8_t* place_of(const Texture& texture, const Footprint::Texel& texel,
                             const std::uint8_t* data) {
  const std::uint64_t row = std::uint64_t{texel.at[2]} * texture.size[1] + texel.at[1];
  return data + row * texture.pitch_bytes + std::uint64_t{texel.at[0]} * texture.texel_bytes();
}

}  // namespace

Footprint texels_at(const Texture& texture, const std::array<std::int32_t, 3>& place) {
  std::array<Span, 3> spans;
  for (unsigned i = 0; i < 3; ++i) {
    const bool is_used = i < texture.dimensions;
    const AddressMode mode =
        texture.memory == TextureMemory::kLinear ? AddressMode::kBorder : texture.mode.at(i);
    add_texel(is_used ? place.at(i) : 0, 1, texture.size.at(i), mode, spans.at(i));
  }
  return product(spans, texture.dimensions);
}

Footprint texels_at(const Texture& texture, const std::array<float, 3>& place) {
  std::array<Span, 3> spans;
  for (unsigned i = 0; i < 3; ++i) {
    if (i < texture.dimensions) {
      spans.at(i) = span_at(place.at(i), texture, i);
    } else {
      add_texel(0, 1, 1, AddressMode::kClamp, spans.at(i));
    }
  }
  return product(spans, texture.dimensions);
}

TexelBits read_texels(const Texture& texture, const Footprint& footprint, const std::uint8_t* data) {
  const bool reals = texture.type == TexelType::kF32 || texture.normalized_read;
  TexelBits bits = {0, 0, 0, reals ? bits_of(1.0F) : 1};
  const unsigned component_bytes = heddle::bytes_of(texture.type);
  for (unsigned i = 0; i < texture.components; ++i) {
    if (!reals ||
        (footprint.number == 1 && texture.type == TexelType::kF32 && footprint.texels[0].weight == 1)) {
      bits.at(i) =
          footprint.number == 0
              ? 0
              : raw(texture.type, place_of(texture, footprint.texels[0], data) + i * component_bytes);
      continue;
    }
    double sum = 0;
    for (unsigned k = 0; k < footprint.number; ++k) {
      const Footprint::Texel& texel = footprint.texels.at(k);
      sum += texel.weight * real(texture.type, place_of(texture, texel, data) + i * component_bytes);
    }
    bits.at(i) = bits_of(static_cast<float>(sum));
  }
  return bits;
}

}  // namespace heddle::ptx
