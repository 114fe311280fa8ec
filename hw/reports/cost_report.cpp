#include "hw/reports/cost_report.h"

#include <fmt/format.h>

#include <stdexcept>

namespace heddle::hw {

std::string_view storage_name(StorageKind kind) {
  switch (kind) {
    case StorageKind::kNone:
      return "-";
    case StorageKind::kFlipFlops:
      return "flip-flops";
    case StorageKind::kRam:
      return "RAM";
    case StorageKind::kCam:
      return "CAM";
  }
  return "-";
}

CostFormat cost_format(std::string_view name) {
  if (name == "md") return CostFormat::kMarkdown;
  if (name == "csv") return CostFormat::kCsv;
  if (name == "json") return CostFormat::kJson;
  throw std::invalid_argument(fmt::format("format: found '{}', expected md, csv or json", name));
}

std::string write_cost(const CostTable& table, CostFormat format) {
  switch (format) {
    case CostFormat::kMarkdown:
      return cost_markdown(table);
    case CostFormat::kCsv:
      return cost_csv(table);
    case CostFormat::kJson:
      return cost_json(table);
  }
  return {};
}

}  // namespace heddle::hw
