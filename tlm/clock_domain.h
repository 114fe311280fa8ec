#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <queue>
#include <systemc>
#include <utility>
#include <vector>

#include "tlm/clock_tree.h"
#include "tlm/tick_levels.h"

namespace heddle {

class Clocked;

/// One clock: ticks the blocks that are awake at each of its edges. Asleep blocks cost nothing, and when all
/// sleep there are no edges at all.
///
/// Within an edge blocks tick by their order, never by that of their construction. Data sent at an edge is
/// seen by the receiver at a strictly later time (ports compare time stamps), so the order matters only for
/// ready signals inside one pipeline, where consumers tick before producers. Blocks outside of pipelines tick
/// first, blocks of order kAfterPipelines and higher last. In between the blocks of one pipeline tick
/// together, by their orders and then names, and one pipeline after the other: they share what they touch.
///
/// Blocks that tick by processes (ClockTree::tick_by_processes) do so in one delta cycle for each order,
/// those of all pipelines together.
class ClockDomain : public sc_core::sc_module {
 public:
  /// Throws std::invalid_argument when `period` is 0. With `sleeping` false every block is ticked at every
  /// edge: slower, same results. The domains of one machine share its `tree`, which must outlive them;
  /// without one the domain has its own.
  ClockDomain(const sc_core::sc_module_name& name, const sc_core::sc_time& period, bool sleeping = true,
              ClockTree* tree = nullptr);
  ~ClockDomain() override;

  /// Blocks that are constructed from here to the end of the pipeline form one, the `number`th to tick; 0 is
  /// the first.
  void begin_pipeline(unsigned number) { open_pipeline_ = number + 1; }
  void end_pipeline() { open_pipeline_ = 0; }

  /// The edge being processed, or the last one processed when called from outside a tick.
  Cycle cycle() const { return cycle_; }
  /// The last edge at or before the present simulated time, whether or not a block was awake for it.
  Cycle cycle_now() const {
    const Ticks time = this->time();
    return time == now_ ? cycle_ : time / period_ticks_;
  }
  /// The present simulated time; beside strands (ClockTree) that of the edge that is handled.
  Ticks time() const {
    if (ticking_) return now_;
    return tree_.running_ ? *running_time_ : tree_.time();
  }
  /// Of the next edge that there will be; ClockTree::kNever when there is none.
  Ticks due() const { return due_; }
  /// See ClockTree.
  void notify_after_edge(sc_core::sc_event& event) { tree_.notify_after_edge(event); }
  /// See ClockTree: for a domain that has its own.
  void tick_by_processes() { tree_.tick_by_processes(); }
  /// Other threads are at work too, so that hops to their blocks have to be handed over.
  bool strands_running() const { return tree_.strands_running(); }
  /// Some block has a hop that is handed over; see InitiatorPort::hand_over.
  void hear_strands_at_edges() { hears_strands_ = true; }
  /// Then: `say` is called with `port` and `payload` when they are done, at the same time.
  void hand_over(HandOver::Say say, void* port, tlm::tlm_generic_payload& payload) {
    hand_over_->add(say, port, payload);
  }
  /// Time of the first edge strictly after `time`.
  Ticks edge_after(Ticks time) const {
    return time == now_ ? now_ + period_ticks_ : (time / period_ticks_ + 1) * period_ticks_;
  }
  /// Time of edge cycle().
  Ticks now() const { return now_; }
  Ticks period_ticks() const { return period_ticks_; }
  const sc_core::sc_time& period() const { return period_; }
  bool sleeping() const { return sleeping_; }
  /// Block ticks executed so far, or activations of blocks' processes: the work that sleeping saves is
  /// visible here.
  std::uint64_t ticks_executed() const { return ticks_executed_; }
  /// Which blocks have ticked at the edge at now(), when that is over: bit index_of() of theirs.
  const std::vector<std::uint64_t>& ticked() const { return current_; }
  /// Of one of its blocks; from the start of simulation on.
  std::size_t index_of(const Clocked& block) const;

  /// An exception thrown by a tick stops the simulation (sc_stop, one step of the time resolution after the
  /// edge, so that trace files show it) and is kept here. At that edge blocks of the same order in the same
  /// pipeline still tick, and so do the domain's other pipelines, since it must not matter who is first;
  /// no other block does. Of several exceptions that of the first pipeline counts, and there that of the
  /// first name. An SC_INFO tells it. Rethrows it if any.
  void rethrow_fault() const;
  bool faulted() const { return !faults_.empty(); }
  /// Of domains that have faults at the same edge the lowest counts: the number of the pipeline, counted from
  /// 1; 0 for blocks outside of pipelines; the largest number when there is no fault.
  unsigned order_of_fault() const;

 private:
  friend class Clocked;
  friend class ClockStrands;
  friend class ClockTree;
  using Id = std::uint32_t;

