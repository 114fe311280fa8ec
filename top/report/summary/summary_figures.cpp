#include "top/report/summary/summary_figures.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "modules/counts/issue_cause.h"
#include "top/energy/energy_account.h"
#include "top/report/metrics/derived_metrics.h"
#include "top/report/metrics/energy_errors.h"
#include "top/report/metrics/figure_errors.h"
#include "top/report/metrics/multiprogram_metrics.h"
#include "top/report/summary/check_table.h"
#include "top/text/shown_path.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;
using For = TableColumn::For;
using Cell = Table::Cell;

std::string extent_text(const Dim3& dim) {
  if (dim.z != 1) return fmt::format("{}x{}x{}", dim.x, dim.y, dim.z);
  return dim.y != 1 ? fmt::format("{}x{}", dim.x, dim.y) : std::to_string(dim.x);
}

struct KernelRow {
  const LaunchResult* first = nullptr;
  std::uint64_t launches = 0;
  std::uint64_t cycles = 0;
  std::uint64_t warp_instructions = 0;
  double nanojoules = 0;
};

/// Whether launches have an energy: they do when each has the machine to itself.
bool launches_have_energy(const RunSummary& run) {
  return run.description.energy.has_value() && run.result.launch_registry == nullptr;
}

std::vector<KernelRow> kernel_rows(const RunSummary& run) {
  const RunResult& result = run.result;
  std::vector<KernelRow> rows;
  for (const LaunchResult& launch : result.launches) {
    KernelRow* row = nullptr;
    for (KernelRow& known : rows) {
      if (known.first->kernel == launch.kernel && known.first->stream == launch.stream &&
          extent_text(known.first->grid) == extent_text(launch.grid) &&
          extent_text(known.first->block) == extent_text(launch.block)) {
        row = &known;
      }
    }
    if (row == nullptr) {
      row = &rows.emplace_back();
      row->first = &launch;
    }
    ++row->launches;
    row->cycles += launch.cycles;
    row->warp_instructions +=
        TotalView(result.launch_registry ? *result.launch_registry : run.registry, launch.values)
            .count("sm.warp_instructions");
    if (launches_have_energy(run)) {
      row->nanojoules += energy_of_gpu(*run.description.energy, all_counts(run.registry, launch.values),
                                       launch.cycles, run.description.config)
                             .total()
                             .nj;
    }
  }
  return rows;
}

void add_energy(std::vector<SummaryFigure>& figures, const RunSummary& run) {
  if (!run.description.energy) return;
  const EnergyAccount account =
      energy_of_gpu(*run.description.energy, all_counts(run.registry, run.result.values), run.result.cycles,
                    run.description.config);
  const Energy total = account.total();
  if (total.nj == 0) return;
  const auto add = [&figures](const std::string& name, const Cell& value, const char* unit) {
    figures.push_back({"energy", name, value, unit});
  };
  add("total", total.nj, "nJ");
  add("low", total.low_nj, "nJ");
  add("high", total.high_nj, "nJ");
  add("static_share", account.static_share(), "1");
  add("delay_product", account.delay_product_nj_s(), "nJ s");
  for (const BlockEnergy& block : account.blocks) add(block.block, block.sum().nj, "nJ");
}

/// The name with its unit; those of metrics have theirs in statistics.md.
std::string key_of(const SummaryFigure& figure) {
  if (figure.section != "energy" || figure.unit == "1") return figure.name;
  return figure.name + (figure.unit == "nJ" ? "_nj" : "_nj_s");
}

}  // namespace

Table kernel_table(const RunSummary& run) {
  Table table({{"kernel", "kernel", Kind::kText, Rank::kKey},
               {"launches", "launches", Kind::kWhole},
               {"grid", "grid"},
               {"block", "block"},
               {"registers_per_thread", "registers", Kind::kWhole, Rank::kDetail},
               {"shared_bytes_per_tb", "shared bytes", Kind::kWhole, Rank::kDetail},
               {"local_bytes_per_thread", "spilled bytes", Kind::kWhole, Rank::kDetail},
               {"tbs_per_sm", "TBs per SM", Kind::kWhole, Rank::kDetail},
               {"occupancy", "occupancy", Kind::kPercent},
               {"occupancy_limiter", "limited by"},
               {"cycles", "cycles", Kind::kWhole, Rank::kKey},
               {"ipc_warp", "IPC", Kind::kDecimal, Rank::kKey},
               {"energy_nj", "energy", Kind::kFigure, Rank::kDetail, For::kPrograms},
               {"energy_mj", "energy (mJ)", Kind::kDecimal, Rank::kDetail, For::kPeople}});
  constexpr double kNanojoulesPerMillijoule = 1e6;
  for (const KernelRow& row : kernel_rows(run)) {
    const LaunchResult& launch = *row.first;
    const Occupancy& occupancy = launch.occupancy;
    const double ipc =
        row.cycles == 0 ? 0 : static_cast<double>(row.warp_instructions) / static_cast<double>(row.cycles);
    table.add({launch.kernel, row.launches, extent_text(launch.grid), extent_text(launch.block),
               occupancy.demand.registers_per_thread, occupancy.demand.shared_bytes,
               launch.spilled_bytes_per_thread, occupancy.tbs_per_sm, occupancy.warp_occupancy,
               to_string(occupancy.limiter), row.cycles, ipc,
               launches_have_energy(run) ? Cell(row.nanojoules) : Cell(),
               launches_have_energy(run) ? Cell(row.nanojoules / kNanojoulesPerMillijoule) : Cell()});
  }
  return table;
}

