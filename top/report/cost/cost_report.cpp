#include "top/report/cost/cost_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "hw/reports/cost_json.h"
#include "top/support/output/text_format.h"
#include "top/text/document.h"

namespace heddle {

namespace {

using hw::CostPath;
using hw::CostRow;
using hw::CostTable;
using hw::Estimate;
using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;
using Cell = Table::Cell;

constexpr std::size_t kLargest = 5;
constexpr double kByteBits = 8;

std::string units_text(unsigned count, unsigned bits) {
  return count == 0 ? "-" : fmt::format("{} x {}", count, bits);
}

std::string span(const std::optional<Estimate>& estimate) {
  return estimate ? fmt::format("{} ({} to {})", rounded(estimate->value, 4), rounded(estimate->low, 3),
                                rounded(estimate->high, 3))
                  : "-";
}

/// NAND2-equivalents of a structure in the whole GPU.
double nand2_per_gpu(const CostRow& row, const CostTable& table) {
  return row.area.total() * (row.in_sm ? table.context.sms : 1);
}

std::string bytes_text(std::uint64_t bits) {
  return fmt::format("{:g}", static_cast<double>(bits) / kByteBits);
}

Cell nothing_for_0(double share) { return share == 0 ? Cell() : Cell(share); }

/// "a 1.0, 3 x (b 2.5, c 2.9), d 4.0": levels of a tree, which come one after another, once.
std::string stages_text(const CostPath& path) {
  std::vector<std::string> stages;
  for (const hw::TimingPath::Stage& stage : path.path.stages()) {
    stages.push_back(fmt::format("{} {:.1f}", stage.label, stage.fo4));
  }
  std::string text;
  for (std::size_t i = 0; i < stages.size();) {
    const bool pair = i + 1 < stages.size();
    std::size_t levels = 1;
    while (pair && i + 2 * levels + 1 < stages.size() && stages[i + 2 * levels] == stages[i] &&
           stages[i + 2 * levels + 1] == stages[i + 1]) {
      ++levels;
    }
    text += text.empty() ? "" : ", ";
    if (levels > 1) {
      text += fmt::format("{} x ({}, {})", levels, stages[i], stages[i + 1]);
      i += 2 * levels;
    } else {
      text += stages[i++];
    }
  }
  return text;
}

Table totals_table(const CostTable& table, bool grouping) {
  const hw::CostTotals& totals = table.totals;
  const bool incomplete = !table.context.unpriced.empty();
  const auto total = [&](const std::string& figure) -> Cell {
    if (!incomplete) return figure;
    return table.rows.empty() ? "unpriced" : figure + " + unpriced";
  };
  const auto whole = [grouping](double value) {
    return grouping ? grouped(static_cast<std::uint64_t>(std::llround(value))) : fmt::format("{:.0f}", value);
  };
  const auto bits = [&whole](std::uint64_t count) { return whole(static_cast<double>(count)); };
  // Texts, since a figure may have words beside it.
  Table result({{"total", ""},
                {"per_sm", "per SM", Kind::kText, Rank::kKey},
                {"per_gpu", "per GPU", Kind::kText, Rank::kKey}});
  result.add({"bits", total(bits(totals.bits_per_sm)), total(bits(totals.bits_per_gpu))});
  result.add(
      {"NAND2-equivalents", total(whole(totals.area_per_sm.total())), total(whole(totals.nand2_per_gpu))});
  if (totals.paper_bits_per_sm != 0 || incomplete) {
    result.add({"bits that the paper counts",
                total(fmt::format("{} ({} bytes)", bits(totals.paper_bits_per_sm),
                                  bytes_text(totals.paper_bits_per_sm))),
                ""});
  }
  if (totals.area_um2_per_sm) result.add({"area, um2", total(span(totals.area_um2_per_sm)), ""});
  return result;
}

Table largest_table(const CostTable& table, std::vector<const CostRow*> rows) {
  Table result({{"block", "block"},
                {"structure", "structure", Kind::kText, Rank::kKey},
                {"kind", "kind", Kind::kText, Rank::kDetail},
                {"per_sm", "count", Kind::kText, Rank::kDetail},
                {"bits_per_gpu", "bits", Kind::kWhole},
                {"nand2_per_gpu", "NAND2-eq", Kind::kWhole, Rank::kKey},
                {"share", "share", Kind::kPercent, Rank::kKey}});
  for (const CostRow* row : rows) {
    const double nand2 = nand2_per_gpu(*row, table);
    result.add({row->block, row->name, row->structure.kind,
                row->in_sm ? std::to_string(row->instances) : fmt::format("{} per GPU", row->instances),
                row->bits_per_gpu, nand2,
                table.totals.nand2_per_gpu == 0 ? Cell() : Cell(nand2 / table.totals.nand2_per_gpu)});
  }
  return result;
}

/// Totals, what makes the most of them, and the longest path.
void write_overview(Document& out, const CostTable& table, OutputFormat format, bool all) {
  out.table(totals_table(table, format == OutputFormat::kText));
  if (table.rows.empty()) {
    out.paragraph(table.context.unpriced.empty() ? "There are no parts: it costs nothing."
                                                 : "There are no priced parts.");
    return;
  }
  std::vector<const CostRow*> rows;
  for (const CostRow& row : table.rows) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [&table](const CostRow* a, const CostRow* b) {
    return nand2_per_gpu(*a, table) > nand2_per_gpu(*b, table);
  });
  rows.resize(std::min(rows.size(), kLargest));
  out.heading(rows.size() == table.rows.size() ? "Structures by their area in the GPU"
                                               : fmt::format("The {} largest of {} structures in the GPU",
                                                             rows.size(), table.rows.size()));
  out.table(largest_table(table, rows));
  const auto longest = std::max_element(table.paths.begin(), table.paths.end(),
                                        [](const CostPath& a, const CostPath& b) { return a.fo4 < b.fo4; });
  if (longest != table.paths.end()) {
    out.heading("The longest path");
    out.paragraph(
        fmt::format("{}, {}: {:.1f} FO4, {} cycle{} at a clock of {} FO4{}; from a flip-flop through {}.",
                    longest->block, longest->name, longest->fo4, longest->cycles,
                    longest->cycles == 1 ? "" : "s", table.context.clock_fo4,
                    longest->picoseconds ? fmt::format(", {} ps", span(longest->picoseconds)) : "",
                    stages_text(*longest)));
  }
  if (!all) {
    out.paragraph(fmt::format("NAND2-equivalents and FO4 are known to a factor of {:g}. --all has the rest.",
                              hw::kAreaUncertainty));
  }
}

void write_structures(Document& out, const CostTable& table) {
  out.heading("Structures");
  Table result({{"block", "block", Kind::kText, Rank::kKey},
                {"structure", "structure", Kind::kText, Rank::kKey},
                {"kind", "kind"},
                {"storage", "storage"},
                {"per_sm", "per SM"},
                {"entries", "entries", Kind::kWhole},
                {"bits_per_entry", "bits per entry", Kind::kWhole},
                {"hidden_bits", "hidden bits", Kind::kWhole},
                {"bits", "bits per SM", Kind::kWhole, Rank::kKey},
                {"paper_bytes", "paper's bytes per SM"},
                {"bits_per_gpu", "bits per GPU", Kind::kWhole},
                {"register_file_share", "of the register file", Kind::kPercent, Rank::kDetail},
                {"l1d_share", "of the L1D", Kind::kPercent, Rank::kDetail},
                {"ports", "read + write ports"},
                {"comparators", "comparators"},
                {"adders", "adders"},
                {"selector_inputs", "selector inputs", Kind::kWhole},
                {"cycles_per_operation", "cycles per operation", Kind::kWhole},
                {"fo4", "FO4", Kind::kTenths}});
  for (const CostRow& row : table.rows) {
    const hw::Structure& one = row.structure;
    result.add({row.block, row.name, one.kind, storage_name(one.storage),
                row.in_sm ? std::to_string(row.instances) : fmt::format("{} per GPU", row.instances),
                one.entries, one.bits_per_entry, one.hidden_bits, row.in_sm ? row.bits : 0,
                row.in_sm ? bytes_text(row.paper_bits) : "0", row.bits_per_gpu,
                nothing_for_0(row.register_file_share), nothing_for_0(row.l1d_share),
                fmt::format("{} + {}", one.read_ports, one.write_ports),
                units_text(one.comparators, one.comparator_bits), units_text(one.adders, one.adder_bits),
                one.selector_inputs, one.cycles_per_operation,
                one.path.empty() ? Cell() : Cell(one.path.fo4())});
  }
  out.table(result);
}

/// What the storage that a paper counts, as a total or as a list of what it keeps, is to be compared without.
void write_left_out(Document& out, const CostTable& table) {
  if (table.totals.paper_bits_per_sm == 0) return;
  out.heading(fmt::format("Storage beside the {} bytes that the paper counts",
                          bytes_text(table.totals.paper_bits_per_sm)));
  Table result({{"block", "block", Kind::kText, Rank::kKey},
                {"structure", "structure", Kind::kText, Rank::kKey},
                {"bits", "bits per SM", Kind::kWhole, Rank::kKey},
                {"bits_per_gpu", "bits per GPU", Kind::kWhole},
                {"why", "why"}});
  for (const CostRow& row : table.rows) {
    if (row.paper_bits != 0 || row.bits == 0) continue;
    result.add({row.block, row.name, row.in_sm ? row.bits : 0, row.bits_per_gpu,
                row.note.empty() ? Cell() : Cell(row.note)});
  }
  out.table(result);
}

void write_area(Document& out, const CostTable& table) {
  out.heading("Area by purpose, NAND2-equivalents per SM");
  Table result({{"block", "block", Kind::kText, Rank::kKey},
                {"structure", "structure", Kind::kText, Rank::kKey},
                {"storage", "storage", Kind::kWhole},
                {"read_muxes", "read multiplexers", Kind::kWhole},
                {"writes", "enables, decoders", Kind::kWhole},
                {"comparators", "comparators", Kind::kWhole},
                {"adders", "adders", Kind::kWhole},
                {"selection", "selection", Kind::kWhole},
                {"total", "total", Kind::kWhole, Rank::kKey},
                {"area_um2", "um2", Kind::kText, Rank::kDetail},
                {"rate", "accesses per 1,000 cycles", Kind::kTenths, Rank::kDetail},
                {"energy_fj", "fJ per access", Kind::kText, Rank::kDetail},
                {"run_energy_nj", "nJ in the run, GPU", Kind::kText, Rank::kDetail}});
  const auto line = [&result](const std::string& block, const std::string& name, const hw::Area& area,
                              const std::string& um2, double rate, const std::string& energy,
                              const std::string& run_energy) {
    result.add({block, name, area.storage, area.read_muxes, area.writes, area.comparators, area.adders,
                area.selection, area.total(), um2, nothing_for_0(rate), energy, run_energy});
  };
  for (const CostRow& row : table.rows) {
    line(row.block + (row.in_sm ? "" : " (per GPU)"), row.name, row.area, span(row.area_um2),
         row.accesses_per_kilocycle, span(row.energy_fj), span(row.run_energy_nj));
  }
  line("total per SM", "", table.totals.area_per_sm, span(table.totals.area_um2_per_sm),
       table.totals.accesses_per_kilocycle, "-", span(table.totals.run_energy_nj));
  out.table(result);
}

void write_paths(Document& out, const CostTable& table) {
  out.heading(fmt::format("Register-to-register paths, at a clock of {} FO4", table.context.clock_fo4));
  Table result({{"block", "block", Kind::kText, Rank::kKey},
                {"path", "path", Kind::kText, Rank::kKey},
                {"fo4", "FO4", Kind::kTenths, Rank::kKey},
                {"cycles", "cycles", Kind::kWhole, Rank::kKey},
                {"ps", "ps"},
                {"through", "through"}});
  for (const CostPath& path : table.paths) {
    result.add({path.block, path.name, path.fo4, path.cycles, span(path.picoseconds), stages_text(path)});
  }
  out.table(result);
}

void write_assumptions(Document& out, const CostTable& table) {
  out.heading("Assumptions");
  std::vector<std::string> items{fmt::format("NAND2-equivalents and FO4 are estimates within a factor of "
                                             "{:g}: formulas fitted to synthesised blocks "
                                             "(docs/hardware-parts.md).",
                                             hw::kAreaUncertainty),
                                 "The paper's bits are those of what the paper counts, in a total of its own "
                                 "(PRO, iPAWS, OAWS, WarpMan) or in a list "
                                 "without one (SRTF's table 1); hidden bits are valid bits, replacement "
                                 "order, pointers and state machines."};
  if (table.context.technology) {
    const hw::Technology& technology = *table.context.technology;
    items.push_back(fmt::format("Technology {}: {}", technology.name, technology.description));
    const auto add = [&items](const char* name, const std::optional<hw::Figure>& figure) {
      items.push_back(figure ? fmt::format("{}: {:g}, within a factor of {:g}. {}", name, figure->value,
                                           figure->uncertainty, figure->source)
                             : fmt::format("{}: not known; what needs it is left out.", name));
    };
    add("area of a NAND2, um2", technology.nand2_area_um2);
    add("area of an SRAM bit, um2 (a lower bound)", technology.sram_bit_area_um2);
    add("FO4, ps", technology.fo4_ps);
    add("energy of one NAND2-equivalent that switches, fJ", technology.nand2_switch_energy_fj);
    add("fraction of the gates on its way that an access switches", technology.switching_fraction);
    add("energy of an SRAM bit accessed, fJ", technology.sram_bit_access_energy_fj);
  }
  out.list(items);
}

std::string cost_document(const CostTable& table, OutputFormat format, bool all) {
  Document out(format);
  std::vector<std::string> about;
  for (const auto& [name, value] : table.context.about) about.push_back(fmt::format("{} {}", name, value));
  out.title(about.empty() ? "Cost" : fmt::format("Cost: {}", fmt::join(about, ", ")));
  const std::vector<std::string>& unpriced = table.context.unpriced;
  if (!unpriced.empty()) {
    out.list({fmt::format("unpriced: {} (built of no parts from hw/: what it costs is not known)",
                          fmt::join(unpriced, ", "))});
  }
  write_overview(out, table, format, all);
  if (!all) return out.text();
  if (!table.rows.empty()) {
    write_structures(out, table);
    write_left_out(out, table);
    write_area(out, table);
    write_paths(out, table);
  }
  write_assumptions(out, table);
  return out.text();
}

std::vector<TableColumn> csv_columns() {
  std::vector<TableColumn> columns;
  for (const char* key : {"block",
                          "structure",
                          "kind",
                          "storage",
                          "scope",
                          "instances",
                          "instances_per_gpu",
                          "entries",
                          "bits_per_entry",
                          "hidden_bits",
                          "bits",
                          "paper_bits",
                          "paper_bytes",
                          "bits_per_gpu",
                          "register_file_share",
                          "l1d_share",
                          "read_ports",
                          "write_ports",
                          "comparators",
                          "comparator_bits",
                          "adders",
                          "adder_bits",
                          "selector_inputs",
                          "cycles_per_operation",
                          "depth_fo4",
                          "storage_nand2",
                          "read_mux_nand2",
                          "write_nand2",
                          "comparator_nand2",
                          "adder_nand2",
                          "selection_nand2",
                          "total_nand2",
                          "reads",
                          "writes",
                          "compares",
                          "adds",
                          "selects",
                          "overflows",
                          "port_conflicts",
                          "accesses_per_1000_cycles",
                          "area_um2",
                          "area_um2_low",
                          "area_um2_high",
                          "energy_fj_per_access",
                          "energy_fj_low",
                          "energy_fj_high",
                          "run_energy_nj",
                          "run_energy_nj_low",
                          "run_energy_nj_high"}) {
    columns.push_back({key, key});
  }
  return columns;
}

std::string cost_csv(const CostTable& table) {
  const std::vector<TableColumn> columns = csv_columns();
  Table result(columns);
  for (const CostRow& row : table.rows) {
    const hw::Structure& one = row.structure;
    const hw::Activity& use = row.activity;
    std::vector<Cell> cells{row.block,
                            row.name,
                            one.kind,
                            storage_name(one.storage),
                            row.in_sm ? "sm" : "gpu",
                            row.instances,
                            row.instances_per_gpu,
                            one.entries,
                            one.bits_per_entry,
                            one.hidden_bits,
                            row.bits,
                            row.paper_bits,
                            static_cast<double>(row.paper_bits) / kByteBits,
                            row.bits_per_gpu,
                            row.register_file_share,
                            row.l1d_share,
                            one.read_ports,
                            one.write_ports,
                            one.comparators,
                            one.comparator_bits,
                            one.adders,
                            one.adder_bits,
                            one.selector_inputs,
                            one.cycles_per_operation,
                            one.path.fo4(),
                            row.area.storage,
                            row.area.read_muxes,
                            row.area.writes,
                            row.area.comparators,
                            row.area.adders,
                            row.area.selection,
                            row.area.total(),
                            use.reads,
                            use.writes,
                            use.compares,
                            use.adds,
                            use.selects,
                            use.overflows,
                            use.port_conflicts,
                            row.accesses_per_kilocycle};
    for (const std::optional<Estimate>& estimate : {row.area_um2, row.energy_fj, row.run_energy_nj}) {
      if (estimate) {
        cells.insert(cells.end(), {estimate->value, estimate->low, estimate->high});
      } else {
        cells.insert(cells.end(), 3, Cell());
      }
    }
    result.add(std::move(cells));
  }
  for (const std::string& name : table.context.unpriced) {
    std::vector<Cell> cells(columns.size());
    cells[0] = name;
    cells[2] = "unpriced";
    result.add(std::move(cells));
  }
  return result.csv();
}

}  // namespace

std::string cost_report(const CostTable& table, OutputFormat format, bool all) {
  switch (format) {
    case OutputFormat::kCsv:
      return cost_csv(table);
    case OutputFormat::kJson:
      return hw::cost_json(table);
    default:
      return cost_document(table, format, all);
  }
}

}  // namespace heddle
