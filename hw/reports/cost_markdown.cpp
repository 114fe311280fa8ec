#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hw/reports/cost_report.h"

namespace heddle::hw {
namespace {

std::string units_text(unsigned count, unsigned bits) {
  return count == 0 ? "-" : fmt::format("{} x {}", count, bits);
}

std::string percent(double share) { return share == 0 ? "-" : fmt::format("{:.3f}%", 100 * share); }

std::string span(const std::optional<Estimate>& estimate, double scale = 1) {
  if (!estimate) return "-";
  return fmt::format("{:.4g} ({:.3g} to {:.3g})", estimate->value * scale, estimate->low * scale,
                     estimate->high * scale);
}

void write_structures(std::string& out, const CostTable& table) {
  out += "## Structures\n\n";
  out +=
      "| block | structure | kind | storage | per SM | entries | bits per entry | hidden bits | bits per SM "
      "| "
      "paper's bytes per SM | bits per GPU | of the register file | of the L1D | read + write ports | "
      "comparators | "
      "adders | selector inputs | cycles per operation | FO4 |\n";
  out +=
      "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- | "
      "--- | "
      "---: | ---: | ---: |\n";
  for (const CostRow& row : table.rows) {
    const Structure& one = row.structure;
    out += fmt::format(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} + {} | {} | {} | {} | {} | {} "
        "|\n",
        row.block, row.name, one.kind, storage_name(one.storage),
        row.in_sm ? std::to_string(row.instances) : fmt::format("{} per GPU", row.instances), one.entries,
        one.bits_per_entry, one.hidden_bits, row.in_sm ? row.bits : 0,
        row.in_sm ? fmt::format("{:g}", static_cast<double>(row.paper_bits) / 8) : "0", row.bits_per_gpu,
        percent(row.register_file_share), percent(row.l1d_share), one.read_ports, one.write_ports,
        units_text(one.comparators, one.comparator_bits), units_text(one.adders, one.adder_bits),
        one.selector_inputs, one.cycles_per_operation,
        one.path.empty() ? "-" : fmt::format("{:.1f}", one.path.fo4()));
  }
}

/// What the storage that a paper counts, as a total or as a list of what it keeps, is to be compared without.
void write_left_out(std::string& out, const CostTable& table) {
  if (table.totals.paper_bits_per_sm == 0) return;
  out += fmt::format(
      "\n## Storage beside the {:g} bytes that the paper counts\n\n| block | structure | bits per SM | "
      "bits "
      "per GPU | why |\n| --- | --- | ---: | ---: | --- |\n",
      static_cast<double>(table.totals.paper_bits_per_sm) / 8);
  for (const CostRow& row : table.rows) {
    if (row.paper_bits != 0 || row.bits == 0) continue;
    out += fmt::format("| {} | {} | {} | {} | {} |\n", row.block, row.name, row.in_sm ? row.bits : 0,
                       row.bits_per_gpu, row.note.empty() ? "-" : row.note);
  }
}

void write_area(std::string& out, const CostTable& table) {
  out += "\n## Area by purpose, NAND2-equivalents per SM\n\n";
  out +=
      "| block | structure | storage | read multiplexers | enables, decoders | comparators | adders | "
      "selection | "
      "total | um2 | accesses per 1,000 cycles | fJ per access | nJ in the run, GPU |\n";
  out += "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | --- | --- |\n";
  const auto line = [&out](const std::string& block, const std::string& name, const Area& area,
                           const std::string& um2, double rate, const std::string& energy,
                           const std::string& run_energy) {
    out += fmt::format(
        "| {} | {} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {} | {} | {} | {} |\n",
        block, name, area.storage, area.read_muxes, area.writes, area.comparators, area.adders,
        area.selection, area.total(), um2, rate == 0 ? "-" : fmt::format("{:.1f}", rate), energy, run_energy);
  };
  for (const CostRow& row : table.rows) {
    line(row.block + (row.in_sm ? "" : " (per GPU)"), row.name, row.area, span(row.area_um2),
         row.accesses_per_kilocycle, span(row.energy_fj), span(row.run_energy_nj));
  }
  line("total per SM", "", table.totals.area_per_sm, span(table.totals.area_um2_per_sm),
       table.totals.accesses_per_kilocycle, "-", span(table.totals.run_energy_nj));
}

void write_paths(std::string& out, const CostTable& table) {
  out += fmt::format("\n## Register-to-register paths, at a clock of {} FO4\n\n", table.context.clock_fo4);
  out += "| block | path | FO4 | cycles | ps | through |\n| --- | --- | ---: | ---: | --- | --- |\n";
  for (const CostPath& path : table.paths) {
    std::string stages;
    for (const TimingPath::Stage& stage : path.path.stages()) {
      stages += fmt::format("{}{} {:.1f}", stages.empty() ? "" : ", ", stage.label, stage.fo4);
    }
    out += fmt::format("| {} | {} | {:.1f} | {} | {} | {} |\n", path.block, path.name, path.fo4, path.cycles,
                       span(path.picoseconds), stages);
  }
}

void write_figure(std::string& out, const char* name, const std::optional<Figure>& figure) {
  if (figure) {
    out += fmt::format("- {}: {:g}, within a factor of {:g}. {}\n", name, figure->value, figure->uncertainty,
                       figure->source);
  } else {
    out += fmt::format("- {}: not known; what needs it is left out.\n", name);
  }
}

void write_assumptions(std::string& out, const CostTable& table) {
  out += fmt::format(
      "\n## Assumptions\n\n- NAND2-equivalents and FO4 are estimates within a factor of {:g}: formulas "
      "fitted to synthesised blocks (docs/hardware-parts.md).\n",
      kAreaUncertainty);
  out +=
      "- The paper's bits are those of what the paper counts, in a total of its own (PRO, iPAWS, OAWS, "
      "WarpMan) "
      "or in a list without one (SRTF's table 1); hidden bits are valid bits, "
      "replacement order, pointers and state machines.\n";
  if (!table.context.technology) return;
  const Technology& technology = *table.context.technology;
  out += fmt::format("- Technology {}: {}\n", technology.name, technology.description);
  write_figure(out, "area of a NAND2, um2", technology.nand2_area_um2);
  write_figure(out, "area of an SRAM bit, um2 (a lower bound)", technology.sram_bit_area_um2);
  write_figure(out, "FO4, ps", technology.fo4_ps);
  write_figure(out, "energy of one NAND2-equivalent that switches, fJ", technology.nand2_switch_energy_fj);
  write_figure(out, "fraction of the gates on its way that an access switches",
               technology.switching_fraction);
  write_figure(out, "energy of an SRAM bit accessed, fJ", technology.sram_bit_access_energy_fj);
}

/// A total, and what is missing from it.
std::string total_text(const CostTable& table, const std::string& figure) {
  if (table.context.unpriced.empty()) return figure;
  return table.rows.empty() ? "unpriced" : figure + " + unpriced";
}

}  // namespace

