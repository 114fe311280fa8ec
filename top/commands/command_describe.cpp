#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "top/catalog/launch_distinction.h"
#include "top/catalog/measured_launch.h"
#include "top/catalog/paper_comparison.h"
#include "top/commands/commands.h"
#include "top/options/command_config.h"
#include "top/options/compile_options.h"
#include "top/support/project_files.h"
#include "top/support/sized_workload.h"
#include "workloads/description/workload_loader.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;
using For = TableColumn::For;

constexpr double kMegabyte = 1e6;

/// Of a launch of ours: as which the papers have it, and as what.
class PaperNames {
 public:
  /// `main`: the launch is the one that stands for entries which name none.
  PaperNames(const std::vector<PaperEntry>& entries, const std::string& workload, const std::string& kernel,
             bool main) {
    for (const PaperEntry& entry : entries) {
      if (entry.workload != workload || (entry.launch.empty() ? !main : entry.launch != kernel)) continue;
      const std::string kernel_name = entry.kernel.empty() ? "" : " " + entry.kernel;
      names_.push_back(fmt::format("{} {}{}", entry.paper, entry.benchmark, kernel_name));
      if (!entry.type.empty()) types_.push_back(fmt::format("{} ({})", entry.type, entry.paper));
    }
  }
  std::string names() const { return fmt::format("{}", fmt::join(names_, "; ")); }
  std::string types() const { return fmt::format("{}", fmt::join(types_, ", ")); }

 private:
  std::vector<std::string> names_;
  std::vector<std::string> types_;
};

std::string extents(const Dim3& dim) {
  if (dim.z != 1) return fmt::format("{} x {} x {}", dim.x, dim.y, dim.z);
  return dim.y != 1 ? fmt::format("{} x {}", dim.x, dim.y) : std::to_string(dim.x);
}

std::string shown_size(const std::string& size) { return size.empty() ? "default" : size; }

std::vector<WorkloadShape> shapes(const DescribeOptions& options, const GpuConfig& config) {
  const ProjectFiles files;
  std::vector<WorkloadShape> found;
  for (const std::string& text : options.workloads.empty() ? files.workload_names() : options.workloads) {
    const SizedWorkload sized = SizedWorkload::of(text);
    const Workload workload = load_workload(files.workload(sized.workload));
    found.push_back(shape_of(workload, sized.size.empty() ? options.on.size : sized.size,
                             options.on.parameters, config.core,
                             compile_options(config, options.on, workload)));
  }
  return found;
}

Table shape_table(const DescribeOptions& options) {
  Table table({{"workload", "workload", Kind::kText, Rank::kKey},
               {"size", "size", Kind::kText, Rank::kDetail},
               {"launch", "launch", Kind::kText, Rank::kKey},
               {"times", "times"},
               {"papers", "in the papers", Kind::kText, Rank::kDetail},
               {"type", "type there", Kind::kText, Rank::kDetail},
               {"grid", "grid", Kind::kText, Rank::kDetail},
               {"tbs", "TBs", Kind::kWhole},
               {"block", "block", Kind::kText, Rank::kDetail, For::kPrograms},
               {"threads_per_tb", "threads", Kind::kWhole},
               {"registers_per_thread", "registers", Kind::kWhole},
               {"shared_bytes_per_tb", "shared bytes", Kind::kWhole},
               {"tbs_per_sm", "TBs per SM", Kind::kWhole},
               {"limiter", "limited by"},
               {"occupancy", "occupancy", Kind::kPercent},
               {"tb_rounds", "rounds of TBs", Kind::kTenths, Rank::kKey},
               {"buffer_bytes", "", Kind::kWhole, Rank::kDetail, For::kPrograms},
               {"", "buffers, MB", Kind::kTenths, Rank::kUsual, For::kPeople}});
  const std::vector<PaperEntry> entries = all_paper_entries(ProjectFiles());
  const GpuConfig config = load_command_config(options.config).config;
  for (const WorkloadShape& shape : shapes(options, config)) {
    for (const LaunchShape& launch : shape.launches) {
      const PaperNames papers(entries, shape.workload, launch.kernel, &launch == &shape.main_launch());
      table.add({shape.workload, shown_size(shape.size), launch.kernel,
                 launch.by_data ? std::string("by data") : std::to_string(launch.times), papers.names(),
                 papers.types(), extents(launch.grid), launch.tbs(), extents(launch.block),
                 launch.threads_per_tb(), launch.registers_per_thread, launch.shared_bytes,
                 launch.occupancy.tbs_per_sm, to_string(launch.occupancy.limiter),
                 launch.occupancy.warp_occupancy, launch.tb_rounds, shape.buffer_bytes,
                 static_cast<double>(shape.buffer_bytes) / kMegabyte});
    }
  }
  return table;
}

