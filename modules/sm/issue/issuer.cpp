#include "modules/sm/issue/issuer.h"

#include <algorithm>
#include <utility>

#include "modules/counts/launch_counts.h"

namespace heddle {

namespace {

constexpr const char* kIssueReportId = "/heddle/issue";

/// value mod divisor; a division costs as much as the rest of a scheduler's turn.
unsigned remainder(std::uint64_t value, unsigned divisor) {
  return static_cast<unsigned>((divisor & (divisor - 1)) == 0 ? value & (divisor - 1) : value % divisor);
}

Producer producer_of(const WarpInstruction& instruction) {
  switch (instruction.instruction->unit) {
    case Unit::kSp:
      return Producer::kAlu;
    case Unit::kSfu:
      return Producer::kSfu;
    case Unit::kLdst:
      break;
  }
  return instruction.space == Space::kShared ? Producer::kShared : Producer::kMemory;
}

}  // namespace

Issuer::Issuer(const GpuConfig& config, SmId sm, const Links& links)
    : block_(links.block),
      clock_(links.block.domain()),
      fetch_(links.fetch),
      table_(links.table),
      feed_(links.feed),
      residency_(links.residency),
      statistics_(links.statistics),
      answers_(*this),
      rotates_(config.core.rotate_schedulers),
      warps_(config.core.warps),
      scoreboard_(config.core.warps),
      barriers_(config.core.tb_slots),
      stores_(links.stores) {
  fetch_.set_listener(*this);
  site_.sm = sm.value();
  site_.num_sms = config.core.sms;
  site_.num_warp_slots = config.core.warps;
  for (unsigned s = 0; s < config.core.schedulers; ++s) {
    WarpMask supervised = 0;
    for (unsigned w = s; w < config.core.warps; w += config.core.schedulers) {
      supervised |= warp_bit(w);
      scheduler_of_[w] = static_cast<std::uint8_t>(s);
    }
    schedulers_.push_back(std::make_unique<WarpScheduler>(("scheduler" + std::to_string(s)).c_str(), s,
                                                          table_, feed_.policies(),
                                                          static_cast<IssueHost&>(*this), supervised));
    running_order_[s] = schedulers_.back().get();
  }
}

void Issuer::end_of_elaboration() {
  slots_announced_ = std::all_of(schedulers_.begin(), schedulers_.end(), [this](const auto& scheduler) {
    return scheduler->ready->announce_to(block_);
  });
}

tlm::tlm_sync_enum Issuer::Answers::nb_transport_bw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& /*delay*/) {
  if (phase != tlm::BEGIN_RESP) {
    SC_REPORT_ERROR(kIssueReportId, "expected BEGIN_RESP on the issue socket's backward path");
    return tlm::TLM_ACCEPTED;
  }
  owner_.completions_.push(instruction, owner_.clock_.time());
  owner_.block_.wake();
  return tlm::TLM_COMPLETED;
}

void Issuer::stores_done(unsigned warp) {
  acked_at_ = clock_.time();
  acked_ |= warp_bit(warp);
  block_.wake();
}

void Issuer::decoded(unsigned warp) {
  if ((table_.off_path >> warp & 1U) != 0) {
    table_.stale |= warp_bit(warp);
  } else {
    look_at_next(warp);
  }
  dirty_ = true;
  block_.wake();
}

LaneMask Issuer::next_lanes(unsigned w) const {
  const Warp& warp = warps_[w];
  return warp.block->next_path(warp.warp_in_tb.value());
}

std::uint64_t Issuer::next_pc(unsigned w) const { return address_of_next(warps_[w]); }

void Issuer::deliver_events() {
  const Cycle cycle = clock_.cycle();
  if (feed_.heard<event::Stall>()) {
    for (const auto& scheduler : schedulers_) scheduler->settle(cycle - 1);
  }
  dirty_ |= feed_.deliver(cycle);
}

void Issuer::absorb() {
  const Ticks now = clock_.now();
  InstructionQueue& completions = completions_.visible(now);
  while (!completions.empty()) complete(completions.pop());
  if (acked_ != 0 && acked_at_ < now) {
    WarpMask acked = 0;
    std::swap(acked, acked_);
    for (; acked != 0; acked &= acked - 1) check_waits(lowest_warp(acked));
  }
}

bool Issuer::must_run() const {
  if (dirty_ || clock_.cycle() >= next_update_) return true;
  if (!polling_) return false;
  return std::any_of(schedulers_.begin(), schedulers_.end(),
                     [](const auto& scheduler) { return scheduler->unit_opened(); });
}

bool Issuer::run() {
  if (!must_run()) return false;
  dirty_ = run_schedulers();
  if (barrier_events_ != 0) release_barriers();
  return true;
}

unsigned Issuer::first_to_run(Cycle cycle) const {
  return rotates_ ? remainder(residency_.cycles_with_tb(cycle), schedulers()) : 0;
}

