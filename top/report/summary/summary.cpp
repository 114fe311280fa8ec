#include "top/report/summary/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "modules/counts/issue_cause.h"
#include "top/energy/energy_account.h"
#include "top/report/metrics/derived_metrics.h"
#include "top/report/metrics/multiprogram_metrics.h"
#include "top/report/summary/summary_figures.h"
#include "top/support/output/text_format.h"
#include "top/text/document.h"
#include "top/text/shown_path.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;

constexpr unsigned kBarWidth = 40;
constexpr double kLeastShare = 0.0005;  ///< smaller causes are left to stats.json
constexpr double kLeastEnergyShare = 0.01;

/// Of streams that are all known alone.
std::string together_text(const RunResult& result) {
  std::vector<std::uint64_t> alone;
  std::vector<std::uint64_t> shared;
  for (const StreamResult& stream : result.streams) {
    if (!stream.complete || stream.alone_cycles == 0) return "";
    alone.push_back(stream.alone_cycles);
    shared.push_back(stream.cycles);
  }
  if (alone.size() < 2) return "";
  const MultiprogramMetrics metrics = multiprogram_metrics(alone, shared);
  return fmt::format("STP {:.3f}, ANTT {:.3f}, StrictF {:.3f}", metrics.stp, metrics.antt, metrics.strict_f);
}

/// A rate with three digits: nobody needs more of it.
std::string rate(double per_second) {
  constexpr double kThousand = 1e3;
  if (per_second >= kThousand * kThousand) {
    return fmt::format("{:.2f} M", per_second / (kThousand * kThousand));
  }
  return fmt::format("{:.0f} k", per_second / kThousand);
}

/// Shares with bars, which a narrow terminal goes without.
Table share_table(const char* what) {
  return Table({{what, what, Kind::kText, Rank::kKey},
                {"share", "share", Kind::kPercent, Rank::kKey},
                {"bar", "", Kind::kText, Rank::kDetail}});
}

void add_share(Table& table, const std::string& label, double share) {
  table.add({label, share, share == 0 ? "" : bar(share, kBarWidth)});
}

void write_scheduler_cycles(Document& out, const MetricInputs& inputs) {
  Table table = share_table("cause");
  for (unsigned k = 0; k < kNumIssueClasses; ++k) {
    const auto issue_class = static_cast<IssueClass>(k);
    const std::string class_name = to_string(issue_class);
    add_share(table, class_name, derived_metric("scheduler_share_" + class_name, inputs).value_or(0));
    for (unsigned c = 1; c < kNumIssueCauses; ++c) {
      const IssueCauseInfo& cause = info(static_cast<IssueCause>(c));
      const double share = derived_metric(std::string("scheduler_share_") + cause.name, inputs).value_or(0);
      if (cause.issue_class == issue_class && share >= kLeastShare) {
        add_share(table, "- " + std::string(cause.name).substr(class_name.size() + 1), share);
      }
    }
  }
  out.heading("Scheduler cycles");
  out.table(table);
}

void write_memory(Document& out, const MetricInputs& inputs) {
  const auto metric = [&inputs](const char* name) { return derived_metric(name, inputs); };
  Table table({{"level", "level", Kind::kText, Rank::kKey},
               {"requests", "requests", Kind::kWhole},
               {"hit", "hit", Kind::kPercent, Rank::kKey},
               {"merged", "merged", Kind::kPercent},
               {"miss", "miss", Kind::kPercent, Rank::kKey}});
  table.add({"L1D, loads", inputs.totals.count("sm.l1d.loads"), cell(metric("l1d_hit_rate")),
             cell(metric("l1d_pending_hit_rate")), cell(metric("l1d_miss_rate"))});
  if (inputs.totals.count("sm.ldst.texture_instructions") != 0) {
    table.add({"texture cache, lines",
               inputs.totals.count("sm.texture.hits") + inputs.totals.count("sm.texture.pending_hits") +
                   inputs.totals.count("sm.texture.misses"),
               cell(metric("texture_hit_rate")), cell(metric("texture_pending_hit_rate")),
               cell(metric("texture_miss_rate"))});
  }
  table.add({"L2",
             inputs.totals.count("partition.slice.hits") + inputs.totals.count("partition.slice.merged") +
                 inputs.totals.count("partition.slice.misses"),
             cell(metric("l2_hit_rate")), cell(metric("l2_merge_rate")), cell(metric("l2_miss_rate"))});
  out.heading("Memory");
  out.table(table);
  const std::string mshrs =
      fmt::format("{:.1f} MSHR entries in use. ", metric("mshr_mean_entries").value_or(0));
  if (inputs.totals.has("partition.memory.reads")) {
    out.paragraph(
        mshrs +
        fmt::format("External memories: {:.1f} GB/s at their sockets; other figures of theirs are not "
                    "known here.",
                    metric("external_memory_bandwidth").value_or(0)));
    return;
  }
  out.paragraph(mshrs + fmt::format("DRAM: {:.1f} GB/s, {} of the bus, efficiency {}, row hits {}.",
                                    metric("dram_bandwidth").value_or(0), percent(metric("dram_utilization")),
                                    percent(metric("dram_efficiency")),
                                    percent(metric("dram_row_hit_rate"))));
}

