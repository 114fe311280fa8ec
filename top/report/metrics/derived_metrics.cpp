#include "top/report/metrics/derived_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "modules/counts/issue_cause.h"
#include "modules/messages/memory_request.h"
#include "workloads/launch/instruction.h"

namespace heddle {

namespace {

using Value = std::optional<double>;
using Metrics = std::vector<DerivedMetric>;

Value ratio(double part, double whole) { return whole == 0 ? Value() : part / whole; }

double sum(const MetricInputs& in, const std::vector<std::string>& names) {
  double total = 0;
  for (const std::string& name : names) {
    total += static_cast<double>(in.totals.count(name));
  }
  return total;
}

/// A metric that is the sum of some counts over the sum of others.
DerivedMetric count_ratio(std::string name, std::string description, std::vector<std::string> part,
                          std::vector<std::string> whole, std::string unit = "1") {
  return {std::move(name), std::move(unit), std::move(description),
          [part = std::move(part), whole = std::move(whole)](const MetricInputs& in) {
            return ratio(sum(in, part), sum(in, whole));
          }};
}

void add_core_metrics(Metrics& metrics) {
  metrics.push_back({"ipc_warp", "instructions/cycle", "warp instructions issued per core cycle, all SMs",
                     [](const MetricInputs& in) {
                       return ratio(sum(in, {"sm.warp_instructions"}), static_cast<double>(in.cycles));
                     }});
  metrics.push_back({"ipc_thread", "instructions/cycle",
                     "thread instructions (lanes that execute) per core cycle, all SMs",
                     [](const MetricInputs& in) {
                       return ratio(sum(in, {"sm.thread_instructions"}), static_cast<double>(in.cycles));
                     }});
  metrics.push_back({"simd_efficiency", "1", "lanes on the path over lanes of the issued warp instructions",
                     [](const MetricInputs& in) {
                       return ratio(sum(in, {"sm.path_lanes"}),
                                    kWarpSize * sum(in, {"sm.warp_instructions"}));
                     }});
  metrics.push_back({"sm_active_share", "1", "cycles with a resident TB over all cycles, mean of the SMs",
                     [](const MetricInputs& in) {
                       return ratio(sum(in, {"sm.active_cycles"}),
                                    static_cast<double>(in.cycles) * in.config.core.sms);
                     }});
  metrics.push_back(
      {"achieved_occupancy", "1", "resident warps over warp slots, mean of the active SM cycles",
       [](const MetricInputs& in) {
         return ratio(sum(in, {"sm.warp_cycles"}), sum(in, {"sm.active_cycles"}) * in.config.core.warps);
       }});
  metrics.push_back(count_ratio("concurrent_warps", "resident warps, mean of the active SM cycles",
                                {"sm.warp_cycles"}, {"sm.active_cycles"}, "warps"));
  metrics.push_back(count_ratio(
      "rtru", "temporal underutilization of thread blocks: lifetime that their warps lack to the longest",
      {"sm.unused_warp_cycles"}, {"sm.tb_warp_cycles"}));
  metrics.push_back(
      {"rtru_geometric", "1",
       "geometric mean of the temporal underutilization of the thread blocks in which it is above 0",
       [](const MetricInputs& in) {
         const Value bits = ratio(sum(in, {"sm.rtru_microbits"}) / 1e6, sum(in, {"sm.unequal_tbs"}));
         return bits ? Value(std::exp2(-*bits)) : bits;
       }});
  const auto share = [&metrics](const char* name, const char* of, const char* count,
                                unsigned CoreConfig::*size) {
    metrics.push_back({name, "1", std::string("allocated ") + of + " over all, mean of the active SM cycles",
                       [count, size](const MetricInputs& in) {
                         return ratio(sum(in, {count}),
                                      sum(in, {"sm.active_cycles"}) * (in.config.core.*size));
                       }});
  };
  share("allocated_registers", "registers", "sm.register_cycles", &CoreConfig::registers);
  share("allocated_warp_slots", "warp slots", "sm.warp_slot_cycles", &CoreConfig::warps);
  share("allocated_shared_memory", "shared memory", "sm.shared_byte_cycles", &CoreConfig::shared_bytes);
}

void add_scheduler_metrics(Metrics& metrics) {
  const std::string scope = "sm.scheduler.";
  for (unsigned c = 0; c < kNumIssueClasses; ++c) {
    const std::string name = to_string(static_cast<IssueClass>(c));
    metrics.push_back(count_ratio("scheduler_share_" + name,
                                  "scheduler cycles charged to '" + name + "' over all", {scope + name},
                                  {scope + "cycles"}));
  }
  for (unsigned c = 1; c < kNumIssueCauses; ++c) {
    const IssueCauseInfo& cause = info(static_cast<IssueCause>(c));
    metrics.push_back(count_ratio(std::string("scheduler_share_") + cause.name,
                                  std::string("scheduler cycles over all: ") + cause.description,
                                  {scope + cause.name}, {scope + "cycles"}));
  }
}

void add_cache_metrics(Metrics& metrics) {
  metrics.push_back(count_ratio("l1d_hit_rate", "loads looked up in the L1D that found their line",
                                {"sm.l1d.hits"}, {"sm.l1d.loads"}));
  metrics.push_back(count_ratio("l1d_pending_hit_rate",
                                "loads looked up in the L1D that joined a fetch under way",
                                {"sm.l1d.pending_hits"}, {"sm.l1d.loads"}));
  metrics.push_back(count_ratio("l1d_miss_rate", "loads looked up in the L1D that began to fetch a line",
                                {"sm.l1d.misses"}, {"sm.l1d.loads"}));
  const auto of_textures = [&metrics](const char* name, const char* what, const char* count) {
    metrics.push_back(count_ratio(name, what, {count},
                                  {"sm.texture.hits", "sm.texture.pending_hits", "sm.texture.misses"}));
    metrics.back().needs = "sm.texture.hits";
  };
  of_textures("texture_hit_rate", "lines looked up in the texture cache that were present",
              "sm.texture.hits");
  of_textures("texture_pending_hit_rate", "lines looked up in the texture cache that were being fetched",
              "sm.texture.pending_hits");
  of_textures("texture_miss_rate", "lines looked up in the texture cache that began to be fetched",
              "sm.texture.misses");
  metrics.push_back({"mshr_mean_entries", "entries", "L1D MSHR entries used, mean of the SMs and cycles",
                     [](const MetricInputs& in) {
                       return ratio(sum(in, {"sm.mshr.entry_cycles"}),
                                    static_cast<double>(in.cycles) * in.config.core.sms);
                     }});
}

void add_l2_metrics(Metrics& metrics) {
  const std::vector<std::string> requests{"partition.slice.hits", "partition.slice.merged",
                                          "partition.slice.misses"};
  metrics.push_back(count_ratio("l2_hit_rate", "L2 requests that were done without DRAM",
                                {"partition.slice.hits"}, requests));
  metrics.push_back(count_ratio("l2_merge_rate", "L2 requests that waited for a fetch under way",
                                {"partition.slice.merged"}, requests));
  metrics.push_back(count_ratio("l2_miss_rate", "L2 requests that fetched from DRAM",
                                {"partition.slice.misses"}, requests));
}

void add_dram_metrics(Metrics& metrics) {
  metrics.push_back({"dram_bandwidth", "GB/s",
                     "bytes on the DRAM data buses over simulated time, all channels",
                     [](const MetricInputs& in) {
                       const double microseconds = static_cast<double>(in.cycles) / in.config.clock.core_mhz;
                       return ratio(sum(in, {"partition.dram.data_bytes"}) / 1000, microseconds);
                     }});
  metrics.push_back(count_ratio("dram_utilization", "command clocks that the data bus transfers over all",
                                {"partition.dram.cycles_busy"}, {"partition.dram.cycles"}));
  metrics.push_back(count_ratio(
      "dram_efficiency", "command clocks that the data bus transfers over those with requests",
      {"partition.dram.cycles_busy"}, {"partition.dram.cycles_busy", "partition.dram.cycles_waiting"}));
  metrics.push_back(
      count_ratio("dram_row_hit_rate", "DRAM requests that found their row open", {"partition.dram.row_hits"},
                  {"partition.dram.row_hits", "partition.dram.row_misses", "partition.dram.row_conflicts"}));
}

/// Of memories that are not ours; their own figures are theirs to tell.
void add_external_memory_metrics(Metrics& metrics) {
  metrics.push_back({"external_memory_bandwidth", "GB/s",
                     "bytes fetched from and written to external memories over simulated time",
                     [](const MetricInputs& in) {
                       const double microseconds = static_cast<double>(in.cycles) / in.config.clock.core_mhz;
                       return ratio(
                           sum(in, {"partition.memory.read_bytes", "partition.memory.written_bytes"}) / 1000,
                           microseconds);
                     },
                     "partition.memory.reads"});
}

void add_row_metrics(Metrics& metrics) {
  metrics.push_back(count_ratio("dram_accesses_per_activation",
                                "column commands per row opened, all channels",
                                {"partition.dram.read_bursts", "partition.dram.write_bursts"},
                                {"partition.dram.activates"}, "accesses"));
}

/// Mean lifetimes of finished requests, by what served them, and the parts spent in each stage. The blocks
/// count in units of the time resolution (1 fs); here they are core cycles.
void add_lifetime_metrics(Metrics& metrics) {
  constexpr double kFemtosecondsPerMicrosecond = 1e9;
  const auto mean = [](std::string scope, std::string part) {
    return [scope = std::move(scope), part = std::move(part)](const MetricInputs& in) {
      const double cycle = kFemtosecondsPerMicrosecond / in.config.clock.core_mhz;
      return ratio(sum(in, {scope + part}) / cycle, sum(in, {scope + "requests"}));
    };
  };
  for (const std::string served : {"loads_l1_hit", "loads_l2_hit", "loads_dram", "stores", "atomics"}) {
    const std::string scope = "sm.ldst.requests." + served + ".";
    metrics.push_back({"request_lifetime_" + served, "core cycles",
                       "mean lifetime of memory requests (" + served + "), generation to hand-over or ack",
                       mean(scope, "lifetime")});
    for (unsigned s = 0; s < kNumStages; ++s) {
      const std::string stage = to_string(static_cast<Stage>(s));
      metrics.push_back({fmt::format("request_lifetime_{}_{}", served, stage), "core cycles",
                         "part of that lifetime spent in stage '" + stage + "'; the stages add up to it",
                         mean(scope, stage)});
    }
  }
}

}  // namespace

const std::vector<DerivedMetric>& derived_metrics() {
  static const Metrics kMetrics = [] {
    Metrics metrics;
    add_core_metrics(metrics);
    add_scheduler_metrics(metrics);
    add_cache_metrics(metrics);
    add_lifetime_metrics(metrics);
    add_l2_metrics(metrics);
    const std::size_t first_of_dram = metrics.size();
    add_dram_metrics(metrics);
    add_row_metrics(metrics);
    for (std::size_t i = first_of_dram; i < metrics.size(); ++i) metrics[i].needs = "partition.dram.cycles";
    add_external_memory_metrics(metrics);
    return metrics;
  }();
  return kMetrics;
}

bool applies(const DerivedMetric& metric, const MetricInputs& inputs) {
  try {
    static_cast<void>(metric.compute(inputs));
    return true;
  } catch (const std::out_of_range&) {
    return false;
  }
}

std::optional<double> derived_metric(const std::string& name, const MetricInputs& inputs) {
  const Metrics& metrics = derived_metrics();
  const auto found = std::find_if(metrics.begin(), metrics.end(),
                                  [&name](const DerivedMetric& m) { return m.name == name; });
  if (found == metrics.end()) {
    throw std::out_of_range("there is no derived metric '" + name + "'");
  }
  return found->compute(inputs);
}

}  // namespace heddle
