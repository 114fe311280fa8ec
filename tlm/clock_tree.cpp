#include "tlm/clock_tree.h"

#include <algorithm>
#include <exception>
#include <string>

#include "tlm/clock_domain.h"
#include "tlm/foreign_modules.h"

namespace heddle {

ClockTree::ClockTree(const sc_core::sc_module_name& name) : sc_module(name) {
  SC_METHOD(run);
  sensitive << event_;
  dont_initialize();
  SC_METHOD(stop);
  sensitive << stop_event_;
  dont_initialize();
}

void ClockTree::rethrow_fault() const {
  const auto first = std::min_element(domains_.begin(), domains_.end(), [](const auto* a, const auto* b) {
    return a->order_of_fault() < b->order_of_fault();
  });
  if (first != domains_.end()) (*first)->rethrow_fault();
  if (strands_ != nullptr) strands_->rethrow_fault();
}

/// Who does not ask for the fault sees no more than that the simulation has ended.
void ClockTree::tell_fault() const {
  std::string what;
  try {
    rethrow_fault();
  } catch (const std::exception& fault) {
    what = fault.what();
  } catch (...) {
    what = "something that is no std::exception";
  }
  SC_REPORT_INFO("/heddle/clock",
                 (std::string(name()) + ": the simulation stops at " +
                  sc_core::sc_time::from_value(now_).to_string() + ", since a block has thrown: " + what)
                     .c_str());
}

/// sc_stop warns when it is called again, as by the faults of two machines at one time.
void ClockTree::stop() {
  tell_fault();
  static bool stopped = false;
  if (!stopped) sc_core::sc_stop();
  stopped = true;
}

void ClockTree::expect(Ticks time) {
  if (running_ || time >= next_) return;
  notify(time);
}

void ClockTree::notify(Ticks time) {
  next_ = time;
  event_.notify(sc_core::sc_time::from_value(time - sc_core::sc_time_stamp().value()));
}

Ticks ClockTree::earliest(Domains begin, Domains end) {
  Ticks earliest = kNever;
  for (auto at = begin; at != end; ++at) earliest = std::min(earliest, (*at)->due_);
  return earliest;
}

Ticks ClockTree::earliest() const {
  if (strands_ == nullptr) return earliest(domains_.begin(), domains_.end());
  const auto first = domains_.begin() + first_strand_;
  const auto behind = first + static_cast<std::ptrdiff_t>(strands_->size());
  return std::min({earliest(domains_.begin(), first), strands_->due(), earliest(behind, domains_.end())});
}

Ticks ClockTree::kernel_idle_until() {
  const sc_core::sc_time pending = sc_core::sc_time_to_pending_activity(sc_core::sc_get_curr_simcontext());
  return sc_core::sc_time_stamp().value() + pending.value();
}

void ClockTree::make_strands(std::vector<ClockDomain*> domains, unsigned threads,
                             std::function<void()> done) {
  first_strand_ = static_cast<std::ptrdiff_t>(domains_.size() - domains.size());
  const auto first = domains_.begin() + first_strand_;
  if (!std::equal(domains.begin(), domains.end(), first)) {
    SC_REPORT_FATAL("/heddle/clock", "strands must have joined the clock tree last, one after the other");
  }
  ClockStrands::Domains all{{domains_.begin(), first}, std::move(domains)};
  strands_ = std::make_unique<ClockStrands>(std::move(all), threads, std::move(done));
}

/// Those of `domains` that have an edge at the present time.
void ClockTree::tick(Domains begin, Domains end) {
  for (auto at = begin; at != end && !stopped_; ++at) {
    ClockDomain& domain = **at;
    if (domain.due_ != now_) continue;
    domain.edge();
    if (domain.faulted()) stopped_ = true;
  }
}

void ClockTree::handle_edge() {
  if (strands_ == nullptr) {
    tick(domains_.begin(), domains_.end());
    return;
  }
  const auto first = domains_.begin() + first_strand_;
  const auto behind = first + static_cast<std::ptrdiff_t>(strands_->size());
  if (strands_->due() != now_) {
    strands_->pass(now_);
    tick(domains_.begin(), first);
  } else {
    if (strands_->tick(now_))
      std::for_each(behind, domains_.end(), [](auto* domain) { domain->hear_strands(); });
    if (strands_->faulted()) stopped_ = true;
  }
  tick(behind, domains_.end());
}

/// After a fault, when the kernel's time has become time(). Later by the least there is: a trace file shows
/// an instant when the next one comes.
void ClockTree::notify_stop() { stop_event_.notify(sc_core::sc_get_time_resolution()); }

void ClockTree::start_of_simulation() {
  if (by_processes_ && strands_ != nullptr) {
    SC_REPORT_FATAL("/heddle/clock", "blocks of strands tick on several threads, not by processes");
  }
  by_processes_ = ticks_by_processes();
}

bool ClockTree::ticks_by_processes() const {
  return by_processes_ || (strands_ == nullptr && !socket_peers().foreign.empty());
}

void ClockTree::notify_after_edge(sc_core::sc_event& event) {
  if (by_processes_) {
    after_edge_.push_back(&event);
    return;
  }
  event.notify(sc_core::sc_time::from_value(now_ - sc_core::sc_time_stamp().value()));
  give_way();
}

/// By processes: one delta cycle of an edge, or its end.
void ClockTree::step() {
  if (!running_) {
    running_ = true;
    now_ = next_;
    stepped_ = 0;
  }
  for (; stepped_ != domains_.size(); ++stepped_) {
    ClockDomain& domain = *domains_[stepped_];
    const bool begins = domain.due_ == now_ && !stopped_;
    if (!begins && !domain.stepping_) continue;
    if (domain.step_edge()) {  // goes on when the processes have run
      next_trigger(sc_core::SC_ZERO_TIME);
      return;
    }
    if (domain.faulted()) stopped_ = true;
  }
  edge_handled.fire();
  for (sc_core::sc_event* event : after_edge_) event->notify(sc_core::SC_ZERO_TIME);
  after_edge_.clear();
  running_ = false;
  next_ = kNever;
  if (stopped_) notify_stop();
  const Ticks next = stopped_ ? kNever : earliest();
  if (next != kNever) notify(next);
}

/// Instead of `next`, the earliest edge: the strands', when all edges before it are of domains beside them
/// that may be late for it, and nobody looks at these.
Ticks ClockTree::next_at_once(Ticks next, Ticks idle_until) const {
  const Ticks strands = strands_->due();
  if (next == strands || strands >= idle_until || edge_handled.heard()) return next;
  const auto behind = domains_.begin() + first_strand_ + static_cast<std::ptrdiff_t>(strands_->size());
  return earliest(behind, domains_.end()) >= strands && strands_->may_be_late(now_, strands) ? strands : next;
}

void ClockTree::run() {
  if (by_processes_) {
    step();
    return;
  }
  const auto kernel_time = [] { return sc_core::sc_time_stamp().value(); };
  running_ = true;
  const Ticks idle_until = runs_ahead_ && !socket_peers().need_kernel_time ? kernel_idle_until() : 0;
  Ticks next = next_;
  if (stopped_) {
    notify_stop();
    next = kNever;
  } else {
    gives_way_ = false;
  }
  while (next == kernel_time() || (next < idle_until && !gives_way_)) {
    now_ = next;
    handle_edge();
    edge_handled.fire();
    next = stopped_ ? kNever : earliest();
    if (strands_ != nullptr && !gives_way_ && !stopped_) next = next_at_once(next, idle_until);
  }
  running_ = false;
  next_ = kNever;
  if (stopped_ && now_ == kernel_time()) {
    notify_stop();
  } else if (stopped_) {
    next = now_;
  }
  if (next != kNever) notify(next);
}

}  // namespace heddle