/// Nothing for a scheduler that needs no hardware.
/// Parts count nothing of what is executed without timing: `sampled`.
void write_cost(Document& out, const hw::CostTable& cost, bool sampled) {
  const auto& unpriced = cost.context.unpriced;
  if (cost.rows.empty() && unpriced.empty()) return;
  std::vector<std::string> sentences;
  if (!cost.rows.empty()) {
    const hw::CostTotals& totals = cost.totals;
    sentences.push_back(
        fmt::format("Per SM {} bits, {} NAND2-equivalents, {:.1f} accesses per 1,000 cycles.",
                    grouped(totals.bits_per_sm),
                    grouped(static_cast<std::uint64_t>(std::llround(totals.area_per_sm.total()))),
                    totals.accesses_per_kilocycle));
    if (totals.run_energy_nj) {
      sentences.push_back(fmt::format("Energy of {}, all SMs: {} nJ ({} to {}, {}).",
                                      sampled ? "what was simulated in detail" : "the run",
                                      rounded(totals.run_energy_nj->value, 3),
                                      rounded(totals.run_energy_nj->low, 3),
                                      rounded(totals.run_energy_nj->high, 3), cost.context.technology->name));
    }
  }
  if (!unpriced.empty())
    sentences.push_back(fmt::format("unpriced: {}, built of no parts", fmt::join(unpriced, ", ")));
  out.heading("Scheduler parts");
  out.paragraph(fmt::format("{}", fmt::join(sentences, " ")));
}

std::string nanojoules(double nj) {
  constexpr double kThousand = 1e3;
  if (nj < kThousand) return rounded(nj, 3) + " nJ";
  if (nj < kThousand * kThousand) return rounded(nj / kThousand, 3) + " uJ";
  return rounded(nj / (kThousand * kThousand), 4) + " mJ";
}

void write_energy(Document& out, const RunSummary& run) {
  if (!run.description.energy) return;
  const EnergyAccount account =
      energy_of_gpu(*run.description.energy, all_counts(run.registry, run.result.values), run.result.cycles,
                    run.description.config);
  const Energy total = account.total();
  if (total.nj == 0) return;
  out.heading(fmt::format("Energy ({})", run.description.energy->name));
  std::string text =
      fmt::format("{} ({} to {}), {} of it with time, {:.0f} W in the mean; energy-delay product {} nJ s.",
                  nanojoules(total.nj), nanojoules(total.low_nj), nanojoules(total.high_nj),
                  percent(account.static_share()), total.nj * 1e-9 / account.seconds,
                  rounded(account.delay_product_nj_s(), 3));
  if (!account.not_counted.empty()) text += fmt::format(" Without {}.", fmt::join(account.not_counted, ", "));
  out.paragraph(text);
  std::vector<BlockEnergy> blocks = account.blocks;
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const BlockEnergy& a, const BlockEnergy& b) { return a.sum().nj > b.sum().nj; });
  Table table = share_table("block");
  for (const BlockEnergy& block : blocks) {
    const double share = block.sum().nj / total.nj;
    if (share >= kLeastEnergyShare) add_share(table, block.block, share);
  }
  out.table(table);
}