bool Issuer::run_schedulers() {
  const Cycle cycle = clock_.cycle();
  const unsigned count = schedulers();
  unsigned index = first_to_run(cycle);
  bool changed = false;
  polling_ = false;
  next_update_ = feed_.update(cycle);
  for (unsigned step = 0; step < count; ++step) {
    WarpScheduler& scheduler = *running_order_[index];
    const WarpScheduler::Outcome outcome = scheduler.run(cycle);
    changed |= outcome.issued || outcome.flushed;
    polling_ |= scheduler.waits_for_unit();
    next_update_ = std::min(next_update_, outcome.next_update);
    if (++index == count) index = 0;
  }
  const bool runs_next = changed && next_update_ == cycle + 1;
  if (next_update_ != SchedulingPolicy::kNever && next_update_ != timer_ && !runs_next) {
    timer_ = next_update_;
    block_.wake_in(next_update_ - cycle);
  }
  return changed;
}

void Issuer::release_barriers() {
  for (; barrier_events_ != 0; barrier_events_ &= barrier_events_ - 1) {
    const unsigned tb_slot = lowest_warp(barrier_events_);
    BarrierSet& barriers = barriers_[tb_slot];
    WarpMask released = 0;
    for (unsigned barrier = barriers.take_met(released); barrier != BarrierSet::kNone;
         barrier = barriers.take_met(released)) {
      const Warp& one = warps_[lowest_warp(released)];
      one.block->barrier_released(barrier);
      table_.at_barrier &= ~released;
      ++statistics_.barriers;
      LaunchCounts* const counts = one.counts;
      if (counts != nullptr) ++counts->issue.barriers;
      if (feed_.heard<event::BarrierRelease>()) {
        feed_.tell<event::BarrierRelease>({tb_slot, barrier, released, clock_.cycle()});
      }
      for (; released != 0; released &= released - 1) {
        const Cycle waited = clock_.cycle() - warps_[lowest_warp(released)].issued_at;
        statistics_.barrier_wait_cycles += waited;
        if (counts != nullptr) counts->issue.barrier_wait_cycles += waited;
      }
    }
  }
}

void Issuer::start_tb(TbSlot slot, unsigned warps) { barriers_[slot.value()].reset(warps); }

void Issuer::start_warp(const PlacedWarp& placed) {
  const unsigned w = placed.slot.value();
  const TbTransaction& transaction = *placed.tb.transaction;
  const KernelLaunch& launch = *transaction.launch;
  const Program& program = launch.program();
  Warp& warp = warps_[w];
  warp = {};
  warp.code = program.code.data();
  warp.block = placed.tb.block.get();
  warp.launch = &launch;
  warp.code_base = launch.code_base();
  warp.next_index = warp.block->next_index(placed.warp_in_tb.value());
  warp.tb_slot = placed.tb.slot;
  warp.warp_in_tb = placed.warp_in_tb;
  warp.counts = transaction.counts;
  warp.issued_at = clock_.cycle();
  fetch_.start(w, address_of_next(warp), launch.code_base() + program.code.size() * Instruction::kBytes,
               warp.counts);
  if (feed_.heard<event::WarpStart>()) feed_.tell<event::WarpStart>(residency_.warp_event(w));
  schedulers_[scheduler_of_[w]]->warp_started(w);
  dirty_ = true;
}

WarpInstruction& Issuer::execute(unsigned w) {
  Warp& warp = warps_[w];
  WarpInstruction& issue = pool_.take();
  issue.instruction = &warp.code[warp.next_index];
  issue.launch = warp.launch;
  issue.counts = warp.counts;
  issue.index = warp.next_index;
  issue.pc = address_of_next(warp);
  issue.warp = static_cast<std::uint16_t>(w);
  issue.tb_slot = static_cast<std::uint16_t>(warp.tb_slot.value());
  issue.scheduler = scheduler_of_[w];
  issue.issued_at = clock_.cycle();
  issue.id = statistics_.warp_instructions;

  site_.warp_slot = w;
  site_.cycle = clock_.cycle();
  Step step;
  warp.block->step(warp.warp_in_tb.value(), site_, step, issue.addresses);
  if (finisher_ != nullptr && !site_.put_off->empty()) finisher_->wake_this_edge();
  issue.path = step.path;
  issue.direct = false;
  issue.active = step.active;
  issue.access = step.access;
  issue.space = step.space;

  scoreboard_.reserve(w, *issue.instruction, producer_of(issue));
  warp.issued_at = issue.issued_at;
  ++warp.in_flight;
  if (issue.instruction->mem != MemOp::kNone) ++warp.memory_in_flight;
  follow(w, step);
  if (issue.instruction->control == Control::kMembar &&
      (warp.memory_in_flight != 0 || stores_.outstanding_stores(w) != 0)) {
    table_.at_membar |= warp_bit(w);
  }
  last_progress_ = clock_.cycle();
  statistics_.count_issue(issue);
  if (warp.counts != nullptr) warp.counts->issue.count_issue(issue);
  issued.fire(issue);
  if (feed_.any()) tell_issue(issue, step);
  return issue;
}

