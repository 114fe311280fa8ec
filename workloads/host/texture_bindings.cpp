#include "workloads/host/texture_bindings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest_name.h"
#include "workloads/ptx/textures/texture_use.h"

namespace heddle {

namespace {

// Of compute capability 2.0 (CUDA C Programming Guide, "Technical Specifications"; cudaDeviceProp).
constexpr std::int64_t kLinearWidth = std::int64_t{1} << 27U;
constexpr std::int64_t kPitchedSize = 65000;
constexpr std::int64_t kMostPitch = 1048544;
constexpr std::int64_t kPitchAlignment = 32;
constexpr std::array<std::int64_t, 3> kArray1d = {65536, 1, 1};
constexpr std::array<std::int64_t, 3> kArray2d = {65536, 65535, 1};
constexpr std::array<std::int64_t, 3> kArray3d = {2048, 2048, 2048};

std::int64_t most_texels(const Texture& texture, unsigned dimension) {
  switch (texture.memory) {
    case TextureMemory::kLinear:
      return kLinearWidth;
    case TextureMemory::kPitched:
      return kPitchedSize;
    case TextureMemory::kArray:
      break;
  }
  return (texture.dimensions == 1 ? kArray1d : texture.dimensions == 2 ? kArray2d : kArray3d).at(dimension);
}

/// With its sizes and pitch.
Texture sized(const TextureSpec& spec, const Scope& parameters) {
  Texture texture = spec.texture;
  constexpr std::array<const char*, 3> kNames = {"width", "height", "depth"};
  for (unsigned i = 0; i < texture.dimensions; ++i) {
    const std::string what = fmt::format("{} of texture '{}'", kNames.at(i), spec.name);
    texture.size.at(i) = static_cast<std::uint32_t>(
        spec.size.at(i)->evaluate_in(parameters, 1, most_texels(texture, i), what.c_str()));
  }
  texture.pitch_bytes = std::uint64_t{texture.size[0]} * texture.texel_bytes();
  if (texture.memory != TextureMemory::kPitched) return texture;
  const auto row_bytes = static_cast<std::int64_t>(texture.pitch_bytes);
  const std::string what = fmt::format("pitch_bytes of texture '{}'", spec.name);
  const std::int64_t pitch =
      spec.pitch_bytes ? spec.pitch_bytes->evaluate_in(parameters, row_bytes, kMostPitch, what.c_str())
                       : row_bytes;
  if (pitch % kPitchAlignment != 0) {
    throw WorkloadError(spec.pitch_bytes ? spec.pitch_bytes->mark : spec.mark,
                        fmt::format("{} is {}, expected a multiple of {}", what, pitch, kPitchAlignment));
  }
  texture.pitch_bytes = static_cast<std::uint64_t>(pitch);
  return texture;
}

std::uint64_t bytes_of(const Texture& texture) {
  const std::uint64_t rows = std::uint64_t{texture.size[1]} * texture.size[2];
  return (rows - 1) * texture.pitch_bytes + std::uint64_t{texture.size[0]} * texture.texel_bytes();
}

bool is_argument(const std::vector<Argument>& arguments, const std::string& name) {
  return std::any_of(arguments.begin(), arguments.end(), [&](const Argument& argument) {
    return (argument.kind == Argument::Kind::kTexture && argument.buffer == name) ||
           is_argument(argument.members, name);
  });
}

bool is_argument(const std::vector<Statement>& statements, const std::string& name) {
  return std::any_of(statements.begin(), statements.end(), [&](const Statement& statement) {
    if (const auto* launch = std::get_if<LaunchStatement>(&statement.action))
      return is_argument(launch->args, name);
    if (const auto* repeat = std::get_if<RepeatStatement>(&statement.action))
      return is_argument(repeat->body, name);
    const auto* loop = std::get_if<WhileStatement>(&statement.action);
    return loop != nullptr && is_argument(loop->body, name);
  });
}

bool is_argument(const Workload& workload, const std::string& name) {
  return is_argument(workload.launches, name) ||
         std::any_of(workload.streams.begin(), workload.streams.end(),
                     [&](const StreamSpec& stream) { return is_argument(stream.launches, name); });
}

}  // namespace

TextureBindings::TextureBindings(const Workload& workload, const Scope& parameters, const ModuleSet& modules,
                                 const Bindings& buffers) {
  const std::vector<std::string> references = modules.texture_references();
  for (const TextureSpec& spec : workload.textures) {
    const bool is_reference = std::find(references.begin(), references.end(), spec.name) != references.end();
    if (!is_reference && !is_argument(workload, spec.name)) {
      throw WorkloadError(
          spec.mark,
          fmt::format("texture '{}': {} has no texture reference of this name{}, and no argument is "
                      "{{texture: {}}}",
                      spec.name, modules.names(),
                      did_you_mean(spec.name, {references.begin(), references.end()}), spec.name));
    }
    Entry entry{spec.name, spec.buffer, sized(spec, parameters)};
    const std::uint64_t needed = bytes_of(entry.texture);
    const std::uint64_t bytes = buffers.at(spec.buffer).bytes();
    if (needed > bytes) {
      throw WorkloadError(spec.mark, fmt::format("texture '{}': takes {} bytes, but buffer '{}' has {}",
                                                 spec.name, needed, spec.buffer, bytes));
    }
    entries_.push_back(std::move(entry));
  }
}

void TextureBindings::allocate(const std::string& prefix, DeviceMemory& memory) {
  for (Entry& entry : entries_) {
    if (entry.texture.memory != TextureMemory::kArray) continue;
    entry.texture.cached_address =
        memory.allocate(fmt::format("{}{} (array)", prefix, entry.name), array_bytes(entry.texture)).address;
  }
}

const TextureBindings::Entry* TextureBindings::find(const std::string& name) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.name == name; });
  return found == entries_.end() ? nullptr : &*found;
}

