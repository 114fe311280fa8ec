#include "top/report/stats/block_figures.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "top/support/stats_file.h"

namespace heddle {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// The figures of the blocks of a kind as columns: names of the blocks, then a list of values by figure, in
/// which null stands for a block that has no such figure.
struct KindOfBlock {
  std::string name;
  std::vector<std::string> blocks;
  std::vector<std::pair<std::string, OrderedJson::array_t>> columns;

  /// The column called `wanted`; `guess` is where it stands if all blocks report the same figures in the same
  /// order.
  OrderedJson::array_t& column(const std::string& wanted, std::size_t guess) {
    if (guess < columns.size() && columns[guess].first == wanted) return columns[guess].second;
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&wanted](const auto& column) { return column.first == wanted; });
    if (found != columns.end()) return found->second;
    return columns.emplace_back(wanted, OrderedJson::array_t()).second;
  }
};

/// What the blocks report, by their kinds.
std::vector<KindOfBlock> kinds_of_blocks(const StatRegistry& registry, const StatValues& values) {
  struct Place {
    std::size_t kind;
    std::size_t block;
    std::size_t figures;  ///< that the block has reported
  };
  std::vector<KindOfBlock> kinds;
  std::map<std::string, std::size_t> kind_of_name;
  std::map<std::string, Place> places;  ///< by scope
  auto at = places.end();
  for (const Metric& metric : registry.metrics()) {
    if (at == places.end() || at->first != metric.scope) at = places.find(metric.scope);
    if (at == places.end()) {
      const auto [kind, is_new] = kind_of_name.emplace(kind_of_scope(metric.scope), kinds.size());
      if (is_new) kinds.push_back({kind->first, {}, {}});
      at = places.emplace(metric.scope, Place{kind->second, kinds[kind->second].blocks.size(), 0}).first;
      kinds[kind->second].blocks.push_back(metric.scope);
    }
    Place& place = at->second;
    OrderedJson::array_t& column = kinds[place.kind].column(metric.name, place.figures++);
    if (column.size() <= place.block) column.resize(place.block + 1);
    column[place.block] = value_of(metric, values);
  }
  return kinds;
}

}  // namespace

OrderedJson value_of(const Metric& metric, const StatValues& values) {
  return metric.is_count ? OrderedJson(values.counts[metric.index])
                         : OrderedJson(values.levels[metric.index]);
}

OrderedJson instances_json(const StatRegistry& registry, const StatValues& values) {
  OrderedJson json = OrderedJson::object();
  for (KindOfBlock& kind : kinds_of_blocks(registry, values)) {
    OrderedJson figures = OrderedJson::object();
    auto& members = figures.get_ref<OrderedJson::object_t&>();
    members.emplace_back(kBlockNames, kind.blocks);
    for (auto& [name, column] : kind.columns) {
      column.resize(kind.blocks.size());
      members.emplace_back(name, std::move(column));
    }
    json[kind.name] = std::move(figures);
  }
  return json;
}

}  // namespace heddle
