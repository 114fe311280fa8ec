#include "top/rtl/netlist_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "modules/warp_scheduler/policy_registry.h"
#include "top/text/document.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;

constexpr const char* kChoiceBlock = "choice";

/// Of the schedulers of one SM: what an SM has beside them, and the GPU, is left out.
struct SchedulerFigures {
  std::uint64_t bits = 0;
  double storage = 0;
  double nand2 = 0;
  double fo4 = 0;
};

/// The qualifier's and the prioritizer's own blocks, those of schedulers inside them, and the choice through
/// several parts; or those of another block.
bool of_scheduler(const std::string& block, const TwinNetlist& netlist) {
  if (!netlist.block.empty()) return block == netlist.block;
  const PolicyNames names = find_policies(netlist.scheduler);
  const std::string first = block.substr(0, block.find_first_of("./"));
  return first == names.qualifier->name || first == names.prioritizer->name || block == kChoiceBlock;
}

bool in_netlist(const std::string& part, const TwinNetlist& netlist) {
  return std::none_of(netlist.left_out.begin(), netlist.left_out.end(),
                      [&part](const std::string& beginning) { return part.rfind(beginning, 0) == 0; });
}

/// A part of the pipeline that choices go through with scheduler.choice_cycles, which the SM has around its
/// schedulers: twins choose in a cycle.
bool in_choice_pipeline(const std::string& block, const std::string& name, const hw::CostTable& table) {
  return block == kChoiceBlock &&
         std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const hw::CostRow& row) { return row.block == block && row.name == name; });
}

SchedulerFigures model_figures(const hw::CostTable& table, const TwinNetlist& netlist) {
  const auto is_compared = [&](const std::string& block, const std::string& name) {
    return of_scheduler(block, netlist) && in_netlist(name, netlist) &&
           !in_choice_pipeline(block, name, table);
  };
  SchedulerFigures model;
  for (const hw::CostRow& row : table.rows) {
    if (!row.in_sm || !is_compared(row.block, row.name)) continue;
    model.bits += row.bits;
    model.storage += row.area.storage;
    model.nand2 += row.area.total();
  }
  for (const hw::CostPath& path : table.paths) {
    if (is_compared(path.block, path.name))
      model.fo4 = std::max(model.fo4, path.path.longest_stage_sized_fo4());
  }
  return model;
}

/// By the rule of the hardware's timing, of depths in a netlist of sized cells.
unsigned cycles(double fo4, const hw::CostTable& table) {
  return hw::TimingPath::cycles(fo4, table.context.clock_fo4);
}

/// "-17%"; beyond kMarkedDifference with a mark, as is something where the netlist has nothing.
std::string difference(double model, double netlist) {
  if (netlist <= 0) return model > 0 ? "- !" : "-";
  const double by = model / netlist - 1;
  return fmt::format("{:+.0f}%{}", 100 * by, std::abs(by) > kMarkedDifference ? " !" : "");
}

}  // namespace

std::string netlist_section(const hw::CostTable& table, const TwinNetlist& netlist, OutputFormat format) {
  const SchedulerFigures model = model_figures(table, netlist);
  Table figures({{"figure", "one SM"},
                 {"model", "model", Kind::kText, Rank::kKey},
                 {"netlist", "netlist", Kind::kText, Rank::kKey},
                 {"difference", "model is off by", Kind::kText, Rank::kKey}});
  const auto add = [&figures](const char* name, double of_model, double of_netlist, const char* spec) {
    figures.add({name, fmt::format(fmt::runtime(spec), of_model), fmt::format(fmt::runtime(spec), of_netlist),
                 difference(of_model, of_netlist)});
  };
  add("flip-flops", static_cast<double>(model.bits), static_cast<double>(netlist.flip_flops), "{:.0f}");
  add("NAND2-equivalents", model.nand2, netlist.nand2, "{:.0f}");
  add("of them storage", model.storage, netlist.flip_flops_nand2, "{:.0f}");
  add("of them logic", model.nand2 - model.storage, netlist.nand2 - netlist.flip_flops_nand2, "{:.0f}");
  add("FO4 of the longest path", model.fo4, netlist.fo4, "{:.1f}");
  figures.add({fmt::format("cycles of it at a clock of {:g} FO4", table.context.clock_fo4),
               std::to_string(cycles(model.fo4, table)), std::to_string(cycles(netlist.fo4, table)), ""});
  Document out(format);
  out.heading(fmt::format("Beside the netlist of {}", netlist.module));
  out.table(figures);
  out.paragraph(fmt::format("The netlist's longest path runs from {} to {}. '!': more than {:.0f}% off.",
                            netlist.from.empty() ? "?" : netlist.from, netlist.to.empty() ? "?" : netlist.to,
                            100 * kMarkedDifference));
  return out.text();
}

namespace {

/// A line of the table's CSV: of the netlist, or of what the model asks for the same, by `kind`.
std::string csv_row(const std::string& header, const std::string& kind, const std::string& module,
                    const SchedulerFigures& figures, unsigned cycles) {
  std::istringstream columns(header);
  std::string row;
  for (std::string column; std::getline(columns, column, ',');) {
    if (!row.empty() || column != "block") row += ',';
    if (column == "block") row += "netlist";
    if (column == "structure") row += module;
    if (column == "kind") row += kind;
    if (column == "scope") row += "sm";
    if (column == "bits") row += std::to_string(figures.bits);
    if (column == "storage_nand2") row += fmt::format("{:.1f}", figures.storage);
    if (column == "total_nand2") row += fmt::format("{:.1f}", figures.nand2);
    if (column == "cycles_per_operation") row += std::to_string(cycles);
    if (column == "depth_fo4") row += fmt::format("{:.2f}", figures.fo4);
  }
  return row + "\n";
}

std::string with_rows(const std::string& csv, const hw::CostTable& table, const TwinNetlist& netlist) {
  const std::string header = csv.substr(0, csv.find_first_of("\r\n"));
  const SchedulerFigures found{netlist.flip_flops, netlist.flip_flops_nand2, netlist.nand2, netlist.fo4};
  const SchedulerFigures model = model_figures(table, netlist);
  return csv + csv_row(header, "model", netlist.module, model, cycles(model.fo4, table)) +
         csv_row(header, "netlist", netlist.module, found, cycles(found.fo4, table));
}

}  // namespace

std::string with_netlist(const std::string& report, const hw::CostTable& table, const TwinNetlist& netlist,
                         OutputFormat format) {
  if (format == OutputFormat::kCsv) return with_rows(report, table, netlist);
  if (format != OutputFormat::kJson) return report + "\n" + netlist_section(table, netlist, format);
  auto json = nlohmann::ordered_json::parse(report);
  const SchedulerFigures model = model_figures(table, netlist);
  json["netlist"] = {{"module", netlist.module},
                     {"flip_flops", netlist.flip_flops},
                     {"nand2", netlist.nand2},
                     {"flip_flops_nand2", netlist.flip_flops_nand2},
                     {"fo4", netlist.fo4},
                     {"cycles", cycles(netlist.fo4, table)},
                     {"from", netlist.from},
                     {"to", netlist.to},
                     {"model",
                      {{"flip_flops", model.bits},
                       {"nand2", model.nand2},
                       {"flip_flops_nand2", model.storage},
                       {"fo4", model.fo4},
                       {"cycles", cycles(model.fo4, table)}}}};
  return json.dump(2) + "\n";
}

}  // namespace heddle
