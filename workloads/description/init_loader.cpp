#include "workloads/description/init_loader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace heddle {

namespace {

using Kind = BufferInit::Kind;

void check_type(const BufferInit& init, ElementType type, const std::string& what) {
  if ((init.kind == Kind::kPointerChase || init.kind == Kind::kAddresses) && type != ElementType::kU64) {
    throw WorkloadError(init.mark, fmt::format("{}: {} needs type u64, found {}", what,
                                               init.kind == Kind::kAddresses ? "addresses" : "pointer_chase",
                                               element_name(type)));
  }
  if (init.kind == Kind::kChase && is_real(type)) {
    throw WorkloadError(init.mark,
                        fmt::format("{}: chase needs an integer type, found {}", what, element_name(type)));
  }
}

}  // namespace

const std::vector<std::string>& InitLoader::kinds() {
  static const std::vector<std::string> kKinds{"value", "formula",       "lcg",       "random",
                                               "chase", "pointer_chase", "addresses", "file"};
  return kKinds;
}

InitLoader::InitLoader(const Workload& workload, KnownNames names)
    : workload_(workload), names_(std::move(names)) {}

BufferInit InitLoader::load(const YAML::Node& node, const std::string& what, ElementType type) const {
  BufferInit init;
  if (node.IsScalar()) {
    init.kind = Kind::kValue;
    init.mark = mark_of(node, workload_.file);
    init.value = names_.check(parse_expression(node, workload_.file, what));
    return init;
  }
  return load_one_of(YamlMap(node, workload_.file, what, kinds()), type);
}

BufferInit InitLoader::load_one_of(const YamlMap& map, ElementType type) const {
  std::vector<std::string> found;
  std::copy_if(kinds().begin(), kinds().end(), std::back_inserter(found),
               [&map](const std::string& kind) { return map.has(kind); });
  if (found.size() != 1) {
    throw WorkloadError(map.mark(), fmt::format("{}: expected exactly one kind of {}, found {}", map.what(),
                                                fmt::join(kinds(), ", "), found.size()));
  }
  const BufferInit init = load_kind(map, found.front());
  check_type(init, type, map.what());
  return init;
}

BufferInit InitLoader::load_kind(const YamlMap& map, const std::string& kind) const {
  BufferInit init;
  init.mark = map.mark();
  if (kind == "lcg" || kind == "random") {
    const YamlMap range(map.at(kind), workload_.file, fmt::format("{}, {}", map.what(), kind),
                        {"seed", "low", "high"});
    init.kind = kind == "lcg" ? Kind::kLcg : Kind::kRandom;
    init.seed = names_.check(range.expression("seed"));
    init.low = names_.check(range.expression_or("low", "0"));
    init.high = names_.check(range.expression_or("high", "1"));
  } else if (kind == "file") {
    init.kind = Kind::kFile;
    init.path = map.path(kind);
  } else if (kind == "addresses") {
    return load_addresses(map.at(kind), fmt::format("{}, {}", map.what(), kind));
  } else if (kind == "formula") {
    init.kind = Kind::kFormula;
    init.value = names_.with("i").check(map.expression(kind));
  } else {
    init.kind = kind == "chase" ? Kind::kChase : kind == "pointer_chase" ? Kind::kPointerChase : Kind::kValue;
    init.value = names_.check(map.expression(kind));
  }
  return init;
}

BufferInit InitLoader::load_addresses(const YAML::Node& node, const std::string& what) const {
  BufferInit init;
  init.kind = Kind::kAddresses;
  init.mark = mark_of(node, workload_.file);
  init.value_of_index = node.IsMap();
  if (init.value_of_index) {
    init.addresses.push_back(load_address(node, what, names_.with("i")));
    return init;
  }
  for (const YAML::Node& item : list_items(node, workload_.file, what))
    init.addresses.push_back(load_address(item, what, names_));
  return init;
}

BufferInit::Address InitLoader::load_address(const YAML::Node& node, const std::string& what,
                                             const KnownNames& names) const {
  const SourceMark mark = mark_of(node, workload_.file);
  if (!node.IsMap()) return {scalar_text(node, workload_.file, what), mark, {Expression("0"), mark}};
  const YamlMap map(node, workload_.file, what, {"buffer", "offset"});
  return {map.text("buffer"), map.mark("buffer"), names.check(map.expression_or("offset", "0"))};
}

void check_addresses(const BufferInit& init, const Workload& workload) {
  for (const BufferInit::Address& address : init.addresses)
    find_buffer(workload, address.buffer, address.mark);
}

}  // namespace heddle
