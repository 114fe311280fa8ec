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

bool ClockTree::kernel_idle_until(Ticks time) const {
  const sc_core::sc_time pending = sc_core::sc_time_to_pending_activity(sc_core::sc_get_curr_simcontext());
  return time - sc_core::sc_time_stamp().value() < pending.value();
}

void ClockTree::run() {
  running_ = true;
  Ticks next = next_;
  do {
    now_ = next;
    for (ClockDomain* domain : domains_) {
      if (domain->due_ == now_) domain->edge();
    }
    next = earliest();
  } while (runs_ahead_ && !stopped_ && next != kNever && kernel_idle_until(next));
  running_ = false;
  next_ = kNever;
  if (!stopped_ && next != kNever) notify(next);
}

}  // namespace heddle