/// Of the same kernel on the same machine under another scheduler; nullptr when it was not run.
const MeasuredLaunch* beside(const std::vector<MeasuredLaunch>& all, const MeasuredLaunch& launch,
                             const char* scheduler) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const MeasuredLaunch& other) {
    return other.scheduler == scheduler && other.correct && differ_in_scheduler_only(other, launch);
  });
  return found == all.end() ? nullptr : &*found;
}

/// The schedulers of the runs whose outputs agreed, in their order.
std::string verified_under(const std::vector<MeasuredLaunch>& all, const MeasuredLaunch& launch) {
  std::vector<std::string> schedulers;
  for (const MeasuredLaunch& other : all) {
    const bool is_new = std::find(schedulers.begin(), schedulers.end(), other.scheduler) == schedulers.end();
    if (other.correct && is_new && differ_in_scheduler_only(other, launch))
      schedulers.push_back(other.scheduler);
  }
  return fmt::format("{}", fmt::join(schedulers, ", "));
}

/// The workloads that were named, or all of them.
class Wanted {
 public:
  explicit Wanted(const std::vector<std::string>& workloads) {
    for (const std::string& text : workloads) names_.insert(SizedWorkload::of(text).name());
  }
  bool has(const MeasuredLaunch& launch) const {
    return names_.empty() || names_.count(launch.workload) != 0 ||
           names_.count(launch.workload + ":" + launch.size) != 0;
  }

 private:
  std::set<std::string> names_;
};

