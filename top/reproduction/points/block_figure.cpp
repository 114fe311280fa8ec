#include "top/reproduction/points/block_figure.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "top/reproduction/points/result_point.h"
#include "top/support/stats_file.h"

namespace heddle {

namespace {

/// Takes the part before the next dot off `scope`.
std::string_view next_part(std::string_view& scope) {
  const std::size_t end = std::min(scope.find('.'), scope.size());
  const std::string_view part = scope.substr(0, end);
  scope.remove_prefix(std::min(end + 1, scope.size()));
  return part;
}

/// "sm" means "sm0" and "sm12".
bool means(std::string_view wanted, std::string_view part) {
  if (part.substr(0, wanted.size()) != wanted) return false;
  part.remove_prefix(wanted.size());
  const bool numbered = !wanted.empty() && std::isdigit(static_cast<unsigned char>(wanted.back())) != 0;
  return part.empty() || (!numbered && std::all_of(part.begin(), part.end(),
                                                   [](unsigned char c) { return std::isdigit(c) != 0; }));
}

bool means_block(std::string_view wanted, std::string_view block) {
  while (!wanted.empty() && !block.empty()) {
    if (!means(next_part(wanted), next_part(block))) return false;
  }
  return wanted.empty() && block.empty();
}

}  // namespace

std::optional<double> block_figure(const nlohmann::json& instances, const std::string& name) {
  const MetricName wanted(name);
  const bool is_sum = adds_up(name);
  std::optional<double> found;
  for (const auto& [kind, figures] : instances.items()) {
    const auto values = figures.find(wanted.name);
    if (values == figures.end() || wanted.name == kBlockNames) continue;
    const nlohmann::json& blocks = figures.at(kBlockNames);
    for (std::size_t i = 0; i < values->size(); ++i) {
      const nlohmann::json& value = values->at(i);
      if (!value.is_number() || !means_block(wanted.scope, blocks.at(i).get_ref<const std::string&>()))
        continue;
      const auto number = value.get<double>();
      found = !found ? number : is_sum ? *found + number : std::max(*found, number);
    }
  }
  return found;
}

}  // namespace heddle
