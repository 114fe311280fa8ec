#include "top/reproduction/custom/tb_order.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "top/reproduction/custom/custom_points.h"
#include "top/support/stats_file.h"

namespace heddle {

namespace {

/// An order that was logged: when, and the TBs by place; less than 0: none.
struct LoggedOrder {
  double cycle = -1;
  std::map<std::size_t, double> places;
};

/// Of "sm0.pro.sort3.place2" the parts behind "sm0.pro.sort".
std::map<std::size_t, LoggedOrder> logged_orders(const nlohmann::json& instances) {
  const std::string prefix = "sm0.pro.sort";
  std::map<std::size_t, LoggedOrder> orders;
  for_each_instance(instances, [&](const std::string& name, const nlohmann::json& value) {
    if (name.compare(0, prefix.size(), prefix) != 0 || !value.is_number()) return;
    std::size_t end = 0;
    const std::string rest = name.substr(prefix.size());
    const std::size_t sort = std::stoul(rest, &end);
    const std::string figure = rest.substr(end);
    if (figure == ".cycle") orders[sort].cycle = value.get<double>();
    const std::string place = ".place";
    if (figure.compare(0, place.size(), place) == 0)
      orders[sort].places[std::stoul(figure.substr(place.size()))] = value.get<double>();
  });
  return orders;
}

}  // namespace

FigureTable TbOrder::evaluate(const FigureDefinition& figure, const PaperPoints& results) const {
  FigureTable table;
  table.row_heading = "cycle";
  const std::size_t columns = custom_number(figure, "places");
  for (std::size_t place = 1; place <= columns; ++place) table.series.push_back({std::to_string(place), ""});
  const ResultPoint* const run = custom_point(figure, results, "run");
  if (run == nullptr || !run->details.contains("instances")) return table;
  const std::map<std::size_t, LoggedOrder> orders = logged_orders(run->details.at("instances"));
  std::vector<double> tbs;
  for (const auto& [sort, order] : orders) {
    for (const auto& [place, tb] : order.places) {
      if (tb >= 0) tbs.push_back(tb);
    }
  }
  std::sort(tbs.begin(), tbs.end());
  tbs.erase(std::unique(tbs.begin(), tbs.end()), tbs.end());
  for (const auto& [sort, order] : orders) {
    if (order.cycle < 0) continue;
    table.rows.push_back({std::to_string(static_cast<std::int64_t>(order.cycle))});
    auto& cells = table.cells.emplace_back(columns);
    for (const auto& [place, tb] : order.places) {
      if (place >= columns || tb < 0) continue;
      cells[place] = static_cast<double>(std::lower_bound(tbs.begin(), tbs.end(), tb) - tbs.begin());
    }
  }
  return table;
}

}  // namespace heddle
