// The life of warps and thread blocks in the issue stage.
#include <algorithm>

#include "modules/counts/launch_counts.h"
#include "modules/sm/issue_stage.h"

namespace heddle {

namespace {

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

void IssueStage::start_tb(TbSlot& slot) {
  tbs_.start(slot);
  const Cycle cycle = domain().cycle();
  account_residency(cycle);
  tb_started.fire(*slot.transaction, cycle);
  if (feed_.heard<event::TbStart>()) feed_.tell<event::TbStart>(tb_event(slot));
  unsigned warp_in_tb = 0;
  for (WarpMask left = slot.warps; left != 0; left &= left - 1) {
    start_warp(slot, lowest_warp(left), warp_in_tb++);
  }
}

void IssueStage::start_unissued() {
  const PlacedWarp placed = tbs_.place_next(domain().cycle());
  start_warp(placed.tb, placed.slot, placed.warp_in_tb);
}

void IssueStage::start_warp(TbSlot& slot, unsigned w, unsigned warp_in_tb) {
  const KernelLaunch& launch = *slot.transaction->launch;
  const Program& program = launch.program();
  Warp& warp = warps_[w];
  warp = {};
  warp.code = program.code.data();
  warp.block = slot.block.get();
  warp.launch = slot.transaction->launch;
  warp.code_base = launch.code_base();
  warp.next_index = slot.block->next_index(warp_in_tb);
  warp.tb_slot = static_cast<std::uint16_t>(tbs_.index_of(slot));
  warp.warp_in_tb = static_cast<std::uint16_t>(warp_in_tb);
  warp.started_at = domain().cycle();
  warp.counts = slot.transaction->counts;
  warp.counted_until = warp.started_at;
  table_.counts[w] = warp.counts;
  table_.counted = table_.counted || warp.counts != nullptr;
  table_.resident |= warp_bit(w);
  table_.age[w] = next_age_++;
  table_.tb_slot[w] = warp.tb_slot;
  fetch_.start(w, address_of_next(warp), launch.code_base() + program.code.size() * Instruction::kBytes,
               warp.counts);
  if (feed_.heard<event::WarpStart>()) {
    feed_.tell<event::WarpStart>(warp_event(w));
  }
  schedulers_[scheduler_of_[w]]->warp_started(w);
  warp_started.fire(w, *slot.transaction, domain().cycle());
  dirty_ = true;
}

WarpInstruction& IssueStage::execute(unsigned w) {
  Warp& warp = warps_[w];
  WarpInstruction& issue = pool_.take();
  issue.instruction = &warp.code[warp.next_index];
  issue.launch = warp.launch;
  issue.counts = warp.counts;
  issue.index = warp.next_index;
  issue.pc = address_of_next(warp);
  issue.warp = static_cast<std::uint16_t>(w);
  issue.tb_slot = warp.tb_slot;
  issue.scheduler = scheduler_of_[w];
  issue.issued_at = domain().cycle();
  issue.id = statistics_.warp_instructions;

  site_.warp_slot = w;
  site_.cycle = domain().cycle();
  Step step;
  warp.block->step(warp.warp_in_tb, site_, step, issue.addresses);
  if (finisher_ != nullptr && !site_.put_off->empty()) finisher_->wake_this_edge();
  issue.path = step.path;
  issue.direct = false;
  issue.active = step.active;
  issue.access = step.access;
  issue.space = step.space;

  scoreboard_.reserve(w, *issue.instruction, producer_of(issue));
  ++warp.in_flight;
  if (issue.instruction->mem != MemOp::kNone) ++warp.memory_in_flight;
  follow(w, step);
  if (issue.instruction->control == Control::kMembar &&
      (warp.memory_in_flight != 0 || stores_.outstanding_stores(w) != 0)) {
    table_.at_membar |= warp_bit(w);
  }
  last_progress_ = domain().cycle();
  statistics_.count_issue(issue);
  if (warp.counts != nullptr) warp.counts->issue.count_issue(issue);
  issued.fire(issue);
  if (feed_.any()) tell_issue(issue, step);
  return issue;
}

void IssueStage::tell_issue(const WarpInstruction& instruction, const Step& step) {
  const unsigned w = instruction.warp;
  const Cycle cycle = domain().cycle();
  if (feed_.heard<event::Issue>()) {
    feed_.tell<event::Issue>(issue_event(instruction, cycle));
  }
  if (step.at_barrier) {
    feed_.tell<event::BarrierArrive>({instruction.tb_slot, step.barrier, warp_bit(w), cycle});
  }
  if (step.warp_finished) feed_.tell<event::WarpFinish>(warp_event(w));
}

TbEvent IssueStage::tb_event(const TbSlot& slot) const {
  const TbTransaction& transaction = *slot.transaction;
  return {tbs_.index_of(slot), transaction.tb,   transaction.launch_id,
          slot.warps,          domain().cycle(), slot.num_warps};
}

WarpEvent IssueStage::warp_event(unsigned w) const {
  const Warp& warp = warps_[w];
  const TbTransaction& transaction = *tbs_.slot(warp.tb_slot).transaction;
  return {w, warp.tb_slot, transaction.tb, warp.warp_in_tb, domain().cycle(), transaction.launch_id};
}

void IssueStage::follow(unsigned w, const Step& step) {
  Warp& warp = warps_[w];
  const WarpMask bit = warp_bit(w);
  fetch_.consume(w);
  if (step.warp_finished) {
    table_.finished |= bit;
    forget_next(w);
    fetch_.stop(w);
    tbs_.slot(warp.tb_slot).barriers.warp_exited();
    barrier_events_ |= std::uint64_t{1} << warp.tb_slot;
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
    warp.barrier_since = domain().cycle();
    tbs_.slot(warp.tb_slot).barriers.arrive(step.barrier, w, step.barrier_warps);
    barrier_events_ |= std::uint64_t{1} << warp.tb_slot;
  }
}

void IssueStage::flush(unsigned w) {
  const WarpMask others = ~warp_bit(w);
  table_.off_path &= others;
  table_.stale &= others;
  fetch_.redirect(w, address_of_next(warps_[w]));
}

void IssueStage::look_at_next(unsigned w) {
  const WarpMask bit = warp_bit(w);
  const Instruction& next = warps_[w].code[warps_[w].next_index];
  table_.valid |= bit;
  table_.next[w] = &next;
  for (WarpMask& needing : table_.needs) needing &= ~bit;
  table_.needs[static_cast<unsigned>(next.unit)] |= bit;
  update_blocked(w);
}

void IssueStage::forget_next(unsigned w) {
  table_.valid &= ~warp_bit(w);
  unblock(w);
}

void IssueStage::update_blocked(unsigned w) {
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

void IssueStage::unblock(unsigned w) {
  if ((table_.blocked >> w & 1U) == 0) return;
  const WarpMask others = ~warp_bit(w);
  table_.blocked &= others;
  table_.blocked_memory &= others;
  table_.blocked_shared &= others;
  table_.blocked_sfu &= others;
}

void IssueStage::complete(WarpInstruction& instruction) {
  const unsigned w = instruction.warp;
  Warp& warp = warps_[w];
  scoreboard_.release(w, *instruction.instruction);
  --warp.in_flight;
  if (instruction.instruction->mem != MemOp::kNone) --warp.memory_in_flight;
  if (feed_.heard<event::Result>()) {
    feed_.tell<event::Result>(
        {w, instruction.instruction, instruction.id, domain().cycle(), instruction.direct});
  }
  pool_.give_back(instruction);
  if ((table_.blocked >> w & 1U) != 0) update_blocked(w);
  last_progress_ = domain().cycle();
  dirty_ = true;
  check_waits(w);
}

void IssueStage::end_waits(unsigned w) {
  const WarpMask bit = warp_bit(w);
  const Warp& warp = warps_[w];
  // Acknowledgements of this very edge count from the next one on.
  const bool stores_left =
      stores_.outstanding_stores(w) != 0 || ((acked_ & bit) != 0 && acked_at_ == domain().now());
  if (stores_left) return;
  if ((table_.at_membar & bit) != 0 && warp.memory_in_flight == 0) {
    table_.at_membar &= ~bit;
    dirty_ = true;
  }
  if ((table_.finished & bit) != 0 && warp.in_flight == 0) retire(w);
}

void IssueStage::retire(unsigned w) {
  const Cycle cycle = domain().cycle();
  account_residency(cycle);
  TbSlot& slot = tbs_.slot(warps_[w].tb_slot);
  table_.resident &= ~warp_bit(w);
  table_.finished &= ~warp_bit(w);
  dirty_ = true;
  ++statistics_.warps;
  if (warps_[w].counts != nullptr) {
    count_residence(warps_[w], cycle);
    ++warps_[w].counts->issue.warps;
  }
  last_progress_ = cycle;
  warp_retired.fire(w, *slot.transaction, cycle);
  if (feed_.heard<event::WarpRetire>()) {
    feed_.tell<event::WarpRetire>(warp_event(w));
  }
  slot.transaction->warp = warps_[w].warp_in_tb;
  const Cycle lifetime = cycle - warps_[w].started_at;
  slot.lifetimes_cycles += lifetime;
  slot.longest_cycles = std::max(slot.longest_cycles, lifetime);
  tbs_.end_warp(slot, w, domain().time());
  tbs_changing_ = true;
  notify(*slot.transaction, WARP_DONE);
  if (tbs_.pending()) wake();
  if (slot.unretired == 0) end_tb(slot);
}

void IssueStage::end_tb(TbSlot& slot) {
  const Cycle cycle = domain().cycle();
  TbTransaction& transaction = *slot.transaction;
  if (feed_.heard<event::TbEnd>()) feed_.tell<event::TbEnd>(tb_event(slot));
  tbs_.release(slot, domain().time());
  tbs_changing_ = true;
  ++statistics_.tbs;
  const std::uint64_t tb_cycles = slot.num_warps * slot.longest_cycles;
  statistics_.tb_warp_cycles += tb_cycles;
  statistics_.unused_warp_cycles += tb_cycles - slot.lifetimes_cycles;
  if (transaction.counts != nullptr) {
    ++transaction.counts->issue.tbs;
    transaction.counts->issue.tb_warp_cycles += tb_cycles;
    transaction.counts->issue.unused_warp_cycles += tb_cycles - slot.lifetimes_cycles;
  }
  tb_finished.fire(transaction, cycle);
  if (tbs_.resident() == 0) emptied.fire(cycle);
  notify(transaction, tlm::BEGIN_RESP);
  wake();  // to take back what it had
}

void IssueStage::count_residence(Warp& warp, Cycle until) {
  if (until > warp.counted_until) warp.counts->issue.warp_cycles += until - warp.counted_until;
  warp.counted_until = until;
}

void IssueStage::account_residency(Cycle until) {
  if (until <= accounted_until_) return;
  const Cycle cycles = until - accounted_until_;
  if (table_.resident != 0) {
    statistics_.active_cycles += cycles;
    statistics_.warp_cycles += cycles * static_cast<unsigned>(__builtin_popcountll(table_.resident));
    const CoreConfig& core = config_.core;
    const SmResources& free = tbs_.free();
    statistics_.register_cycles += cycles * (core.registers - free.registers());
    statistics_.warp_slot_cycles += cycles * (core.warps - free.warps());
    statistics_.shared_byte_cycles += cycles * (core.shared_bytes - free.shared_bytes());
  } else {
    inactive_cycles_ += cycles;
  }
  accounted_until_ = until;
}

}  // namespace heddle