Table stream_table(const RunSummary& run) {
  Table table({{"stream", "stream", Kind::kText, Rank::kKey},
               {"arrival_cycle", "arrival", Kind::kWhole},
               {"turnaround_cycles", "turnaround", Kind::kWhole, Rank::kKey},
               {"alone_cycles", "alone", Kind::kWhole},
               {"slowdown", "slowdown", Kind::kDecimal, Rank::kKey}});
  for (const StreamResult& stream : run.result.streams) {
    const bool known = stream.complete && stream.alone_cycles != 0;
    table.add({stream.name, stream.arrival_cycle, stream.complete ? Cell(stream.cycles) : Cell(),
               known ? Cell(stream.alone_cycles) : Cell(),
               known ? Cell(static_cast<double>(stream.cycles) / static_cast<double>(stream.alone_cycles))
                     : Cell()});
  }
  return table;
}

std::vector<SummaryFigure> summary_figures(const RunSummary& run) {
  std::vector<SummaryFigure> figures;
  const TotalView totals(run.registry, run.result.values);
  const MetricInputs inputs{totals, run.result.cycles, run.description.config};
  const auto add = [&](const char* section, const std::string& name, const char* unit) {
    for (const DerivedMetric& metric : derived_metrics()) {
      if (metric.name == name && concerns(metric, totals))
        figures.push_back({section, name, cell(metric.compute(inputs)), unit});
    }
  };
  figures.push_back({"run", "cycles", run.result.cycles, "cycles"});
  figures.push_back({"run", "warp_instructions", totals.count("sm.warp_instructions"), "instructions"});
  for (const char* name : {"ipc_warp", "ipc_thread"}) add("run", name, "instructions/cycle");
  add("run", "simd_efficiency", "1");
  for (unsigned k = 0; k < kNumIssueClasses; ++k) {
    add("scheduler_cycles", fmt::format("scheduler_share_{}", to_string(static_cast<IssueClass>(k))), "1");
  }
  for (unsigned c = 1; c < kNumIssueCauses; ++c) {
    add("scheduler_cycles", fmt::format("scheduler_share_{}", info(static_cast<IssueCause>(c)).name), "1");
  }
  for (const char* name : {"l1d_hit_rate", "l1d_pending_hit_rate", "l1d_miss_rate"}) add("memory", name, "1");
  for (const char* name : {"texture_hit_rate", "texture_pending_hit_rate", "texture_miss_rate"})
    add("memory", name, "1");
  add("memory", "mshr_mean_entries", "entries");
  for (const char* name : {"l2_hit_rate", "l2_merge_rate", "l2_miss_rate"}) add("memory", name, "1");
  for (const char* name : {"dram_bandwidth", "external_memory_bandwidth"}) add("memory", name, "GB/s");
  for (const char* name : {"dram_utilization", "dram_efficiency", "dram_row_hit_rate"})
    add("memory", name, "1");
  add_energy(figures, run);
  const bool priced = run.cost.context.unpriced.empty();
  const hw::CostTotals& price = run.cost.totals;
  figures.push_back({"scheduler_parts", "bits_per_sm", priced ? Cell(price.bits_per_sm) : Cell(), "bits"});
  figures.push_back(
      {"scheduler_parts", "nand2_per_sm", priced ? Cell(price.area_per_sm.total()) : Cell(), "NAND2"});
  for (const CheckResult& check : run.checks) {
    figures.push_back({"checks", check.buffer, check.passed ? "passed" : "failed", ""});
  }
  figures.push_back({"simulation", "seconds", run.speed.seconds, "s"});
  figures.push_back({"simulation", "cycles_per_second", run.speed.per_second(run.speed.cycles), "cycles/s"});
  figures.push_back({"simulation", "peak_memory_bytes", run.speed.peak_memory_bytes, "bytes"});
  return figures;
}