/// What of it was simulated, and how far each figure may be off.
void write_sampling(Document& out, const RunSummary& run) {
  if (!run.result.sampling) return;
  const RunSampling& sampling = *run.result.sampling;
  for (const std::string& text : in_full_texts(run.result)) out.paragraph(text);
  if (!sampling.sampled()) return;
  out.heading("Sampled: figures are estimates");
  out.paragraph(
      fmt::format("{} of {} launches sampled, {} cycles simulated, {} thread blocks executed without timing. "
                  "Half the 95% "
                  "confidence interval of each figure, from the differences between what was measured:",
                  sampling.sampled_launches, run.result.launches.size(), grouped(sampling.simulated_cycles),
                  grouped(sampling.fast_forwarded_tbs)));
  out.table(sampling_table(run));
}

std::string way_to_tick(const RunSpeed& speed) {
  if (speed.processes) return ", each block in a SystemC process of its own";
  return speed.threads == 1 ? "" : fmt::format(" on {} threads", speed.threads);
}

/// A line for each kernel that spills.
std::set<std::string> spill_texts(const RunResult& result) {
  std::set<std::string> texts;
  for (const LaunchResult& launch : result.launches) {
    if (launch.spilled_bytes_per_thread == 0) continue;
    texts.insert(fmt::format("{} spills: {} bytes per thread in local memory for want of registers",
                             launch.kernel, launch.spilled_bytes_per_thread));
  }
  return texts;
}

std::string speed_text(const RunSpeed& speed) {
  constexpr double kMegabyte = 1e6;
  return fmt::format("Simulated in {:.2f} s{}: {} warp instructions/s, {} cycles/s, {:.0f} MB peak memory",
                     speed.seconds, way_to_tick(speed), rate(speed.per_second(speed.warp_instructions)),
                     rate(speed.per_second(speed.cycles)),
                     static_cast<double>(speed.peak_memory_bytes) / kMegabyte);
}

std::string summary_document(const RunSummary& run, OutputFormat format) {
  const RunDescription& description = run.description;
  const TotalView totals(run.registry, run.result.values);
  const MetricInputs inputs{totals, run.result.cycles, description.config};
  Document out(format);
  out.title(fmt::format(
      "{} on {}, scheduler {}{}", description.workload, description.config.name,
      description.config.scheduler.name,
      run.result.end == RunEnd::kComplete ? "" : fmt::format(": PARTIAL ({})", to_string(run.result.end))));
  out.table(kernel_table(run));
  for (const std::string& text : spill_texts(run.result)) out.paragraph(text);
  if (!run.result.streams.empty()) out.table(stream_table(run));
  if (const std::string together = together_text(run.result); !together.empty()) out.paragraph(together);
  const bool sampled = run.result.sampling && run.result.sampling->sampled();
  out.paragraph(fmt::format(
      "{}{} cycles, {} warp instructions, IPC {:.3f} ({:.2f} threads), SIMD efficiency {}",
      sampled ? "Sampled: " : "", grouped(run.result.cycles), grouped(totals.count("sm.warp_instructions")),
      derived_metric("ipc_warp", inputs).value_or(0), derived_metric("ipc_thread", inputs).value_or(0),
      percent(derived_metric("simd_efficiency", inputs))));
  write_sampling(out, run);
  write_scheduler_cycles(out, inputs);
  write_memory(out, inputs);
  write_energy(out, run);
  write_cost(out, run.cost, sampled);
  if (!run.result.foreign_modules.empty()) {
    out.paragraph(
        fmt::format("Foreign modules at {}: blocks tick at the SystemC kernel's time, none runs ahead of it",
                    fmt::join(run.result.foreign_modules, ", ")));
  }
  if (!run.checks.empty()) {
    out.heading("Checks");
    std::vector<std::string> messages;
    for (const CheckResult& check : run.checks) messages.push_back(check.message());
    out.list(messages);
  }
  for (const SummaryTable& more : run.tables) {
    if (more.table.empty()) continue;
    out.heading(more.heading);
    out.table(more.table);
  }
  out.paragraph(speed_text(run.speed));
  if (!run.folder.empty()) {
    out.paragraph(fmt::format("Results in {}: {}", shown_path(run.folder), fmt::join(run.files, ", ")));
  }
  return out.text();
}

}  // namespace

std::string run_summary(const RunSummary& run, OutputFormat format) {
  switch (format) {
    case OutputFormat::kCsv:
      return summary_csv(run);
    case OutputFormat::kJson:
      return summary_json(run);
    default:
      return summary_document(run, format);
  }
}

}  // namespace heddle
