#include "top/intervals/interval_columns.h"

#include <algorithm>

#include "modules/counts/issue_cause.h"

namespace heddle {

namespace {

/// What an architect draws over time. The causes of issue slots come after sm.scheduler.cycles.
constexpr const char* kMetrics[] = {"tb_dispatcher.tbs_dispatched",
                                    "tb_dispatcher.tbs_ended",
                                    "interconnect.request.packets",
                                    "interconnect.request.flits",
                                    "interconnect.reply.packets",
                                    "interconnect.reply.flits",
                                    "sm.warp_instructions",
                                    "sm.thread_instructions",
                                    "sm.active_cycles",
                                    "sm.warp_cycles",
                                    "sm.tbs",
                                    "sm.scheduler.cycles",
                                    "sm.l1d.loads",
                                    "sm.l1d.hits",
                                    "sm.l1d.hits_intra_warp",
                                    "sm.l1d.hits_inter_warp",
                                    "sm.l1d.pending_hits",
                                    "sm.l1d.pending_hits_intra_warp",
                                    "sm.l1d.pending_hits_inter_warp",
                                    "sm.l1d.misses",
                                    "sm.l1d.stores",
                                    "sm.l1d.bypasses",
                                    "sm.texture.hits",
                                    "sm.texture.pending_hits",
                                    "sm.texture.misses",
                                    "sm.mshr.entry_cycles",
                                    "sm.mshr.full_cycles",
                                    "partition.slice.loads",
                                    "partition.slice.stores",
                                    "partition.slice.atomics",
                                    "partition.slice.hits",
                                    "partition.slice.misses",
                                    "partition.slice.merged",
                                    "partition.slice.load_hits_intra_warp",
                                    "partition.slice.load_hits_inter_warp",
                                    "partition.slice.load_hits_inter_sm",
                                    "partition.slice.load_merged_intra_warp",
                                    "partition.slice.load_merged_inter_warp",
                                    "partition.slice.load_merged_inter_sm",
                                    "partition.dram.reads",
                                    "partition.dram.writes",
                                    "partition.dram.data_bytes",
                                    "partition.dram.row_hits",
                                    "partition.dram.row_misses",
                                    "partition.dram.row_conflicts",
                                    "partition.dram.cycles_busy",
                                    "partition.dram.cycles"};

/// The table, and what it takes from the metric's name.
std::size_t begins_with(const std::string& metric, IntervalTable table) {
  if (table == IntervalTable::kMachine) return 0;
  const std::string prefix = std::string(to_string(table)) + ".";
  return metric.compare(0, prefix.size(), prefix) == 0 ? prefix.size() : 0;
}

}  // namespace

const char* to_string(IntervalTable table) {
  static constexpr std::array<const char*, kNumIntervalTables> kNames{"intervals", "sm", "partition"};
  return kNames[static_cast<unsigned>(table)];
}

IntervalColumns::IntervalColumns(unsigned sms, unsigned partitions) {
  const auto add = [this](const std::string& metric) {
    IntervalTable table = IntervalTable::kMachine;
    for (const IntervalTable other : {IntervalTable::kSm, IntervalTable::kPartition}) {
      if (begins_with(metric, other) != 0) table = other;
    }
    std::string name = metric.substr(begins_with(metric, table));
    std::replace(name.begin(), name.end(), '.', '_');
    of(table).push_back({std::move(name), metric, "", ""});
  };
  for (const std::string metric : kMetrics) {
    add(metric);
    if (metric != "sm.scheduler.cycles") continue;
    for (const std::string& cause : issue_cause_names()) add("sm.scheduler." + cause);
  }
  parts_[static_cast<unsigned>(IntervalTable::kSm)].rows = sms;
  parts_[static_cast<unsigned>(IntervalTable::kPartition)].rows = partitions;
  for (Part& part : parts_) {
    part.first = size_;
    size_ += part.rows * part.columns.size();
  }
}

}  // namespace heddle
