#include "top/reproduction/definition/paper_numbers.h"

#include <fmt/format.h>

#include "top/reproduction/definition/figure_loader.h"
#include "workloads/description/yaml_map.h"

namespace heddle {

void load_paper_numbers(const YAML::Node& node, const std::string& file, std::vector<PaperNumber>& numbers) {
  for (const YAML::Node& item : list_items(node, file, "paper")) {
    const YamlMap map(item, file, "a paper's number",
                      {"row", "series", "value", "at_least", "at_most", "section"});
    PaperNumber number;
    number.mark = map.mark();
    number.row = map.text("row");
    number.series = map.text("series");
    number.value = load_number(map.at("value"), file, "value");
    number.section = map.text("section");
    if (map.flag_or("at_least", false)) number.bound = PaperBound::kAtLeast;
    if (map.flag_or("at_most", false)) number.bound = PaperBound::kAtMost;
    numbers.push_back(std::move(number));
  }
}

void load_paper_table(const YAML::Node& node, const std::string& file, std::vector<PaperNumber>& numbers) {
  const YamlMap map(node, file, "paper_table", {"section", "series", "rows"});
  const std::vector<std::string> series = load_texts(map.at("series"), file, "series");
  for (const auto& [row, values] : map_entries(map.at("rows"), file, "rows")) {
    const std::vector<YAML::Node> items = list_items(values, file, row);
    if (items.size() != series.size()) {
      throw WorkloadError(mark_of(values, file),
                          fmt::format("{}: expected {} numbers, found {}", row, series.size(), items.size()));
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i].IsNull()) continue;
      numbers.push_back({mark_of(items[i], file), row, series[i], load_number(items[i], file, row),
                         PaperBound::kExact, map.text("section")});
    }
  }
}

}  // namespace heddle
