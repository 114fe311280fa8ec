#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "workloads/ptx/execution/thread_block.h"
#include "workloads/ptx/textures/sampler.h"
#include "workloads/ptx/textures/texture_use.h"

namespace heddle::ptx {

const Texture& BlockState::texture_of(const Warp& warp, const BoundOperation& bound, unsigned lane,
                                      std::uint64_t handle) const {
  const Texture* const texture = launch_.texture(handle);
  if (texture == nullptr)
    fault(warp, bound, lane, fmt::format("{:#x} is not the handle of a texture", handle));
  const std::string problem = texture_problem(*bound.operation, *texture);
  if (!problem.empty()) fault(warp, bound, lane, problem);
  return *texture;
}

void BlockState::fetch_texture(Warp& warp, const BoundOperation& bound, Step& out, LaneAddresses& addresses) {
  const Operation& operation = *bound.operation;
  const LaneMask active = warp.context.active;
  TexelAddresses& texels = addresses.texels;
  out.access = active;
  out.space = Space::kTexture;
  texels.address.clear();
  texels.of_lane.fill(0);
  texels.bytes = 1;
  build_.addresses(warp.context, bound, addresses.lane.data());
  const Texture* texture = nullptr;
  std::uint64_t handle = 0;
  for (LaneMask left = active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    if (texture == nullptr || addresses.lane[lane] != handle) {
      handle = addresses.lane[lane];
      texture = &texture_of(warp, bound, lane, handle);
      texels.bytes = std::max(texels.bytes, static_cast<std::uint8_t>(texture->texel_bytes()));
    }
    std::array<std::int32_t, 3> place{};
    for (unsigned i = 0; i < operation.num_src; ++i) {
      const RowRef row = bound.src[i];
      std::memcpy(&place.at(i), warp.context.bases[row.base] + row.offset + lane * sizeof(std::int32_t),
                  sizeof(std::int32_t));
    }
    Footprint footprint;
    if (operation.source_type == Type::kS32) {
      footprint = texels_at(*texture, place);
    } else {
      std::array<float, 3> point{};
      std::memcpy(point.data(), place.data(), sizeof(point));
      footprint = texels_at(*texture, point);
    }
    const TexelBits bits = read_texels(*texture, footprint, launch_.memory().host(texture->address));
    for (unsigned k = 0; k < operation.num_dst; ++k) {
      if (operation.dst[k].kind != Operand::Kind::kRegister) continue;
      const RowRef row = bound.dst[k];
      std::memcpy(warp.context.bases[row.base] + row.offset + lane * sizeof(bits[k]), &bits.at(k),
                  sizeof(bits[k]));
    }
    for (unsigned k = 0; k < footprint.number; ++k) {
      const auto& at = footprint.texels.at(k).at;
      texels.address.push_back(texture->cached_address + texel_offset(*texture, at[0], at[1], at[2]));
    }
    texels.of_lane.at(lane) = static_cast<std::uint8_t>(footprint.number);
  }
}

}  // namespace heddle::ptx