void Issuer::tell_issue(const WarpInstruction& instruction, const Step& step) {
  const unsigned w = instruction.warp;
  const Cycle cycle = clock_.cycle();
  if (feed_.heard<event::Issue>()) feed_.tell<event::Issue>(issue_event(instruction, cycle));
  if (step.at_barrier) {
    feed_.tell<event::BarrierArrive>({instruction.tb_slot, step.barrier, warp_bit(w), cycle});
  }
  if (step.warp_finished) feed_.tell<event::WarpFinish>(residency_.warp_event(w));
}

void Issuer::follow(unsigned w, const Step& step) {
  Warp& warp = warps_[w];
  const WarpMask bit = warp_bit(w);
  fetch_.consume(w);
  if (step.warp_finished) {
    table_.finished |= bit;
    forget_next(w);
    fetch_.stop(w);
    barriers_[warp.tb_slot.value()].warp_exited();
    barrier_events_ |= std::uint64_t{1} << warp.tb_slot.value();
    return;
  }
  warp.next_index = step.next_index;
  if (step.redirected) {
    ++statistics_.redirects;
    if (warp.counts != nullptr) ++warp.counts->issue.redirects;
    forget_next(w);
    table_.off_path |= bit;
    if (fetch_.buffered(w) != 0) {
      table_.stale |= bit;
    } else if (fetch_.at_end(w)) {
      flush(w);
    }
  } else if (fetch_.buffered(w) != 0) {
    look_at_next(w);
  } else {
    forget_next(w);
  }
  if (step.at_barrier) {
    table_.at_barrier |= bit;
    barriers_[warp.tb_slot.value()].arrive(step.barrier, WarpSlot(w), step.barrier_warps);
    barrier_events_ |= std::uint64_t{1} << warp.tb_slot.value();
  }
}

void Issuer::flush(unsigned w) {
  const WarpMask others = ~warp_bit(w);
  table_.off_path &= others;
  table_.stale &= others;
  fetch_.redirect(w, address_of_next(warps_[w]));
}

void Issuer::look_at_next(unsigned w) {
  const WarpMask bit = warp_bit(w);
  const Instruction& next = warps_[w].code[warps_[w].next_index];
  table_.valid |= bit;
  table_.next[w] = &next;
  for (WarpMask& needing : table_.needs) needing &= ~bit;
  table_.needs[static_cast<unsigned>(next.unit)] |= bit;
  update_blocked(w);
}

void Issuer::forget_next(unsigned w) {
  table_.valid &= ~warp_bit(w);
  unblock(w);
}

void Issuer::update_blocked(unsigned w) {
  unblock(w);
  const Scoreboard::Check check = scoreboard_.check(w, *table_.next[w]);
  if (!check.blocked) return;
  const WarpMask bit = warp_bit(w);
  table_.blocked |= bit;
  switch (check.waits_for) {
    case Producer::kAlu:
      break;
    case Producer::kSfu:
      table_.blocked_sfu |= bit;
      break;
    case Producer::kShared:
      table_.blocked_shared |= bit;
      break;
    case Producer::kMemory:
      table_.blocked_memory |= bit;
      break;
  }
}

void Issuer::unblock(unsigned w) {
  if ((table_.blocked >> w & 1U) == 0) return;
  const WarpMask others = ~warp_bit(w);
  table_.blocked &= others;
  table_.blocked_memory &= others;
  table_.blocked_shared &= others;
  table_.blocked_sfu &= others;
}

void Issuer::complete(WarpInstruction& instruction) {
  const unsigned w = instruction.warp;
  Warp& warp = warps_[w];
  scoreboard_.release(w, *instruction.instruction);
  --warp.in_flight;
  if (instruction.instruction->mem != MemOp::kNone) --warp.memory_in_flight;
  if (feed_.heard<event::Result>()) {
    feed_.tell<event::Result>(
        {w, instruction.instruction, instruction.id, clock_.cycle(), instruction.direct});
  }
  pool_.give_back(instruction);
  if ((table_.blocked >> w & 1U) != 0) update_blocked(w);
  last_progress_ = clock_.cycle();
  dirty_ = true;
  check_waits(w);
}

void Issuer::end_waits(unsigned w) {
  const WarpMask bit = warp_bit(w);
  const Warp& warp = warps_[w];
  // Acknowledgements of this very edge count from the next one on.
  const bool stores_left =
      stores_.outstanding_stores(w) != 0 || ((acked_ & bit) != 0 && acked_at_ == clock_.now());
  if (stores_left) return;
  if ((table_.at_membar & bit) != 0 && warp.memory_in_flight == 0) {
    table_.at_membar &= ~bit;
    dirty_ = true;
  }
  if ((table_.finished & bit) != 0 && warp.in_flight == 0) retire(w);
}

void Issuer::retire(unsigned w) {
  table_.finished &= ~warp_bit(w);
  dirty_ = true;
  last_progress_ = clock_.cycle();
  residency_.retire(w);
}

void Issuer::settle(Cycle cycle) {
  for (const auto& scheduler : schedulers_) scheduler->settle(cycle);
}

}  // namespace heddle
