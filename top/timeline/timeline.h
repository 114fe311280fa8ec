#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "top/machine/gpu.h"
#include "top/machine/run_result.h"
#include "top/timeline/sm_timeline.h"
#include "top/timeline/timeline_settings.h"
#include "top/timeline/trace_file.h"

namespace heddle {

/// What a timeline says about how it came about.
struct TimelineOrigin {
  std::string program;
  std::string configuration;
  std::string scheduler;
  std::string workload;
  std::string command;
};

/// Records the SMs of a GPU during a run, and writes timeline.json (docs/timeline.md). It listens: the run
/// does the same without it.
///
/// Of the events that the file may have, counters take an eighth at most, memory requests a quarter, launches
/// a sixteenth, and lives and states of warps and thread blocks the rest. Where there would be more,
/// intervals of counters become longer, fewer requests are followed, and short lives and states are merged.
class Timeline {
 public:
  /// Before the simulation starts. `gpu` is kept. Creates the file. Throws OutputError when it can't.
  /// `settings.sms` exist.
  Timeline(Gpu& gpu, TimelineSettings settings, const std::string& path);

  /// To be called every now and then, at cycles that do not depend on how the run is simulated: keeps the
  /// recording small.
  void look();
  /// Ends the recording and writes the file. Throws OutputError.
  void write(const TimelineOrigin& origin, const RunResult& result);

  /// What the file leaves out, for the user; from write() on.
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  enum class What : std::uint8_t { kLaunch, kTb, kWarp };

  std::uint64_t slot_share() const;
  std::uint64_t track_events_of_sm() const;
  std::uint64_t slot_events_of_sm() const;
  std::size_t size() const;
  Cycle cycles_until(Cycle cycle) const;
  Cycle interval() const;
  void coarsen_to(std::size_t most);
  void widen_intervals_for(Cycle now);
  void thin_requests();
  void choose_launches(const RunResult& result);
  void say_what_is_left_out();

  std::string other_data(const TimelineOrigin& origin, const RunResult& result) const;
  void write_launches(const RunResult& result);
  void write_sm(const SmTimeline& sm);
  std::string name_of(const SlotTrack::Life& life, What what) const;
  void write_lives(const SlotTrack& slot, const TraceTrack& track, What what);
  /// `beginning`: of its track's slices.
  void write_states(const SlotTrack& slot, std::size_t life, std::string_view beginning);
  void write_counter(std::uint64_t process, const char* name, const std::vector<std::uint64_t>& sums);
  void write_total(SmTimeline::Counter counter, const char* name);

  Gpu& gpu_;
  TimelineSettings settings_;
  TraceFile file_;
  std::vector<std::unique_ptr<SmTimeline>> sms_;
  unsigned sms_left_out_ = 0;
  Cycle quantum_ = 1;                ///< states and lives shorter than this are merged
  Cycle launch_quantum_ = 1;         ///< likewise of launches
  Cycle end_ = 0;                    ///< of the recording
  std::vector<SlotTrack> launches_;  ///< by stream
  std::size_t streams_left_out_ = 0;
  std::vector<std::string> kernels_;  ///< names by launch
  std::vector<std::string> left_out_;
  std::string merged_;  ///< an ending; room for it
};

}  // namespace heddle
