#include "workloads/description/buffer_loader.h"

#include <fmt/format.h>

#include <stdexcept>

#include "workloads/description/init_loader.h"
#include "workloads/description/known_names.h"
#include "workloads/description/ptx_file_loader.h"
#include "workloads/description/yaml_map.h"

namespace heddle {

namespace {

constexpr const char* kSymbolOnly[] = {"offset", "ptx"};

ElementType load_type(const YamlMap& map) {
  try {
    return element_type(map.text("type"));
  } catch (const std::invalid_argument& error) {
    throw WorkloadError(map.mark("type"), fmt::format("{}: {}", map.what(), error.what()));
  }
}

}  // namespace

BufferSpec load_buffer(const std::string& name, const YAML::Node& node, const Workload& workload) {
  const KnownNames names(workload.parameter_names());
  const auto known = [&names](MarkedExpression expression) { return names.check(std::move(expression)); };
  const std::string what = fmt::format("buffer '{}'", name);
  const YamlMap map(node, workload.file, what, {"type", "count", "init", "set", "symbol", "offset", "ptx"});
  BufferSpec buffer;
  buffer.name = name;
  buffer.mark = map.mark();
  buffer.type = load_type(map);
  if (map.has("symbol")) {
    buffer.symbol = {map.text("symbol"), map.mark("symbol"), load_ptx_choice(map, workload),
                     known(map.expression_or("offset", "0"))};
  }
  for (const char* const key : kSymbolOnly) {
    if (map.has(key) && !buffer.symbol)
      throw WorkloadError(map.mark(key),
                          fmt::format("{}, {}: only a buffer with a symbol has it", what, key));
  }
  if (map.has("count") || !buffer.symbol) buffer.count = known(map.expression("count"));
  buffer.init.mark = buffer.mark;
  if (map.has("init")) {
    buffer.init = InitLoader(workload, names).load(map.at("init"), what + ", init", buffer.type);
  }
  if (map.has("set")) {
    for (const YAML::Node& item : list_items(map.at("set"), workload.file, what + ", set")) {
      const YamlMap write(item, workload.file, what + ", set", {"index", "value"});
      buffer.sets.push_back({known(write.expression("index")), known(write.expression("value"))});
    }
  }
  return buffer;
}

}  // namespace heddle
