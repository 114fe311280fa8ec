#include "top/report/logs/structural_predictions.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr unsigned kKernels = 64;  ///< that may run at once: tb_dispatcher.max_kernels at most

}  // namespace

StructuralPredictions::Tables::Tables(const CoreConfig& core)
    : slicing({}, kKernels, core.tb_slots), once({}, kKernels, core.tb_slots, false) {}

StructuralPredictions::StructuralPredictions(TbDispatcher& dispatcher, const CoreConfig& core) : core_(core) {
  for (unsigned sm = 0; sm < core.sms; ++sm) tables_.push_back(std::make_unique<Tables>(core));
  dispatcher.grid_spread.listen([this](const LaunchRecord& record) { spread(record); });
  dispatcher.launched.listen([this](std::uint64_t /*launch*/, Cycle /*cycle*/) { begin_slice(); });
  dispatcher.launch_ended.listen([this](const LaunchRecord& record) {
    Launch& launch = launches_.at(record.launch_id);
    launch.ended = true;
    kernel_slots_ &= ~(std::uint64_t{1} << launch.kernel_slot);
    begin_slice();
  });
  dispatcher.tb_dispatched.listen([this](const TbTransaction& tb, Cycle cycle) { started(tb, cycle); });
  dispatcher.tb_ended.listen([this](const TbTransaction& tb, Cycle cycle) { ended(tb, cycle); });
}

void StructuralPredictions::begin_slice() {
  for (const auto& tables : tables_) tables->slicing.reslice();
  for (auto& [id, launch] : launches_) {
    if (launch.ended) continue;
    for (OnSm& sm : launch.sms) sm.new_slice = true;
  }
}

/// The policy may give it other SMs when kernels come or go.
void StructuralPredictions::spread(const LaunchRecord& record) {
  Launch& launch = launches_[record.launch_id];
  launch.residency = std::max(launch.residency, record.occupancy.resident_limit);
  launch.tbs_per_sm = (record.tbs + record.sms - 1) / record.sms;
}

StructuralPredictions::Launch& StructuralPredictions::launch_of(const TbTransaction& tb,
                                                                std::uint64_t cycle) {
  Launch& launch = launches_.at(tb.launch_id);
  if (!launch.sms.empty()) return launch;
  launch.sms.resize(core_.sms);
  launch.kernel_slot = static_cast<unsigned>(__builtin_ctzll(~kernel_slots_));
  kernel_slots_ |= std::uint64_t{1} << launch.kernel_slot;
  for (const auto& tables : tables_) {
    tables->slicing.launch(cycle, launch.kernel_slot, launch.residency, launch.tbs_per_sm);
    tables->once.launch(cycle, launch.kernel_slot, launch.residency, launch.tbs_per_sm);
  }
  return launch;
}

void StructuralPredictions::started(const TbTransaction& tb, std::uint64_t cycle) {
  Launch& launch = launch_of(tb, cycle);
  OnSm& sm = launch.sms[tb.sm.value()];
  if (sm.resident++ == 0) sm.since = cycle;
  if (sm.running.empty() && sm.ends.empty()) sm.first_start = cycle;
  Tables& tables = *tables_[tb.sm.value()];
  const TbSlot tb_slot = tables.slots.start(tb.tb_slot);
  sm.running.insert_or_assign(tb.tb, Running{cycle, tb_slot});
  tables.slicing.block_start(cycle, launch.kernel_slot, tb_slot);
  tables.once.block_start(cycle, launch.kernel_slot, tb_slot);
}

void StructuralPredictions::ended(const TbTransaction& tb, std::uint64_t cycle) {
  Launch& launch = launches_.at(tb.launch_id);
  OnSm& sm = launch.sms[tb.sm.value()];
  if (--sm.resident == 0) sm.active_cycles += cycle - sm.since;
  const auto found = sm.running.find(tb.tb);
  const Running running = found->second;
  sm.running.erase(found);
  if (sm.ends.empty()) sm.first_tb_cycles = cycle - running.start;
  sm.ends.push_back(cycle);
  sm.last_end = cycle;
  Tables& tables = *tables_[tb.sm.value()];
  tables.slots.end(running.tb_slot);
  tables.slicing.block_end(cycle, launch.kernel_slot, running.tb_slot);
  if (sm.new_slice) sm.slicing_cycles = tables.slicing.predicted_cycles(launch.kernel_slot);
  sm.new_slice = false;
  if (tables.once.block_end(cycle, launch.kernel_slot, running.tb_slot)) {
    sm.once_cycles = tables.once.predicted_cycles(launch.kernel_slot);
  }
}

nlohmann::ordered_json StructuralPredictions::regression(const OnSm& sm) {
  const std::size_t count = sm.ends.size();
  if (count < 2) return nullptr;
  const double middle = (static_cast<double>(count) - 1) / 2;
  double mean = 0;
  for (const std::uint64_t end : sm.ends) {
    mean += static_cast<double>(end - sm.first_start) / static_cast<double>(count);
  }
  double covariance = 0;
  double variance = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(i) - middle;
    covariance += x * (static_cast<double>(sm.ends[i] - sm.first_start) - mean);
    variance += x * x;
  }
  return mean + covariance / variance * middle;
}

nlohmann::ordered_json StructuralPredictions::of_launch(std::uint64_t id) const {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  const auto found = launches_.find(id);
  if (found == launches_.end() || !found->second.ended) return all;
  const Launch& launch = found->second;
  for (std::size_t index = 0; index < launch.sms.size(); ++index) {
    const OnSm& sm = launch.sms[index];
    const std::uint64_t tbs = sm.ends.size();
    if (tbs == 0) continue;
    const std::uint64_t stairs = (tbs + launch.residency - 1) / launch.residency;
    all.push_back({{"sm", index},
                   {"tbs", tbs},
                   {"residency", launch.residency},
                   {"span_cycles", sm.last_end - sm.first_start},
                   {"active_cycles", sm.active_cycles},
                   {"staircase_cycles", stairs * sm.first_tb_cycles},
                   {"regression_cycles", regression(sm)},
                   {"slicing_cycles", sm.slicing_cycles},
                   {"once_cycles", sm.once_cycles}});
  }
  return all;
}

}  // namespace heddle
