#include "workloads/description/texture_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/nearest_name.h"
#include "workloads/description/known_names.h"
#include "workloads/description/yaml_map.h"

namespace heddle {

namespace {

template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

/// The value of a word; fails with the words that there are.
template <class Value>
Value choose(const std::string& word, const SourceMark& mark, const std::string& what,
             const Choices<Value>& choices) {
  std::vector<std::string> known;
  for (const auto& [name, value] : choices) {
    if (name == word) return value;
    known.push_back(name);
  }
  throw WorkloadError(mark, fmt::format("{}: unknown '{}'{}", what, word, name_hint(word, known, "values")));
}

const Choices<TexelType>& texel_types() {
  static const Choices<TexelType> kTypes = {
      {"f32", TexelType::kF32}, {"u8", TexelType::kU8},   {"i8", TexelType::kI8},  {"u16", TexelType::kU16},
      {"i16", TexelType::kI16}, {"u32", TexelType::kU32}, {"i32", TexelType::kI32}};
  return kTypes;
}

class TextureLoader {
 public:
  TextureLoader(const std::string& name, const YAML::Node& node, const Workload& workload)
      : workload_(workload),
        map_(node, workload.file, fmt::format("texture '{}'", name),
             {"buffer", "memory", "format", "width", "height", "depth", "pitch_bytes", "address", "filter",
              "normalized", "read"}) {
    spec_.name = name;
    spec_.mark = map_.mark();
  }

  TextureSpec load() {
    const BufferSpec& buffer = find_buffer(workload_, map_.text("buffer"), map_.mark("buffer"));
    spec_.buffer = buffer.name;
    load_format(buffer);
    Texture& texture = spec_.texture;
    texture.memory = choice<TextureMemory>("memory", "",
                                           {{"linear", TextureMemory::kLinear},
                                            {"pitched", TextureMemory::kPitched},
                                            {"array", TextureMemory::kArray}});
    load_sizes();
    texture.linear_filter = choice<bool>("filter", "point", {{"point", false}, {"linear", true}});
    texture.normalized = map_.flag_or("normalized", false);
    texture.normalized_read =
        choice<bool>("read", "element", {{"element", false}, {"normalized_float", true}});
    load_address_modes();
    check_combinations();
    return std::move(spec_);
  }

 private:
  [[noreturn]] void fail(const std::string& key, const std::string& message) const {
    throw WorkloadError(map_.has(key) ? map_.mark(key) : map_.mark(),
                        fmt::format("{}, {}: {}", map_.what(), key, message));
  }

  template <class Value>
  Value choice(const std::string& key, const std::string& fallback, const Choices<Value>& choices) const {
    if (!map_.has(key) && !fallback.empty()) return choose(fallback, map_.mark(), key, choices);
    return choose(map_.text(key), map_.mark(key), fmt::format("{}, {}", map_.what(), key), choices);
  }

  void load_format(const BufferSpec& buffer) {
    Texture& texture = spec_.texture;
    const std::string text = map_.text_or("format", element_name(buffer.type));
    const std::size_t times = text.find('x');
    const std::string type = text.substr(0, times);
    const std::string number = times == std::string::npos ? "1" : text.substr(times + 1);
    const bool is_known = std::any_of(texel_types().begin(), texel_types().end(),
                                      [&](const auto& t) { return t.first == type; });
    if (!is_known || (number != "1" && number != "2" && number != "4")) {
      fail("format",
           fmt::format("found '{}'{}, expected f32, u8, i8, u16, i16, u32 or i32, alone or followed "
                       "by x2 or x4",
                       text, map_.has("format") ? "" : ", the buffer's type"));
    }
    texture.type = choose(type, map_.mark(), "format", texel_types());
    texture.components = static_cast<std::uint8_t>(number[0] - '0');
  }

