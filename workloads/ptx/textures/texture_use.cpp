#include "workloads/ptx/textures/texture_use.h"

#include <fmt/format.h>

#include "workloads/ptx/isa/type_info.h"

namespace heddle::ptx {

namespace {

bool reads_floats(const Texture& texture) {
  return texture.type == TexelType::kF32 || texture.normalized_read;
}

}  // namespace

std::string texture_problem(const Operation& operation, const Texture& texture) {
  const auto dimensions = static_cast<unsigned>(operation.shape);
  if (texture.address == 0) return "the texture is not bound";
  if (texture.dimensions != dimensions) {
    return fmt::format("the texture has {} dimensions, expected {}", texture.dimensions, dimensions);
  }
  if (reads_floats(texture) != is_floating(operation.type)) {
    return fmt::format("the texture is read as {}, expected {} for .{}",
                       reads_floats(texture) ? "floats" : "integers",
                       is_floating(operation.type) ? "floats" : "integers", spelling(operation.type));
  }
  if (operation.source_type == Type::kS32) {
    if (texture.normalized)
      return "integer coordinates of a texture with normalized ones, expected float ones";
    if (texture.linear_filter)
      return "integer coordinates of a texture with a linear filter, expected float ones";
  } else if (texture.memory == TextureMemory::kLinear) {
    return "float coordinates of a texture in linear memory, expected integer ones";
  }
  return "";
}

}  // namespace heddle::ptx
