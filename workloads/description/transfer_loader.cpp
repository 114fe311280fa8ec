#include "workloads/description/transfer_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "workloads/description/init_loader.h"

namespace heddle {

namespace {

/// A buffer's name, or a map of `keys`, which say a part of one.
BufferPart load_name_or_part(const YAML::Node& node, const std::string& what,
                             const std::vector<std::string>& keys, const Workload& workload,
                             const KnownNames& names) {
  if (node.IsMap()) return load_part(YamlMap(node, workload.file, what, keys), workload, names);
  const SourceMark mark = mark_of(node, workload.file);
  return {find_buffer(workload, scalar_text(node, workload.file, what), mark).name,
          mark,
          {Expression("0"), mark},
          std::nullopt};
}

BufferPart load_side(const YamlMap& copy, const std::string& key, const Workload& workload,
                     const KnownNames& names) {
  return load_name_or_part(copy.at(key), fmt::format("{}, {}", copy.what(), key), {"buffer", "first"},
                           workload, names);
}

}  // namespace

BufferPart load_part(const YamlMap& map, const Workload& workload, const KnownNames& names) {
  BufferPart part;
  part.mark = map.mark("buffer");
  part.buffer = find_buffer(workload, map.text("buffer"), part.mark).name;
  part.first = names.check(map.expression_or("first", "0"));
  if (map.has("count")) part.count = names.check(map.expression("count"));
  return part;
}

FillStatement load_fill(const YAML::Node& node, const Workload& workload, const KnownNames& names) {
  std::vector<std::string> keys = InitLoader::kinds();
  keys.insert(keys.end(), {"buffer", "first", "count"});
  const YamlMap map(node, workload.file, "fill", keys);
  FillStatement fill;
  fill.part = load_part(map, workload, names);
  fill.init = InitLoader(workload, names).load_one_of(map, workload.find_buffer(fill.part.buffer)->type);
  check_addresses(fill.init, workload);
  return fill;
}

CopyStatement load_copy(const YAML::Node& node, const Workload& workload, const KnownNames& names) {
  const YamlMap map(node, workload.file, "copy", {"from", "to", "count"});
  CopyStatement copy{load_side(map, "from", workload, names), load_side(map, "to", workload, names)};
  if (map.has("count")) copy.from.count = names.check(map.expression("count"));
  const ElementType from = workload.find_buffer(copy.from.buffer)->type;
  const ElementType to = workload.find_buffer(copy.to.buffer)->type;
  if (element_bytes(from) != element_bytes(to)) {
    throw WorkloadError(map.mark(),
                        fmt::format("copy: '{}' is {} but '{}' is {}; expected elements of the "
                                    "same size",
                                    copy.from.buffer, element_name(from), copy.to.buffer, element_name(to)));
  }
  return copy;
}

std::vector<BufferPart> load_dumps(const YAML::Node& node, const Workload& workload) {
  const KnownNames names(workload.parameter_names());
  std::vector<BufferPart> dumps;
  for (const YAML::Node& item : list_items(node, workload.file, "dump")) {
    BufferPart part = load_name_or_part(item, "dump", {"buffer", "first", "count"}, workload, names);
    const bool is_second = std::any_of(
        dumps.begin(), dumps.end(), [&part](const BufferPart& other) { return other.buffer == part.buffer; });
    if (is_second)
      throw WorkloadError(part.mark,
                          fmt::format("dump: '{}' is there already, expected it once", part.buffer));
    dumps.push_back(std::move(part));
  }
  return dumps;
}

}  // namespace heddle
