#pragma once

#include <cstdint>
#include <vector>

#include "modules/sm/sm.h"
#include "modules/warp_scheduler/warp_states.h"
#include "top/timeline/counter_track.h"
#include "top/timeline/request_log.h"
#include "top/timeline/slot_track.h"
#include "top/timeline/timeline_settings.h"

namespace heddle {

/// What a timeline shows of an SM, as its probes tell it. It keeps nothing of other SMs, so that each may be
/// told on a thread of its own.
class SmTimeline {
 public:
  /// Counters of an SM: instructions issued, resident warps and MSHR entries in use, each summed over the
  /// cycles of an interval.
  enum class Counter : std::uint8_t { kIssued, kWarps, kMshrEntries };
  static constexpr unsigned kNumCounters = 3;

  /// Before the simulation starts. `sm` is kept; `period` is that of its clock.
  SmTimeline(Sm& sm, const GpuConfig& config, const TimelineSettings& settings, Ticks period);
  SmTimeline(const SmTimeline&) = delete;
  SmTimeline& operator=(const SmTimeline&) = delete;

  /// The recording ends before `cycle`.
  void stop(Cycle cycle);

  unsigned sm() const { return sm_; }
  const std::vector<SlotTrack>& warps() const { return warps_; }
  const std::vector<SlotTrack>& tbs() const { return tbs_; }
  const CounterTrack& counter(Counter counter) const { return counters_[static_cast<unsigned>(counter)]; }
  const RequestLog& requests() const { return requests_; }
  RequestLog& requests() { return requests_; }

  /// Of all warps.
  SlotTrack::Shares state_cycles() const;
  /// Lives and states that it keeps.
  std::size_t size() const;
  /// See SlotTrack.
  void coarsen(Cycle quantum);
  void widen_intervals();

 private:
  void listen_to_lives(Residency& residency);
  void listen_to_schedulers(Issuer& issuer);
  void turn(unsigned scheduler, const SchedulerTurn& turn);
  void resident_warps(Cycle cycle, unsigned warps);
  void mshr_entries(Cycle cycle, unsigned entries);
  CounterTrack& sums(Counter counter) { return counters_[static_cast<unsigned>(counter)]; }

  const unsigned sm_;
  const CycleWindow window_;
  std::vector<SlotTrack> warps_;
  std::vector<SlotTrack> tbs_;
  std::vector<WarpsByState> shown_;  ///< by scheduler: as told last
  std::vector<CounterTrack> counters_;
  RequestLog requests_;
  unsigned resident_ = 0;
  Cycle resident_since_ = 0;
  unsigned entries_ = 0;
  Cycle entries_since_ = 0;
};

}  // namespace heddle