std::string cost_markdown(const CostTable& table) {
  std::string out = "# Cost\n\n";
  for (const auto& [name, value] : table.context.about) out += fmt::format("- {}: {}\n", name, value);
  const std::vector<std::string>& unpriced = table.context.unpriced;
  if (!unpriced.empty()) {
    out += fmt::format("- unpriced: {} (built of no parts from hw/: what it costs is not known)\n",
                       fmt::join(unpriced, ", "));
  }
  out += table.context.about.empty() && unpriced.empty() ? "" : "\n";
  if (table.rows.empty()) {
    out += unpriced.empty() ? "There are no parts: it costs nothing.\n" : "There are no priced parts.\n";
  } else {
    write_structures(out, table);
    write_left_out(out, table);
    write_area(out, table);
    write_paths(out, table);
  }
  const CostTotals& totals = table.totals;
  out += "\n## Totals\n\n| | per SM | per GPU |\n| --- | ---: | ---: |\n";
  const auto total = [&table](const std::string& figure) { return total_text(table, figure); };
  out += fmt::format("| bits that the paper counts | {} | |\n",
                     total(fmt::format("{} ({:g} bytes)", totals.paper_bits_per_sm,
                                       static_cast<double>(totals.paper_bits_per_sm) / 8)));
  out += fmt::format("| bits | {} | {} |\n", total(std::to_string(totals.bits_per_sm)),
                     total(std::to_string(totals.bits_per_gpu)));
  out += fmt::format("| NAND2-equivalents | {} | {} |\n",
                     total(fmt::format("{:.0f}", totals.area_per_sm.total())),
                     total(fmt::format("{:.0f}", totals.nand2_per_gpu)));
  write_assumptions(out, table);
  return out;
}

}  // namespace heddle::hw
