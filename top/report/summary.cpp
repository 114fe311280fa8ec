#include "top/report/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "modules/counts/issue_cause.h"
#include "top/energy/energy_account.h"
#include "top/report/derived_metrics.h"
#include "top/report/multiprogram_metrics.h"
#include "top/support/text_format.h"

namespace heddle {

namespace {

constexpr unsigned kBarWidth = 40;
constexpr double kLeastShare = 0.0005;  ///< smaller causes are left to stats.json
constexpr double kLeastEnergyShare = 0.01;

std::string extent(const Dim3& dim) {
  if (dim.z != 1) {
    return fmt::format("{}x{}x{}", dim.x, dim.y, dim.z);
  }
  return dim.y != 1 ? fmt::format("{}x{}", dim.x, dim.y) : std::to_string(dim.x);
}

/// The launches of one kernel with one grid, block and occupancy.
struct KernelRow {
  const LaunchResult* first = nullptr;
  std::uint64_t launches = 0;
  std::uint64_t cycles = 0;
  std::uint64_t warp_instructions = 0;
};

std::vector<KernelRow> kernel_rows(const RunResult& result, const StatRegistry& registry) {
  std::vector<KernelRow> rows;
  for (const LaunchResult& launch : result.launches) {
    KernelRow* row = nullptr;
    for (KernelRow& known : rows) {
      if (known.first->kernel == launch.kernel && known.first->stream == launch.stream &&
          extent(known.first->grid) == extent(launch.grid) &&
          extent(known.first->block) == extent(launch.block)) {
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
        TotalView(result.launch_registry ? *result.launch_registry : registry, launch.values)
            .count("sm.warp_instructions");
  }
  return rows;
}

std::string kernels_text(const RunResult& result, const StatRegistry& registry) {
  std::string text =
      fmt::format("{:<24} {:>9} {:>9} {:>4} {:>8} {:>6} {:>8} {:<14} {:>12} {:>6}\n", "Kernel", "grid",
                  "block", "regs", "shared B", "TBs/SM", "occup.", "limited by", "cycles", "IPC");
  for (const KernelRow& row : kernel_rows(result, registry)) {
    const LaunchResult& launch = *row.first;
    const Occupancy& occupancy = launch.occupancy;
    const std::string name =
        row.launches == 1 ? launch.kernel : fmt::format("{} ({} times)", launch.kernel, row.launches);
    const double ipc =
        row.cycles == 0 ? 0 : static_cast<double>(row.warp_instructions) / static_cast<double>(row.cycles);
    text +=
        fmt::format("{:<24} {:>9} {:>9} {:>4} {:>8} {:>6} {:>8} {:<14} {:>12} {:>6.3f}\n", name,
                    extent(launch.grid), extent(launch.block), occupancy.demand.registers_per_thread,
                    occupancy.demand.shared_bytes, occupancy.tbs_per_sm, percent(occupancy.warp_occupancy),
                    to_string(occupancy.limiter), grouped(row.cycles), ipc);
    if (launch.spilled_bytes_per_thread != 0) {
      text += fmt::format("  spills: {} bytes per thread in local memory for want of registers\n",
                          launch.spilled_bytes_per_thread);
    }
  }
  return text;
}

/// How long the streams took beside each other, and alone where that is known.
std::string streams_text(const RunResult& result) {
  if (result.streams.empty()) {
    return "";
  }
  std::string text = fmt::format("\n{:<24} {:>12} {:>12} {:>12} {:>9}\n", "Stream", "arrival", "turnaround",
                                 "alone", "slowdown");
  std::vector<std::uint64_t> alone;
  std::vector<std::uint64_t> shared;
  for (const StreamResult& stream : result.streams) {
    const bool known = stream.complete && stream.alone_cycles != 0;
    text += fmt::format("{:<24} {:>12} {:>12} {:>12} {:>9}\n", stream.name, grouped(stream.arrival_cycle),
                        grouped(stream.cycles), known ? grouped(stream.alone_cycles) : "-",
                        known ? fmt::format("{:.3f}", static_cast<double>(stream.cycles) /
                                                          static_cast<double>(stream.alone_cycles))
                              : "-");
    if (known) {
      alone.push_back(stream.alone_cycles);
      shared.push_back(stream.cycles);
    }
  }
  if (alone.size() == result.streams.size() && alone.size() > 1) {
    const MultiprogramMetrics metrics = multiprogram_metrics(alone, shared);
    text +=
        fmt::format("STP {:.3f}, ANTT {:.3f}, StrictF {:.3f}\n", metrics.stp, metrics.antt, metrics.strict_f);
  }
  return text;
}

/// A rate with three digits: nobody needs more of it.
std::string rate(double per_second) {
  constexpr double kThousand = 1e3;
  if (per_second >= kThousand * kThousand) {
    return fmt::format("{:.2f} M", per_second / (kThousand * kThousand));
  }
  return fmt::format("{:.0f} k", per_second / kThousand);
}

std::string share_line(const std::string& label, double share) {
  return fmt::format("  {:<24} {:>8}  {}\n", label, percent(share), bar(share, kBarWidth));
}

std::string scheduler_text(const MetricInputs& inputs) {
  std::string text = "Scheduler cycles\n";
  for (unsigned k = 0; k < kNumIssueClasses; ++k) {
    const auto issue_class = static_cast<IssueClass>(k);
    const std::string class_name = to_string(issue_class);
    text += share_line(class_name, derived_metric("scheduler_share_" + class_name, inputs).value_or(0));
    for (unsigned c = 1; c < kNumIssueCauses; ++c) {
      const IssueCauseInfo& cause = info(static_cast<IssueCause>(c));
      const double share = derived_metric(std::string("scheduler_share_") + cause.name, inputs).value_or(0);
      if (cause.issue_class == issue_class && share >= kLeastShare) {
        text += share_line("  " + std::string(cause.name).substr(class_name.size() + 1), share);
      }
    }
  }
  return text;
}

std::string memory_text(const MetricInputs& inputs) {
  const auto metric = [&inputs](const char* name) { return derived_metric(name, inputs); };
  std::string text = "Memory\n";
  text += fmt::format(
      "  L1D   {:>12} loads     {:>7} hit, {:>7} pending hit, {:>7} miss; {:.1f} MSHR entries in use\n",
      grouped(inputs.totals.count("sm.l1d.loads")), percent(metric("l1d_hit_rate")),
      percent(metric("l1d_pending_hit_rate")), percent(metric("l1d_miss_rate")),
      metric("mshr_mean_entries").value_or(0));
  text += fmt::format(
      "  L2    {:>12} requests  {:>7} hit, {:>7} merged,      {:>7} miss\n",
      grouped(inputs.totals.count("partition.slice.hits") + inputs.totals.count("partition.slice.merged") +
              inputs.totals.count("partition.slice.misses")),
      percent(metric("l2_hit_rate")), percent(metric("l2_merge_rate")), percent(metric("l2_miss_rate")));
  if (inputs.totals.has("partition.memory.reads")) {
    return text + fmt::format(
                      "  External memories: {:.1f} GB/s at their sockets; other figures of theirs are not "
                      "known here\n",
                      metric("external_memory_bandwidth").value_or(0));
  }
  text += fmt::format("  DRAM  {:>12.1f} GB/s      {:>7} of the bus, efficiency {}, row hits {}\n",
                      metric("dram_bandwidth").value_or(0), percent(metric("dram_utilization")),
                      percent(metric("dram_efficiency")), percent(metric("dram_row_hit_rate")));
  return text;
}

/// Nothing for a scheduler that needs no hardware.
std::string cost_text(const hw::CostTable& cost) {
  const std::string unpriced =
      cost.context.unpriced.empty()
          ? ""
          : fmt::format("  unpriced: {}, built of no parts\n", fmt::join(cost.context.unpriced, ", "));
  if (cost.rows.empty()) {
    return unpriced.empty() ? "" : "\nScheduler parts\n" + unpriced;
  }
  const hw::CostTotals& totals = cost.totals;
  std::string text = fmt::format(
      "\nScheduler parts\n  per SM {} bits, {} NAND2-equivalents, {:.1f} accesses per 1,000 cycles\n",
      grouped(totals.bits_per_sm), grouped(static_cast<std::uint64_t>(totals.area_per_sm.total())),
      totals.accesses_per_kilocycle);
  if (totals.run_energy_nj) {
    text += fmt::format("  energy of the run, all SMs: {:.3g} nJ ({:.3g} to {:.3g}, {})\n",
                        totals.run_energy_nj->value, totals.run_energy_nj->low, totals.run_energy_nj->high,
                        cost.context.technology->name);
  }
  return text + unpriced;
}

std::string nanojoules(double nj) {
  constexpr double kThousand = 1e3;
  if (nj < kThousand) return fmt::format("{:.3g} nJ", nj);
  if (nj < kThousand * kThousand) return fmt::format("{:.3g} uJ", nj / kThousand);
  return fmt::format("{:.4g} mJ", nj / (kThousand * kThousand));
}

std::string energy_text(const RunDescription& description, const RunResult& result,
                        const StatRegistry& registry) {
  if (!description.energy) return "";
  const EnergyAccount account = energy_of_gpu(*description.energy, all_counts(registry, result.values),
                                              result.cycles, description.config);
  const Energy total = account.total();
  if (total.nj == 0) return "";
  std::string text = fmt::format(
      "\nEnergy ({})\n  {} ({} to {}), {} of it with time, {:.0f} W in the mean; times delay {:.3g} nJ s\n",
      description.energy->name, nanojoules(total.nj), nanojoules(total.low_nj), nanojoules(total.high_nj),
      percent(account.static_share()), total.nj * 1e-9 / account.seconds, account.delay_product_nj_s());
  std::vector<BlockEnergy> blocks = account.blocks;
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const BlockEnergy& a, const BlockEnergy& b) { return a.sum().nj > b.sum().nj; });
  for (const BlockEnergy& block : blocks) {
    const double share = block.sum().nj / total.nj;
    if (share >= kLeastEnergyShare) text += share_line(block.block, share);
  }
  if (!account.not_counted.empty()) {
    text += fmt::format("  without {}\n", fmt::join(account.not_counted, ", "));
  }
  return text;
}

std::string way_to_tick(const RunSpeed& speed) {
  if (speed.processes) return ", each block in a SystemC process of its own";
  return speed.threads == 1 ? "" : fmt::format(" on {} threads", speed.threads);
}

}  // namespace

std::string summary_text(const RunDescription& description, const RunResult& result,
                         const StatRegistry& registry, const std::vector<CheckResult>& checks,
                         const hw::CostTable& cost, const RunSpeed& speed) {
  const TotalView totals(registry, result.values);
  const MetricInputs inputs{totals, result.cycles, description.config};
  std::string text = fmt::format(
      "{} on {}, scheduler {}{}\n\n", description.workload, description.config.name,
      description.config.scheduler.name,
      result.end == RunEnd::kComplete ? "" : fmt::format(": PARTIAL ({})", to_string(result.end)));
  text += kernels_text(result, registry) + streams_text(result);
  text += fmt::format(
      "\n{} cycles, {} warp instructions, IPC {:.3f} ({:.2f} threads), SIMD efficiency {}\n\n",
      grouped(result.cycles), grouped(totals.count("sm.warp_instructions")),
      derived_metric("ipc_warp", inputs).value_or(0), derived_metric("ipc_thread", inputs).value_or(0),
      percent(derived_metric("simd_efficiency", inputs)));
  text += scheduler_text(inputs) + "\n" + memory_text(inputs) + energy_text(description, result, registry) +
          cost_text(cost);
  if (!result.foreign_modules.empty()) {
    text += fmt::format(
        "\nForeign modules at {}: blocks tick at the SystemC kernel's time, none runs ahead of it\n",
        fmt::join(result.foreign_modules, ", "));
  }
  if (!checks.empty()) {
    text += "\nChecks\n";
    for (const CheckResult& check : checks) {
      text += fmt::format("  {}\n", check.message());
    }
  }
  constexpr double kMegabyte = 1e6;
  text += fmt::format(
      "\nSimulated in {:.2f} s{}: {} warp instructions/s, {} cycles/s, {:.0f} MB peak memory\n",
      speed.seconds, way_to_tick(speed), rate(speed.per_second(speed.warp_instructions)),
      rate(speed.per_second(speed.cycles)), static_cast<double>(speed.peak_memory_bytes) / kMegabyte);
  return text;
}

}  // namespace heddle
