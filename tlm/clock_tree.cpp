#include "tlm/clock_tree.h"

#include <algorithm>

#include "tlm/clock_domain.h"

namespace heddle {

ClockTree::ClockTree(const sc_core::sc_module_name& name) : sc_module(name) {
  SC_METHOD(run);
  sensitive << event_;
  dont_initialize();
}

void ClockTree::expect(Ticks time) {
  if (running_ || time >= next_) return;
  notify(time);
}

void ClockTree::notify(Ticks time) {
  next_ = time;
  event_.notify(sc_core::sc_time::from_value(time - sc_core::sc_time_stamp().value()));
}

Ticks ClockTree::earliest() const {
  Ticks earliest = kNever;
  for (const ClockDomain* domain : domains_) earliest = std::min(earliest, domain->due_);
  return earliest;
}

Ticks ClockTree::kernel_idle_until() {
  const sc_core::sc_time pending = sc_core::sc_time_to_pending_activity(sc_core::sc_get_curr_simcontext());
  return sc_core::sc_time_stamp().value() + pending.value();
}

bool ClockTree::kernel_idle_now() {
  return !sc_core::sc_pending_activity_at_current_time(sc_core::sc_get_curr_simcontext());
}

void ClockTree::run() {
  running_ = true;
  const Ticks idle_until = runs_ahead_ ? kernel_idle_until() : 0;
  Ticks next = next_;
  do {
    now_ = next;
    for (ClockDomain* domain : domains_) {
      if (domain->due_ == now_) domain->edge();
    }
    next = earliest();
  } while (next < idle_until && !stopped_ && next != kNever && kernel_idle_now());
  running_ = false;
  next_ = kNever;
  if (!stopped_ && next != kNever) notify(next);
}

}  // namespace heddle