Table figure_table(const DescribeOptions& options) {
  const std::vector<MeasuredLaunch> all = measured_launches(options.results);
  const LaunchDistinction distinction(all);
  const bool all_complete = std::all_of(
      all.begin(), all.end(), [](const MeasuredLaunch& launch) { return launch.status == "complete"; });
  std::vector<TableColumn> columns{
      {"workload", "workload", Kind::kText, Rank::kKey},
      {"size", "size", Kind::kText, Rank::kDetail},
      {"launch", "launch", Kind::kText, Rank::kKey},
      {"launches", "launches", Kind::kWhole, Rank::kDetail},
      {"status", "run", Kind::kText, Rank::kKey, all_complete ? For::kPrograms : For::kAll},
      {"bound_by", "bound by", Kind::kText, Rank::kKey},
      {"class", "behaves as"},
      {"type", "type in the papers", Kind::kText, Rank::kDetail},
      {"lrr_over_gto", "cycles, lrr over gto", Kind::kDecimal, Rank::kUsual},
      {"cycles", "cycles", Kind::kWhole, Rank::kDetail},
      {"warp_instructions", "warp instructions", Kind::kWhole, Rank::kDetail},
      {"issued", "issued", Kind::kPercent},
      {"memory", "memory", Kind::kPercent},
      {"shared", "shared memory", Kind::kPercent},
      {"arithmetic", "arithmetic", Kind::kPercent},
      {"barrier", "barrier", Kind::kPercent},
      {"fetch", "fetch", Kind::kPercent},
      {"no_warp", "no warp", Kind::kPercent},
      {"policy", "", Kind::kPercent, Rank::kDetail, For::kPrograms},
      {"achieved_occupancy", "achieved occupancy", Kind::kPercent},
      {"simd_efficiency", "SIMD efficiency", Kind::kPercent},
      {"lines_per_access", "lines per access", Kind::kTenths},
      {"dram_bytes_per_thread_instruction", "DRAM bytes per thread instruction", Kind::kDecimal},
      {"dram_utilization", "DRAM busy", Kind::kPercent},
      {"l1d_hit_rate", "L1D hits", Kind::kPercent},
      {"ldst_busy", "LD/ST busy", Kind::kPercent},
      {"barrier_wait", "warps at barriers", Kind::kPercent},
      {"rtru", "unequal warps", Kind::kPercent},
      {"verified_under", "outputs verified under"},
      {"cpu_seconds", "simulated in, s", Kind::kTenths},
      {"memory_bytes", "", Kind::kWhole, Rank::kDetail, For::kPrograms},
      {"", "memory, MB", Kind::kWhole, Rank::kUsual, For::kPeople}};
  if (distinction.any()) columns.insert(columns.begin() + 2, {"settings", "of", Kind::kText, Rank::kKey});
  Table table(columns);
  const std::vector<PaperEntry> entries = all_paper_entries(ProjectFiles());
  const Wanted wanted(options.workloads);
  std::set<std::string> runs;  // whose first scheduler was shown
  for (const MeasuredLaunch& launch : all) {
    const MeasuredLaunch* const gto = beside(all, launch, "gto");
    const MeasuredLaunch* const lrr = beside(all, launch, "lrr");
    // The figures are those under gto, or under the first scheduler where gto was not run.
    const bool shown = gto != nullptr ? &launch == gto
                                      : runs.insert(launch.workload + ":" + launch.size + " " +
                                                    launch.kernel + " " + distinction.of(launch))
                                            .second;
    if (!wanted.has(launch) || !shown) continue;
    std::vector<std::string> classes = behaviours(launch);
    std::optional<double> lrr_over_gto;
    if (lrr != nullptr && gto != nullptr && gto->cycles != 0) {
      const auto cycles = [](const MeasuredLaunch& of) { return static_cast<double>(of.cycles); };
      lrr_over_gto = cycles(*lrr) / cycles(*gto);
      classes.insert(classes.begin(), scheduler_class(cycles(*lrr), cycles(*gto)));
    }
    const auto is_main = [&] {  // the launch with the most instructions stands for entries that name none
      return std::none_of(all.begin(), all.end(), [&](const MeasuredLaunch& other) {
        return other.workload == launch.workload && other.size == launch.size &&
               other.settings == launch.settings && other.scheduler == launch.scheduler &&
               other.warp_instructions > launch.warp_instructions;
      });
    };
    const PaperNames papers(entries, launch.workload, launch.kernel, is_main());
    const SlotShares& slots = launch.slots;
    std::vector<Table::Cell> row{launch.workload,
                                 shown_size(launch.size),
                                 launch.kernel,
                                 launch.launches,
                                 launch.status,
                                 bound_by(launch),
                                 fmt::format("{}", fmt::join(classes, ", ")),
                                 papers.types(),
                                 cell(lrr_over_gto),
                                 launch.cycles,
                                 launch.warp_instructions,
                                 slots.issued,
                                 slots.memory,
                                 slots.shared,
                                 slots.arithmetic,
                                 slots.barrier,
                                 slots.fetch,
                                 slots.no_warp,
                                 slots.policy,
                                 cell(launch.achieved_occupancy),
                                 cell(launch.simd_efficiency),
                                 cell(launch.lines_per_access),
                                 cell(launch.bytes_per_instruction),
                                 cell(launch.dram_utilization),
                                 cell(launch.l1d_hit_rate),
                                 cell(launch.ldst_busy),
                                 cell(launch.barrier_wait),
                                 cell(launch.rtru),
                                 verified_under(all, launch),
                                 launch.seconds,
                                 launch.memory_bytes,
                                 static_cast<double>(launch.memory_bytes) / kMegabyte};
    if (distinction.any()) row.insert(row.begin() + 2, distinction.of(launch));
    table.add(row);
  }
  return table;
}

}  // namespace

ExitCode describe_command(const DescribeOptions& options) {
  const Table table = options.results.empty() ? shape_table(options) : figure_table(options);
  fmt::print("{}", table.print(options.format));
  return ExitCode::kOk;
}

}  // namespace heddle
