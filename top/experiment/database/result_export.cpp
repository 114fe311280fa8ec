#include "top/experiment/database/result_export.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

namespace heddle {

namespace {

using nlohmann::json;

/// RFC 4180.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string number(const StoredFigure& figure) {
  return figure.whole ? fmt::format("{:.0f}", figure.value) : fmt::format("{}", figure.value);
}

/// Labels that are no columns of their own, by name.
std::map<std::string, std::string> further_labels(const StoredPoint& point) {
  std::map<std::string, std::string> labels;
  const json root = json::parse(point.labels, nullptr, false);
  if (!root.is_object()) return labels;
  for (const auto& [name, value] : root.items()) {
    const bool is_column =
        name == "workload" || name == "config" || name == "scheduler" || name == "tb_policy";
    if (!is_column && value.is_string()) labels[name] = value.get<std::string>();
  }
  return labels;
}

/// Figures of the points, a point after the other.
void for_each_row(ResultDatabase& database, const std::function<bool(const std::string&)>& wanted,
                  const std::function<void(const std::string&, std::vector<StoredFigure>&)>& take) {
  std::vector<StoredFigure> figures;
  database.for_each_figure([&](const StoredFigure& figure) {
    if (!figures.empty() && figures.front().id != figure.id) {
      take(figures.front().id, figures);
      figures.clear();
    }
    if (wanted(figure.metric)) figures.push_back(figure);
  });
  if (!figures.empty()) take(figures.front().id, figures);
}

std::map<std::string, const StoredPoint*> by_id(const std::vector<StoredPoint>& points) {
  std::map<std::string, const StoredPoint*> found;
  for (const StoredPoint& point : points) found[point.id] = &point;
  return found;
}

std::string key_fields(const StoredPoint& point) {
  return fmt::format("{},{},{},{},{}", point.id, field(point.workload), field(point.config),
                     field(point.scheduler), field(point.tb_policy));
}

}  // namespace

void export_long(ResultDatabase& database, const std::vector<StoredPoint>& points,
                 const std::function<bool(const std::string&)>& wanted,
                 const std::function<void(const std::string&)>& take) {
  take("id,workload,config,scheduler,tb_policy,labels,status,metric,value,unit\n");
  const auto known = by_id(points);
  for_each_row(database, wanted, [&](const std::string& id, std::vector<StoredFigure>& figures) {
    const auto point = known.find(id);
    if (point == known.end()) return;
    const std::string keys = fmt::format("{},{},{}", key_fields(*point->second), field(point->second->labels),
                                         field(point->second->status));
    for (const StoredFigure& figure : figures)
      take(fmt::format("{},{},{},{}\n", keys, field(figure.metric), number(figure), field(figure.unit)));
  });
}

void export_wide(ResultDatabase& database, const std::vector<StoredPoint>& points,
                 const std::function<bool(const std::string&)>& wanted,
                 const std::function<void(const std::string&)>& take) {
  std::set<std::string> labels;
  for (const StoredPoint& point : points) {
    for (const auto& [name, value] : further_labels(point)) labels.insert(name);
  }
  std::vector<std::string> metrics;
  for (const std::string& name : database.metrics()) {
    if (wanted(name)) metrics.push_back(name);
  }
  std::string heading = "id,workload,config,scheduler,tb_policy";
  for (const std::string& name : labels) heading += "," + field("label." + name);
  heading +=
      ",status,code,message,host,began,wall_seconds,cpu_seconds,peak_memory_bytes,cycles_per_second,attempts";
  for (const std::string& name : metrics) heading += "," + field(name);
  take(heading + "\n");
  std::map<std::string, std::map<std::string, std::string>> values;
  const auto known = by_id(points);
  for_each_row(database, wanted, [&](const std::string& id, std::vector<StoredFigure>& figures) {
    if (known.count(id) == 0) return;
    auto& row = values[id];
    for (const StoredFigure& figure : figures) row[figure.metric] = number(figure);
  });
  for (const StoredPoint& point : points) {
    std::string line = key_fields(point);
    const auto own = further_labels(point);
    for (const std::string& name : labels) line += "," + (own.count(name) != 0 ? field(own.at(name)) : "");
    line += fmt::format(",{},{},{},{},{:.3f},{:.6f},{:.6f},{},{},{}", field(point.status), point.code,
                        field(point.message), field(point.host), point.began, point.wall_seconds,
                        point.cpu_seconds, point.peak_memory_bytes, point.cycles_per_second, point.attempts);
    const auto& row = values[point.id];
    for (const std::string& name : metrics) {
      const auto found = row.find(name);
      line += "," + (found == row.end() ? std::string() : found->second);
    }
    take(line + "\n");
  }
}

}  // namespace heddle
