#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <systemc>
#include <vector>

#include "base/observe.h"
#include "base/ticks.h"
#include "tlm/clock_strands.h"

namespace heddle {

class ClockDomain;

/// The clock domains of one machine: one event, notified for the earliest of their edges, and one process,
/// which calls the blocks that have it, or starts their own processes.
///
/// Domains whose edges coincide tick in the order in which they joined; blocks must not depend on it.
///
/// Some domains may be strands, whose blocks tick at the same time, and beside them those of the domains that
/// joined before. A block of a strand may touch no other strand's, and none beside the strands: hops between
/// them are handed over (InitiatorPort::hand_over). Blocks of domains that joined after the strands must take
/// what it tells them in a way that does not depend on which strand comes first; wake-ups do.
class ClockTree : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(ClockTree);

  static constexpr Ticks kNever = std::numeric_limits<Ticks>::max();

  explicit ClockTree(const sc_core::sc_module_name& name);

  /// Handles edges in a row, without the SystemC kernel in between, while the kernel has nothing else to do
  /// before the next one: the same results at less cost per edge. Meanwhile sc_time_stamp() is earlier than
  /// time(). It has no effect when a module that may ask for it is bound to a socket of a block
  /// (SocketPeers::need_kernel_time); other uses of it are not seen, so it is not for simulations with
  /// sc_trace, or with a duration given to sc_start(). A tick notifies events by notify_after_edge().
  void run_ahead() { runs_ahead_ = true; }
  /// The kernel is asked what it has to do before the next edge is handled. Not for blocks of strands.
  void give_way() { gives_way_ = true; }
  /// `event`, which must outlive the edge, is notified when all blocks have ticked that have an edge at
  /// time(), which is the kernel's time then too. From a tick; not of strands.
  void notify_after_edge(sc_core::sc_event& event);

  /// Each block ticks in a SystemC process of its own, named after the block, instead of being called: the
  /// kernel then schedules the machine block by block, and its time is time() in every tick. The results are
  /// the same; docs/architecture.md, "Time", says what it costs. At an edge the processes of one order run in
  /// one delta cycle; domains whose edges coincide do so one after the other. A process waits for its
  /// domain's edge, in the delta cycle of its order, or, when its block sleeps, for a wake-up of its own. To
  /// be called at the end of elaboration at the latest; not with strands. run_ahead() has no effect then.
  /// Without strands it is so also when a foreign module is bound to a socket of some block.
  void tick_by_processes() { by_processes_ = true; }
  /// From the end of elaboration on.
  bool ticks_by_processes() const;

  /// All blocks have ticked that had an edge at time().
  Probe<> edge_handled;

  /// Makes strands of `domains`, of one period, which joined one after the other and none after them so far,
  /// for `threads` threads, 1 at least; as many as domains at most are of use.
  /// `done` is called at each edge at which some of them ticked, on one thread, after them and before the
  /// domains that join later. What it throws stops the simulation.
  void make_strands(std::vector<ClockDomain*> domains, unsigned threads, std::function<void()> done);
  /// Blocks of the strands tick at the moment, on several threads.
  bool strands_running() const { return strands_ != nullptr && strands_->running(); }
  /// Rethrows what stopped the simulation, if anything: what a block threw (ClockDomain::rethrow_fault), that
  /// of the first pipeline when blocks of several domains threw, or what `done` threw. An SC_INFO tells it
  /// when the simulation stops.
  void rethrow_fault() const;

  /// The present simulated time.
  Ticks time() const {
    if (running_) return now_;
    const Ticks kernel = sc_core::sc_time_stamp().value();
    return kernel > now_ ? kernel : now_;
  }

 private:
  friend class ClockDomain;

  void join(ClockDomain& domain) { domains_.push_back(&domain); }
  /// A domain has an edge at `time`, which is earlier than any it had asked for.
  void expect(Ticks time);

  void start_of_simulation() override;
  void run();
  void step();
  void stop();
  void tell_fault() const;
  void handle_edge();
  using Domains = std::vector<ClockDomain*>::const_iterator;
  void tick(Domains begin, Domains end);
  void notify_stop();
  Ticks earliest() const;
  static Ticks earliest(Domains begin, Domains end);
  Ticks next_at_once(Ticks next, Ticks idle_until) const;
  /// When the kernel has something to do, as far as it knows at present.
  static Ticks kernel_idle_until();
  void notify(Ticks time);

  std::vector<ClockDomain*> domains_;
  std::ptrdiff_t first_strand_ = 0;  ///< in domains_, when there are strands
  sc_core::sc_event event_;
  sc_core::sc_event stop_event_;
  std::unique_ptr<ClockStrands> strands_;
  Ticks now_ = 0;        ///< of the edges that are or were handled last
  Ticks next_ = kNever;  ///< for which event_ is notified, when not running_
  bool running_ = false;
  bool runs_ahead_ = false;
  bool gives_way_ = false;
  bool by_processes_ = false;
  std::size_t stepped_ = 0;                     ///< by processes: domains that are done with the present edge
  std::vector<sc_core::sc_event*> after_edge_;  ///< by processes: to be notified
  bool stopped_ = false;  ///< by a fault; the simulation is, when the kernel has arrived
};

}  // namespace heddle
