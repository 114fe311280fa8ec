#include "top/timeline/sm_timeline.h"

#include <numeric>

namespace heddle {

namespace {

Ticks ticks_of(Cycle cycle, Ticks period) {
  return cycle > ClockTree::kNever / period ? ClockTree::kNever : cycle * period;
}

}  // namespace

SmTimeline::SmTimeline(Sm& sm, const GpuConfig& config, const TimelineSettings& settings, Ticks period)
    : sm_(sm.index()),
      window_(settings.window),
      warps_(config.core.warps, SlotTrack(window_)),
      tbs_(config.core.tb_slots, SlotTrack(window_)),
      shown_(config.core.schedulers),
      counters_(kNumCounters, CounterTrack(window_)),
      requests_(ticks_of(window_.from, period), ticks_of(window_.to, period), settings.one_request_in) {
  listen_to_lives(sm.issue.residency);
  listen_to_schedulers(sm.issue.issuer);
  const unsigned entries = config.l1d.mshr.entries;
  sm.mshr.room_changed.listen(
      [this, entries](const MshrRoom& room) { mshr_entries(room.cycle, entries - room.free_entries); });
  if (settings.one_request_in == 0) return;
  sm.ldst.access_ended.listen([this](const tlm::tlm_generic_payload& payload, const MemoryRequest& request,
                                     Ticks now) { requests_.add(request, payload.get_address(), now); });
  sm.texture.fetch_ended.listen([this](const tlm::tlm_generic_payload& payload, const MemoryRequest& request,
                                       Ticks now) { requests_.add(request, payload.get_address(), now); });
}

void SmTimeline::listen_to_lives(Residency& residency) {
  residency.tb_started.listen([this](const TbTransaction& tb, Cycle cycle) {
    tbs_[tb.tb_slot.value()].begin(cycle, {tb.launch_id, tb.tb, 0});
  });
  residency.tb_finished.listen(
      [this](const TbTransaction& tb, Cycle cycle) { tbs_[tb.tb_slot.value()].end(cycle); });
  residency.warp_started.listen([this, &residency](unsigned warp, const TbTransaction& tb, Cycle cycle) {
    warps_[warp].begin(cycle, {tb.launch_id, tb.tb, residency.warp_event(warp).warp_in_tb});
    for (WarpMask& state : shown_[warp % shown_.size()]) state &= ~warp_bit(warp);
    resident_warps(cycle, resident_ + 1);
  });
  residency.warp_retired.listen([this](unsigned warp, const TbTransaction&, Cycle cycle) {
    warps_[warp].end(cycle);
    resident_warps(cycle, resident_ - 1);
  });
}

void SmTimeline::listen_to_schedulers(Issuer& issuer) {
  for (unsigned s = 0; s < issuer.schedulers(); ++s) {
    issuer.scheduler(s).took_turn.listen([this, s](const SchedulerTurn& told) { turn(s, told); });
  }
}

void SmTimeline::turn(unsigned scheduler, const SchedulerTurn& turn) {
  if (turn.cycle >= window_.to) return;
  if (turn.issued != nullptr) sums(Counter::kIssued).count(turn.cycle);
  const WarpsByState now = states_of(turn);
  WarpsByState& before = shown_[scheduler];
  for (unsigned state = 0; state < kNumResidentStates; ++state) {
    for (WarpMask left = now[state] & ~before[state]; left != 0; left &= left - 1) {
      warps_[lowest_warp(left)].enter(turn.cycle, state);
    }
  }
  before = now;
}

void SmTimeline::resident_warps(Cycle cycle, unsigned warps) {
  sums(Counter::kWarps).add(resident_since_, cycle, resident_);
  resident_ = warps;
  resident_since_ = cycle;
}

void SmTimeline::mshr_entries(Cycle cycle, unsigned entries) {
  sums(Counter::kMshrEntries).add(entries_since_, cycle, entries_);
  entries_ = entries;
  entries_since_ = cycle;
}

void SmTimeline::stop(Cycle cycle) {
  for (SlotTrack& track : warps_) track.stop(cycle);
  for (SlotTrack& track : tbs_) track.stop(cycle);
  resident_warps(cycle, resident_);
  mshr_entries(cycle, entries_);
}

std::size_t SmTimeline::size() const {
  const auto add = [](std::size_t sum, const SlotTrack& track) { return sum + track.size(); };
  return std::accumulate(tbs_.begin(), tbs_.end(),
                         std::accumulate(warps_.begin(), warps_.end(), std::size_t{0}, add), add);
}

SlotTrack::Shares SmTimeline::state_cycles() const {
  SlotTrack::Shares sum{};
  for (const SlotTrack& track : warps_) {
    const SlotTrack::Shares cycles = track.state_cycles();
    for (unsigned s = 0; s < SlotTrack::kStates; ++s) sum[s] += cycles[s];
  }
  return sum;
}

void SmTimeline::coarsen(Cycle quantum) {
  for (SlotTrack& track : warps_) track.coarsen(quantum);
  for (SlotTrack& track : tbs_) track.coarsen(quantum);
}

void SmTimeline::widen_intervals() {
  for (CounterTrack& counter : counters_) counter.widen();
}

}  // namespace heddle