std::vector<std::string> in_full_texts(const RunResult& result) {
  std::vector<std::string> texts;
  if (!result.sampling) return texts;
  if (!result.sampling->in_full.empty()) {
    texts.push_back(fmt::format("Not sampled, runs in full: {}.", result.sampling->in_full));
    return texts;
  }
  std::map<std::pair<std::string, std::string>, std::uint64_t> launches;  // by kernel and reason
  for (const LaunchResult& launch : result.launches) {
    if (launch.sampling && !launch.sampling->in_full.empty())
      ++launches[{launch.kernel, launch.sampling->in_full}];
  }
  for (const auto& [kernel, count] : launches) {
    texts.push_back(fmt::format("{}, {} launch{}, runs in full: {}.", kernel.first, count,
                                count == 1 ? "" : "es", kernel.second));
  }
  return texts;
}

Table sampling_table(const RunSummary& run) {
  Table table({{"figure", "figure", Kind::kText, Rank::kKey},
               {"estimate", "estimate", Kind::kFigure, Rank::kKey},
               {"half_interval", "95%: +/-", Kind::kFigure, Rank::kKey},
               {"relative", "+/-, of it", Kind::kPercent},
               {"unit", "unit", Kind::kText, Rank::kDetail}});
  const FigureErrors errors(run.registry, run.result.values, run.result.cycles,
                            run.result.sampling->deviations, run.description.config);
  const auto add = [&table](const std::string& name, double value, double half, const std::string& unit) {
    table.add({name, value, half, value == 0 ? Cell() : Cell(half / value), unit});
  };
  add("cycles", static_cast<double>(run.result.cycles), errors.of_cycles(), "cycles");
  for (const SummaryFigure& figure : summary_figures(run)) {
    if (!figure.value.is_number()) continue;
    for (const DerivedMetric& metric : derived_metrics()) {
      if (metric.name != figure.name) continue;
      const double value = figure.value;
      if (value != 0) add(figure.name, value, errors.of(metric.compute).value_or(0), figure.unit);
    }
  }
  if (!run.description.energy) return table;
  const std::set<std::string> shown{"energy", "energy_static_share", "energy_delay_product"};
  for (const EstimatedEnergy& energy :
       estimated_energy(*run.description.energy, run.registry, run.result.values, run.result.cycles, errors,
                        run.description.config)) {
    const EnergyMetric& metric = energy.metric;
    if (shown.count(metric.name) != 0 && metric.value != 0)
      add(metric.name, metric.value, energy.half.value_or(0), metric.unit);
  }
  return table;
}

std::string summary_json(const RunSummary& run) {
  nlohmann::ordered_json json;
  json["workload"] = run.description.workload;
  json["configuration"] = run.description.config.name;
  json["scheduler"] = run.description.config.scheduler.name;
  json["status"] = run.result.end == RunEnd::kComplete ? "complete" : "partial";
  json["end"] = to_string(run.result.end);
  if (run.result.sampling) {
    json["sampled"] = run.result.sampling->sampled();
    json["in_full"] = in_full_texts(run.result);
    if (run.result.sampling->sampled()) json["sampling"] = sampling_table(run).json();
  }
  json["kernels"] = kernel_table(run).json();
  if (!run.result.streams.empty()) json["streams"] = stream_table(run).json();
  for (const SummaryFigure& figure : summary_figures(run)) {
    if (figure.section == "checks") continue;
    json[figure.section][key_of(figure)] = figure.value;
  }
  json["checks"] = check_table(run.checks).json();
  if (!run.folder.empty()) json["folder"] = shown_path(run.folder);
  json["files"] = run.files;
  return print_json(json);
}

std::string summary_csv(const RunSummary& run) {
  Table table(
      {{"section", "section"}, {"name", "name"}, {"value", "value", Kind::kFigure}, {"unit", "unit"}});
  for (const SummaryFigure& figure : summary_figures(run)) {
    table.add({figure.section, figure.name, figure.value, figure.unit});
  }
  if (run.result.sampling && run.result.sampling->sampled()) {
    for (const auto& row : sampling_table(run).json())
      table.add({"half_intervals", row.at("figure"), row.at("half_interval"), row.at("unit")});
  }
  return table.csv();
}

}  // namespace heddle
