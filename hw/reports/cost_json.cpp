#include "hw/reports/cost_json.h"

#include <nlohmann/json.hpp>

namespace heddle::hw {
namespace {

using Json = nlohmann::ordered_json;

Json area_json(const Area& area) {
  return {{"storage", area.storage}, {"read_muxes", area.read_muxes},
          {"writes", area.writes},   {"comparators", area.comparators},
          {"adders", area.adders},   {"selection", area.selection},
          {"total", area.total()}};
}

Json estimate_json(const std::optional<Estimate>& estimate) {
  if (!estimate) return nullptr;
  return {{"value", estimate->value}, {"low", estimate->low}, {"high", estimate->high}};
}

Json figure_json(const std::optional<Figure>& figure) {
  if (!figure) return nullptr;
  return {{"value", figure->value}, {"uncertainty", figure->uncertainty}, {"source", figure->source}};
}

Json row_json(const CostRow& row) {
  const Structure& one = row.structure;
  const Activity& use = row.activity;
  Json json;
  json["block"] = row.block;
  json["structure"] = row.name;
  json["kind"] = one.kind;
  json["storage"] = storage_name(one.storage);
  json["scope"] = row.in_sm ? "sm" : "gpu";
  json["instances"] = row.instances;
  json["instances_per_gpu"] = row.instances_per_gpu;
  json["entries"] = one.entries;
  json["bits_per_entry"] = one.bits_per_entry;
  json["hidden_bits"] = one.hidden_bits;
  json["bits"] = row.bits;
  if (!row.note.empty()) json["not_in_the_paper"] = row.note;
  json["paper_bits"] = row.paper_bits;
  json["paper_bytes"] = static_cast<double>(row.paper_bits) / 8;
  json["bits_per_gpu"] = row.bits_per_gpu;
  json["register_file_share"] = row.register_file_share;
  json["l1d_share"] = row.l1d_share;
  json["read_ports"] = one.read_ports;
  json["write_ports"] = one.write_ports;
  json["comparators"] = one.comparators;
  json["comparator_bits"] = one.comparator_bits;
  json["adders"] = one.adders;
  json["adder_bits"] = one.adder_bits;
  json["selector_inputs"] = one.selector_inputs;
  json["cycles_per_operation"] = one.cycles_per_operation;
  json["depth_fo4"] = one.path.fo4();
  json["nand2"] = area_json(row.area);
  json["activity"] = {{"reads", use.reads},
                      {"writes", use.writes},
                      {"compares", use.compares},
                      {"adds", use.adds},
                      {"selects", use.selects},
                      {"overflows", use.overflows},
                      {"port_conflicts", use.port_conflicts}};
  json["accesses_per_1000_cycles"] = row.accesses_per_kilocycle;
  json["area_um2"] = estimate_json(row.area_um2);
  json["energy_fj_per_access"] = estimate_json(row.energy_fj);
  json["run_energy_nj"] = estimate_json(row.run_energy_nj);
  return json;
}

Json path_json(const CostPath& path) {
  Json stages = Json::array();
  for (const TimingPath::Stage& stage : path.path.stages()) {
    stages.push_back({{"logic", stage.label}, {"fo4", stage.fo4}});
  }
  return {{"block", path.block},   {"path", path.name}, {"fo4", path.fo4},
          {"cycles", path.cycles}, {"stages", stages},  {"ps", estimate_json(path.picoseconds)}};
}

}  // namespace

std::string_view storage_name(StorageKind kind) {
  switch (kind) {
    case StorageKind::kFlipFlops:
      return "flip-flops";
    case StorageKind::kRam:
      return "RAM";
    case StorageKind::kCam:
      return "CAM";
    default:
      return "-";
  }
}

std::string cost_json(const CostTable& table) {
  Json json;
  const CostContext& context = table.context;
  for (const auto& [name, value] : context.about) json[name] = value;
  json["sms"] = context.sms;
  json["clock_fo4"] = context.clock_fo4;
  json["run_cycles"] = context.cycles;
  json["nand2_uncertainty"] = kAreaUncertainty;
  json["structures"] = Json::array();
  for (const CostRow& row : table.rows) json["structures"].push_back(row_json(row));
  json["paths"] = Json::array();
  for (const CostPath& path : table.paths) json["paths"].push_back(path_json(path));
  const CostTotals& totals = table.totals;
  if (!context.unpriced.empty()) json["unpriced"] = context.unpriced;
  json["totals"] = {{"paper_bits_per_sm", totals.paper_bits_per_sm},
                    {"paper_bytes_per_sm", static_cast<double>(totals.paper_bits_per_sm) / 8},
                    {"bits_per_sm", totals.bits_per_sm},
                    {"bits_per_gpu", totals.bits_per_gpu},
                    {"nand2_per_sm", area_json(totals.area_per_sm)},
                    {"nand2_per_gpu", totals.nand2_per_gpu},
                    {"accesses_per_1000_cycles", totals.accesses_per_kilocycle},
                    {"area_um2_per_sm", estimate_json(totals.area_um2_per_sm)},
                    {"run_energy_nj", estimate_json(totals.run_energy_nj)}};
  if (!context.unpriced.empty()) {
    for (auto& total : json["totals"]) total = nullptr;
  }
  json["technology"] = nullptr;
  if (context.technology) {
    const Technology& technology = *context.technology;
    json["technology"] = {{"name", technology.name},
                          {"description", technology.description},
                          {"nand2_area_um2", figure_json(technology.nand2_area_um2)},
                          {"sram_bit_area_um2", figure_json(technology.sram_bit_area_um2)},
                          {"fo4_ps", figure_json(technology.fo4_ps)},
                          {"nand2_switch_energy_fj", figure_json(technology.nand2_switch_energy_fj)},
                          {"switching_fraction", figure_json(technology.switching_fraction)},
                          {"sram_bit_access_energy_fj", figure_json(technology.sram_bit_access_energy_fj)}};
  }
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::hw
