#include <fmt/format.h>

#include <algorithm>

#include "hw/reports/cost_report.h"

namespace heddle::hw {
namespace {

/// Quoted when it has to be (RFC 4180).
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string columns_of(const std::optional<Estimate>& estimate) {
  return estimate ? fmt::format("{:.6g},{:.6g},{:.6g}", estimate->value, estimate->low, estimate->high)
                  : ",,";
}

}  // namespace

std::string cost_csv(const CostTable& table) {
  const std::string head =
      "block,structure,kind,storage,scope,instances,instances_per_gpu,entries,bits_per_entry,hidden_bits,"
      "bits,"
      "paper_bits,paper_bytes,bits_per_gpu,register_file_share,l1d_share,read_ports,write_ports,comparators,"
      "comparator_"
      "bits,"
      "adders,adder_bits,selector_inputs,cycles_per_operation,depth_fo4,storage_nand2,read_mux_nand2,write_"
      "nand2,"
      "comparator_nand2,adder_nand2,selection_nand2,total_nand2,reads,writes,compares,adds,selects,overflows,"
      "port_conflicts,accesses_per_1000_cycles,area_um2,area_um2_low,area_um2_high,energy_fj_per_access,"
      "energy_fj_low,energy_fj_high,run_energy_nj,run_energy_nj_low,run_energy_nj_high\n";
  std::string out = head;
  for (const CostRow& row : table.rows) {
    const Structure& one = row.structure;
    const Activity& use = row.activity;
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{:g},{},{:.6g},{:.6g},", field(row.block),
                       field(row.name), field(one.kind), storage_name(one.storage), row.in_sm ? "sm" : "gpu",
                       row.instances, row.instances_per_gpu, one.entries, one.bits_per_entry, one.hidden_bits,
                       row.bits, row.paper_bits, static_cast<double>(row.paper_bits) / 8, row.bits_per_gpu,
                       row.register_file_share, row.l1d_share);
    out += fmt::format("{},{},{},{},{},{},{},{},{:.2f},", one.read_ports, one.write_ports, one.comparators,
                       one.comparator_bits, one.adders, one.adder_bits, one.selector_inputs,
                       one.cycles_per_operation, one.path.fo4());
    out += fmt::format("{:.1f},{:.1f},{:.1f},{:.1f},{:.1f},{:.1f},{:.1f},", row.area.storage,
                       row.area.read_muxes, row.area.writes, row.area.comparators, row.area.adders,
                       row.area.selection, row.area.total());
    out += fmt::format("{},{},{},{},{},{},{},{:.3f},{},{},{}\n", use.reads, use.writes, use.compares,
                       use.adds, use.selects, use.overflows, use.port_conflicts, row.accesses_per_kilocycle,
                       columns_of(row.area_um2), columns_of(row.energy_fj), columns_of(row.run_energy_nj));
  }
  const std::string no_figures(static_cast<std::size_t>(std::count(head.begin(), head.end(), ',')) - 2, ',');
  for (const std::string& name : table.context.unpriced) {
    out += fmt::format("{},,unpriced{}\n", field(name), no_figures);
  }
  return out;
}

}  // namespace heddle::hw
