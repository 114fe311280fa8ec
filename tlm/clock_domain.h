#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <queue>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

namespace heddle {

/// Index of a clock edge of one domain; edge k is at time k * period.
using Cycle = std::uint64_t;
/// Simulated time in units of the SystemC time resolution (1 fs in Heddle's own executables).
using Ticks = std::uint64_t;

class Clocked;

/// One clock: a single event and a single process that ticks the blocks that are awake. Asleep blocks cost
/// nothing, and when all sleep the event is not notified at all.
///
/// Within an edge blocks tick in the order of their rank, then of their name, never of their construction.
/// Data sent at an edge is seen by the receiver at a strictly later time (ports compare time stamps), so the
/// rank matters only for ready signals inside one pipeline, where consumers tick before producers. The blocks
/// of one pipeline (an SM) therefore tick together, in the order of their ranks, and one pipeline after the
/// other: they share what they touch. Ranks behind rank::kLastInPipeline tick behind all pipelines.
class ClockDomain : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(ClockDomain);

  /// `period` > 0. With `sleeping` false every block is ticked at every edge: slower, same results.
  ClockDomain(const sc_core::sc_module_name& name, const sc_core::sc_time& period, bool sleeping = true);

  /// Blocks that are constructed from here to the end of the pipeline form one, called `name`.
  void begin_pipeline(std::string name) { open_pipeline_ = std::move(name); }
  void end_pipeline() { open_pipeline_.clear(); }

  /// The edge being processed, or the last one processed when called from outside a tick.
  Cycle cycle() const { return cycle_; }
  /// The last edge at or before the present simulated time, whether or not anybody was awake for it.
  Cycle cycle_now() const {
    const Ticks time = this->time();
    return time == now_ ? cycle_ : time / period_ticks_;
  }
  /// The present simulated time; while this domain ticks it is known without asking the SystemC kernel.
  Ticks time() const { return ticking_ ? now_ : sc_core::sc_time_stamp().value(); }
  /// Time of the first edge strictly after `time`.
  Ticks edge_after(Ticks time) const {
    return time == now_ ? now_ + period_ticks_ : (time / period_ticks_ + 1) * period_ticks_;
  }
  /// Time of edge cycle().
  Ticks now() const { return now_; }
  Ticks period_ticks() const { return period_ticks_; }
  const sc_core::sc_time& period() const { return period_; }
  bool sleeping() const { return sleeping_; }
  /// Block ticks executed so far: the work that sleeping saves is visible here.
  std::uint64_t ticks_executed() const { return ticks_executed_; }

  /// An exception thrown by a tick stops the simulation (sc_stop) and is kept here; rethrows it if any.
  void rethrow_fault() const;

 private:
  friend class Clocked;
  using Id = std::uint32_t;

  void enroll(Clocked& block);
  void wake_next(Id id) { wake_after(id, time()); }
  void wake_this_edge(Id id);
  void wake_in(Id id, Cycle cycles) {
    if (ticking_ && cycles <= 1) {
      tick_next(id);
    } else {
      set_timer(id, (ticking_ ? cycle_ : cycle_now()) + (cycles > 1 ? cycles : 1));
    }
  }
  void wake_after(Id id, Ticks time) {
    if (ticking_ && time == now_) {
      tick_next(id);
    } else {
      set_timer(id, time == now_ ? cycle_ + 1 : time / period_ticks_ + 1);
    }
  }
  void tick_next(Id id) {
    next_[id / kWordBits] |= std::uint64_t{1} << (id % kWordBits);
    next_any_ = true;
  }
  void set_timer(Id id, Cycle cycle);

  void start_of_simulation() override;
  void edge();
  void tick_awake_blocks();
  void collect_due_timers();
  void schedule_next_edge();
  void schedule(Cycle cycle, Ticks now);

  static constexpr unsigned kWordBits = 64;
  static constexpr unsigned kWheelSlots = 64;

  sc_core::sc_time period_;
  Ticks period_ticks_;
  bool sleeping_;
  bool ticking_ = false;
  bool pending_ = false;     ///< an edge is notified
  bool next_any_ = false;    ///< some bit of next_ is set
  Cycle pending_cycle_ = 0;  ///< which, when pending_
  Cycle cycle_ = 0;
  Ticks now_ = 0;
  Id turn_ = 0;  ///< the block that ticks, when ticking_
  std::uint64_t ticks_executed_ = 0;
  std::uint64_t wheel_used_ = 0;  ///< bit s: wheel_[s] has a block
  std::string open_pipeline_;
  std::vector<Clocked*> blocks_;
  std::vector<std::uint64_t> current_;
  std::vector<std::uint64_t> next_;
  std::vector<std::uint64_t> all_;
  std::array<std::vector<std::uint64_t>, kWheelSlots> wheel_;
  using FarTimer = std::pair<Cycle, Id>;
  std::priority_queue<FarTimer, std::vector<FarTimer>, std::greater<>> far_timers_;
  sc_core::sc_event event_;
  std::exception_ptr fault_;
};

}  // namespace heddle
