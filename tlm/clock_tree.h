#pragma once

#include <cstdint>
#include <limits>
#include <systemc>
#include <vector>

namespace heddle {

/// Index of a clock edge of one domain; edge k is at time k * period.
using Cycle = std::uint64_t;
/// Simulated time in units of the SystemC time resolution (1 fs in Heddle's own executables).
using Ticks = std::uint64_t;

class ClockDomain;

/// The process of one machine's clock domains: one event, notified for the earliest of their edges.
///
/// Domains whose edges coincide are called in the order in which they joined; blocks must not depend on it.
class ClockTree : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(ClockTree);

  static constexpr Ticks kNever = std::numeric_limits<Ticks>::max();

  explicit ClockTree(const sc_core::sc_module_name& name);

  /// Handles edges in a row, without the SystemC kernel in between, while the kernel has nothing else to do
  /// before the next one: the same results at a fraction of the cost per edge. Meanwhile sc_time_stamp()
  /// stays behind time(). So this is for simulations in which nobody asks the kernel for the time: no foreign
  /// modules on the sockets, no sc_trace, and sc_start() without a duration. What a tick notifies with zero
  /// time is handled before the next edge; a tick must not notify an event for a later time.
  void run_ahead() { runs_ahead_ = true; }

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
  /// Handles no more edges.
  void stop() { stopped_ = true; }

  void run();
  Ticks earliest() const;
  /// When the kernel has something to do, as far as it knows at present.
  static Ticks kernel_idle_until();
  /// It has nothing to do at the present time.
  static bool kernel_idle_now();
  void notify(Ticks time);

  std::vector<ClockDomain*> domains_;
  sc_core::sc_event event_;
  Ticks now_ = 0;        ///< of the edges that are or were handled last
  Ticks next_ = kNever;  ///< for which event_ is notified, when not running_
  bool running_ = false;
  bool runs_ahead_ = false;
  bool stopped_ = false;
};

}  // namespace heddle