  void enroll(Clocked& block);
  void leave(const Clocked& block);
  void wake_next(Id id) {
    if (ticking_) {
      tick_next(id);
    } else {
      wake_after(id, time());
    }
  }
  bool still_to_tick(Id id) const { return ticking_ && id > turn_; }
  void wake_this_edge(Id id) {
    if (still_to_tick(id)) {
      current_[id / kWordBits] |= std::uint64_t{1} << (id % kWordBits);
    } else {
      wake_next(id);
    }
  }
  void wake_in(Id id, Cycle cycles) {
    if (!ticking_) {
      wake_after(id, time() + (cycles > 1 ? cycles - 1 : 0) * period_ticks_);
    } else if (cycles <= 1) {
      tick_next(id);
    } else {
      set_timer(id, cycle_ + cycles);
    }
  }
  void wake_after(Id id, Ticks time) {
    if (!ticking_) {
      wake_from_outside(id, time);
    } else if (time == now_) {
      tick_next(id);
    } else {
      set_timer(id, time / period_ticks_ + 1);
    }
  }
  void wake_from_outside(Id id, Ticks time) {
    if (tree_.strands_running() && !beside_strands_) {
      wake_from_strand(id, time);
    } else {
      set_timer(id, time == now_ ? cycle_ + 1 : time / period_ticks_ + 1);
    }
  }
  /// On any strand's thread: noted until hear_strands().
  void wake_from_strand(Id id, Ticks time);
  void hear_strands() {
    if (strands_spoke_.load(std::memory_order_relaxed)) take_wakes_of_strands();
  }
  void take_wakes_of_strands();
  /// At its next edge, timers left out.
  unsigned blocks_awake() const {
    unsigned count = 0;
    for (const std::uint64_t word : sleeping_ ? next_ : all_) {
      count += static_cast<unsigned>(__builtin_popcountll(word));
    }
    return count;
  }
  void tick_next(Id id) {
    next_[id / kWordBits] |= std::uint64_t{1} << (id % kWordBits);
    next_any_ = true;
  }
  void set_timer(Id id, Cycle cycle) {
    if (ticking_ && cycle - cycle_ < kWheelSlots && cycle > cycle_ + 1) {
      put_on_wheel(id, cycle);
    } else {
      set_other_timer(id, cycle);
    }
  }
  void put_on_wheel(Id id, Cycle cycle) {
    const unsigned slot = cycle % kWheelSlots;
    wheel_[slot * words_ + id / kWordBits] |= std::uint64_t{1} << (id % kWordBits);
    wheel_used_ |= std::uint64_t{1} << slot;
  }
  void set_other_timer(Id id, Cycle cycle);

  void start_of_simulation() override;
  void sort_blocks();
  void make_processes();
  void edge();
  void begin_edge();
  void choose_blocks();
  void tick_awake_blocks();
  void note_fault(const Clocked& block);
  bool ticks_after_fault(const Clocked& block) const;
  void tick_after_fault();
  Id first_awake(Id id) const;
  /// With processes: begins the edge or goes on with it, by the next delta cycle in which processes run.
  /// False when there is none, and the edge is done.
  bool step_edge();
  bool start_processes();
  /// What the process of `block` does.
  void tick_as_process(Clocked& block);
  void schedule_next_edge();
  void schedule(Cycle cycle);

  static constexpr unsigned kWordBits = 64;
  static constexpr unsigned kWheelSlots = 64;

  sc_core::sc_time period_;
  Ticks period_ticks_;
  bool sleeping_;
  std::unique_ptr<ClockTree> own_tree_;
  ClockTree& tree_;
  bool ticking_ = false;
  bool next_any_ = false;          ///< some bit of next_ is set
  Cycle pending_cycle_ = 0;        ///< of the edge at due_
  Ticks due_ = ClockTree::kNever;  ///< the next edge that there will be
  Cycle cycle_ = 0;
  Ticks now_ = 0;
  Id turn_ = 0;  ///< the block that ticks, when ticking_; with processes the last one of its level
  const Ticks* running_time_;  ///< while edges are handled
  std::uint64_t ticks_executed_ = 0;
  std::uint64_t wheel_used_ = 0;  ///< bit s: slot s of the wheel has a block
  struct Fault {
    const Clocked* block;
    std::exception_ptr exception;
  };
  std::vector<Fault> faults_;  ///< of the edge at which the simulation stops
  unsigned open_pipeline_ = 0;
  std::unique_ptr<TickLevels> levels_;  ///< when blocks tick by processes
  bool stepping_ = false;               ///< between the first and the last step_edge() of an edge
  std::vector<std::uint64_t> on_edge_;  ///< a mask: their processes wait for the edge of their level
  std::vector<Clocked*> blocks_;
  /// How to tick blocks_, beside each other.
  struct Turn {
    bool (*tick)(Clocked& block);
    Clocked* block;
  };
  std::vector<Turn> turns_;
  std::vector<std::uint64_t> current_;
  std::vector<std::uint64_t> next_;
  std::vector<std::uint64_t> all_;
  std::size_t words_ = 0;             ///< of a mask of all blocks
  std::vector<std::uint64_t> wheel_;  ///< kWheelSlots masks of the blocks that are due
  using FarTimer = std::pair<Cycle, Id>;
  std::priority_queue<FarTimer, std::vector<FarTimer>, std::greater<>> far_timers_;
  HandOver* hand_over_ = nullptr;    ///< of its thread
  Ticks* due_of_strand_ = nullptr;   ///< what its thread knows of its next edge
  Ticks* due_of_thread_ = nullptr;   ///< the earliest of the thread's strands
  Ticks* due_of_strands_ = nullptr;  ///< the earliest of all strands
  bool beside_strands_ = false;      ///< touched by one thread only, while strands run
  bool hears_strands_ = false;       ///< by hops that are handed over
  std::atomic<bool> strands_spoke_{false};
  std::unique_ptr<std::atomic<std::uint64_t>[]> woken_by_strands_;  ///< a mask: at the next edge
  std::mutex strands_mutex_;
  std::vector<std::pair<Id, Ticks>> later_wakes_of_strands_;  ///< with strands_mutex_
};

}  // namespace heddle