std::vector<Texture> TextureBindings::bound(const ptx::Module& module, const Bindings& buffers) const {
  const std::vector<std::string>& references = module.texture_references;
  std::vector<Texture> textures(references.size());
  for (const Entry& entry : entries_) {
    Texture& texture = textures.emplace_back(entry.texture);
    texture.address = buffers.at(entry.buffer).address;
    if (texture.memory != TextureMemory::kArray) texture.cached_address = texture.address;
    const auto reference = std::find(references.begin(), references.end(), entry.name);
    if (reference != references.end()) {
      textures[static_cast<std::size_t>(reference - references.begin())] = Texture(texture);
    }
  }
  return textures;
}

std::vector<HostCopy> TextureBindings::arrays() const {
  std::vector<HostCopy> copies;
  for (const Entry& entry : entries_) {
    if (entry.texture.memory != TextureMemory::kArray) continue;
    copies.push_back({entry.texture.cached_address, array_bytes(entry.texture)});
  }
  return copies;
}

std::uint64_t TextureBindings::handle(const ptx::Module& module, const std::string& name) const {
  return ptx::kTextureHandles + module.texture_references.size() +
         static_cast<std::size_t>(find(name) - entries_.data());
}

void TextureBindings::check(const ptx::Module& module, const ptx::Code& kernel,
                            const SourceMark& mark) const {
  if (module.texture_references.empty()) return;
  for (std::size_t i = 0; i < kernel.operations.size(); ++i) {
    const ptx::Operation& operation = kernel.operations[i];
    if (operation.opcode != ptx::Opcode::kTex || operation.address.has_base) continue;
    const std::string& name = module.texture_references.at(
        static_cast<std::uint64_t>(operation.address.offset) - ptx::kTextureHandles);
    const Entry* const entry = find(name);
    std::string problem = "it is not bound, expected it in `textures`";
    if (entry != nullptr) {
      Texture texture = entry->texture;
      texture.address = DeviceMemory::kBase;  // bound() says where; this is about how it is read
      problem = ptx::texture_problem(operation, texture);
    }
    if (problem.empty()) continue;
    throw WorkloadError(mark, fmt::format("kernel '{}' can't read texture '{}' by '{}' ({}:{}): {}",
                                          kernel.program.name, name, kernel.program.text[i],
                                          kernel.program.source_file, kernel.program.code[i].line, problem));
  }
}

}  // namespace heddle