  void load_sizes() {
    Texture& texture = spec_.texture;
    const std::array<std::string, 3> keys = {"width", "height", "depth"};
    const bool is_pitched = texture.memory == TextureMemory::kPitched;
    const unsigned most = texture.memory == TextureMemory::kLinear ? 1 : is_pitched ? 2 : 3;
    const unsigned least = is_pitched ? 2 : 1;
    texture.dimensions = 0;
    for (unsigned i = 0; i < keys.size(); ++i) {
      const std::string& key = keys.at(i);
      if (!map_.has(key)) {
        if (i < least) map_.at(key);
        continue;
      }
      if (i >= most) fail(key, fmt::format("{} memory has {} dimensions at most", map_.text("memory"), most));
      if (i != texture.dimensions) fail(key, "found it without height");
      spec_.size.at(i) = known_.check(map_.expression(key));
      ++texture.dimensions;
    }
    if (!map_.has("pitch_bytes")) return;
    if (!is_pitched)
      fail("pitch_bytes", fmt::format("found it with {} memory, expected pitched", map_.text("memory")));
    spec_.pitch_bytes = known_.check(map_.expression("pitch_bytes"));
  }

  void load_address_modes() {
    if (!map_.has("address")) return;
    Texture& texture = spec_.texture;
    const std::string what = fmt::format("{}, address", map_.what());
    const Choices<AddressMode> modes = {{"wrap", AddressMode::kWrap},
                                        {"clamp", AddressMode::kClamp},
                                        {"mirror", AddressMode::kMirror},
                                        {"border", AddressMode::kBorder}};
    if (texture.memory == TextureMemory::kLinear) {
      fail("address", "linear memory has no address mode: what lies beyond it reads as zeros");
    }
    const YAML::Node node = map_.at("address");
    if (node.IsScalar()) {
      texture.mode.fill(choose(map_.text("address"), map_.mark("address"), what, modes));
    } else {
      const std::vector<YAML::Node> items = list_items(node, workload_.file, what);
      if (items.size() != texture.dimensions) {
        fail("address", fmt::format("found {} modes, expected one or {}", items.size(), texture.dimensions));
      }
      for (unsigned i = 0; i < items.size(); ++i) {
        texture.mode.at(i) = choose(scalar_text(items[i], workload_.file, what),
                                    mark_of(items[i], workload_.file), what, modes);
      }
    }
    for (const AddressMode mode : texture.mode) {
      if ((mode == AddressMode::kWrap || mode == AddressMode::kMirror) && !texture.normalized) {
        fail("address", "wrap and mirror need `normalized: true`");
      }
    }
  }

  void check_combinations() const {
    const Texture& texture = spec_.texture;
    const bool small_integers = bytes_of(texture.type) < 4;
    if (texture.normalized_read && !small_integers) {
      fail("read", "normalized_float needs a format of 8 or 16 bits a component");
    }
    if (texture.memory == TextureMemory::kLinear) {
      if (texture.linear_filter)
        fail("filter", "linear memory has no filter, expected pitched memory or an array");
      if (texture.normalized) fail("normalized", "linear memory has integer coordinates");
    }
    if (texture.linear_filter && texture.type != TexelType::kF32 && !texture.normalized_read) {
      fail("filter", "the linear filter needs a format of f32 or `read: normalized_float`");
    }
  }

  const Workload& workload_;
  KnownNames known_ = KnownNames(workload_.parameter_names());
  YamlMap map_;
  TextureSpec spec_;
};

}  // namespace

std::vector<TextureSpec> load_textures(const YAML::Node& node, const Workload& workload) {
  std::vector<TextureSpec> textures;
  for (const auto& [name, entry] : map_entries(node, workload.file, "textures")) {
    textures.push_back(TextureLoader(name, entry, workload).load());
  }
  return textures;
}

const TextureSpec& find_texture(const Workload& workload, const std::string& name, const SourceMark& mark) {
  std::vector<std::string> known;
  for (const TextureSpec& texture : workload.textures) {
    if (texture.name == name) return texture;
    known.push_back(texture.name);
  }
  throw WorkloadError(mark, fmt::format("unknown texture '{}'{}", name, name_hint(name, known, "textures")));
}

}  // namespace heddle
