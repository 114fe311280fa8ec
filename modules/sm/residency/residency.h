#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "base/observe.h"
#include "modules/counts/issue_statistics.h"
#include "modules/sm/events/policy_feed.h"
#include "modules/sm/residency/tb_slots.h"

namespace heddle {

/// Runs the warps that live on an SM.
class WarpRunner {
 public:
  virtual ~WarpRunner() = default;
  /// A TB of `warps` warps starts in `slot`; its warps follow.
  virtual void start_tb(TbSlot slot, unsigned warps) = 0;
  /// The warp has its slot; WarpTable's columns of residency are up to date.
  virtual void start_warp(const PlacedWarp& warp) = 0;
};

/// Told of the ends that the TB protocol reports.
class TbEnds {
 public:
  virtual ~TbEnds() = default;
  virtual void warp_done(TbTransaction& transaction) = 0;
  virtual void tb_done(TbTransaction& transaction) = 0;
};

/// Which thread blocks and warps live on an SM: takes TBs from the dispatcher, gives them and their warps
/// slots and resources, starts them, and takes back what has ended. Plain C++.
///
/// A TB accepted at t starts at t + 1. With warp-level management of resources, what a warp that retires at t
/// gives back can start an unissued warp at t + 1.
class Residency {
  struct Life {
    ResidentTb* tb = nullptr;
    Cycle started_at = 0;
    Cycle counted_until = 0;  ///< first cycle not yet in the counts of its launch
    WarpInTb warp_in_tb;
  };
  struct Wave {
    std::uint64_t tbs = 0;
    std::uint64_t free_registers = 0;
    std::uint64_t free_warp_slots = 0;
    std::uint64_t free_shared_bytes = 0;
  };

 public:
  /// What it shares with the rest of its SM. Of the table it keeps who is resident, ages, TB slots and
  /// counts; of the statistics those of TBs, warps and what they occupy.
  struct Links {
    const ClockDomain& clock;
    WarpTable& table;
    IssueStatistics& statistics;
    PolicyFeed& feed;
    WarpRunner& runner;
    TbEnds& ends;
  };

  /// `core` is kept. `hardware` owns the workload buffer and the parts of the account of resources.
  Residency(const CoreConfig& core, const hw::Owner& hardware, const Links& links);

  /// Tells `watcher` what starts and ends.
  void watch(WarpWatcher& watcher) { tbs_.watch(watcher); }
  /// With warp-level management; else nullptr.
  const WorkloadBuffer* buffer() const { return tbs_.buffer(); }

  /// Takes slots and resources for the TB, which starts at the first edge after the present time plus
  /// `delay`; false when something lacks.
  bool accept(TbTransaction& transaction, Ticks delay = 0);
  /// TBs wait for their start, or what has ended is not yet taken back: advance() has something to do.
  bool changing() const { return changing_; }
  /// Of these the latter.
  bool taking_back() const { return changing_ && tbs_.pending(); }
  /// At an edge: starts TBs, takes back what has ended, and starts unissued warps with it.
  void advance();
  /// The warp in `warp` has exited, and nothing of it is in flight.
  void retire(unsigned warp);

  /// Number of TBs.
  unsigned tbs() const { return tbs_.resident(); }
  /// Of cycles 0 to `cycle` those in which the SM had a TB; `cycle` is the present one.
  Cycle cycles_with_tb(Cycle cycle) const { return std::max(cycle, accounted_until_) - inactive_cycles_; }
  /// Of a resident warp.
  const ResidentTb& tb_of(unsigned warp) const { return *lives_[warp].tb; }
  WarpEvent warp_event(unsigned warp) const;

  /// Counts what lives here up to the cycle before `until`.
  void settle(Cycle until);
  void trace(WaveSink& sink);
  /// Of the workload buffer, into a scope of its own.
  void trace_buffer(WaveSink& sink) const;
  [[gnu::cold]] void update_wave();
  /// A line for the TB that waits for room for its other warps; "" when there is none.
  std::string describe_waiting() const;

  Probe<unsigned, const TbTransaction&, Cycle> warp_started;  ///< slot, its TB, cycle
  Probe<unsigned, const TbTransaction&, Cycle> warp_retired;
  Probe<const TbTransaction&, Cycle> tb_started;
  Probe<const TbTransaction&, Cycle> tb_finished;
  /// The last resident TB has ended.
  EventPort<Cycle> emptied;

 private:
  void start_tb(ResidentTb& tb);
  void start_warp(const PlacedWarp& warp);
  void end_tb(ResidentTb& tb);
  void account(Cycle until);
  void count(Life& life, Cycle until);
  TbEvent tb_event(const ResidentTb& tb) const;

  bool changing_ = true;
  Links links_;
  const CoreConfig& core_;
  std::uint64_t next_age_ = 0;
  Cycle accounted_until_ = 0;  ///< first cycle not yet counted
  /// Cycles before accounted_until_ in which the SM had no TB.
  Cycle inactive_cycles_ = 0;
  TbSlots tbs_;
  std::array<Life, kMaxWarps> lives_{};  ///< by warp slot
  std::unique_ptr<Wave> wave_;
};

}  // namespace heddle
