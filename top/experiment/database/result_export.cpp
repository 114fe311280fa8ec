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

std::string key_fields(const StoredPoint& point) {
  return fmt::format("{},{},{},{},{}", point.id, field(point.workload), field(point.config),
                     field(point.scheduler), field(point.tb_policy));
}

}  // namespace

void export_long(ResultDatabase& database, const std::vector<StoredPoint>& points,
                 const std::function<bool(const std::string&)>& wanted,
                 const std::function<void(const std::string&)>& take) {
  take("id,workload,config,scheduler,tb_policy,labels,status,metric,value,unit\n");
  for (const StoredPoint& point : points) {
    const std::string keys =
        fmt::format("{},{},{}", key_fields(point), field(point.labels), field(point.status));
    for (const StoredFigure& figure : database.figures(point.id)) {
      if (wanted(figure.metric))
        take(fmt::format("{},{},{},{}\n", keys, field(figure.metric), number(figure), field(figure.unit)));
    }
  }
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
      ",status,code,message,command,host,began,wall_seconds,cpu_seconds,peak_memory_bytes,cycles_per_second,"
      "attempts";
  for (const std::string& name : metrics) heading += "," + field(name);
  take(heading + "\n");
  for (const StoredPoint& point : points) {
    std::string line = key_fields(point);
    const auto own = further_labels(point);
    for (const std::string& name : labels) line += "," + (own.count(name) != 0 ? field(own.at(name)) : "");
    line += fmt::format(",{},{},{},{},{},{:.3f},{:.6f},{:.6f},{},{},{}", field(point.status), point.code,
                        field(point.message), field(point.command), field(point.host), point.began,
                        point.wall_seconds, point.cpu_seconds, point.peak_memory_bytes,
                        point.cycles_per_second, point.attempts);
    std::map<std::string, std::string> values;
    for (const StoredFigure& figure : database.figures(point.id)) values[figure.metric] = number(figure);
    for (const std::string& name : metrics) line += "," + values[name];
    take(line + "\n");
  }
}

}  // namespace heddle
