#include "modules/sm/issue_stage.h"

#include <fmt/format.h>

#include <algorithm>

#include "modules/config/setting_error.h"
#include "modules/counts/launch_counts.h"
#include "modules/messages/tick_order.h"

namespace heddle {

namespace {

constexpr const char* kReportId = "/heddle/sm";

const GpuConfig& checked(const GpuConfig& config) {
  const CoreConfig& core = config.core;
  if (core.schedulers == 0 || core.schedulers > kMaxSchedulers) {
    throw SettingError("core.schedulers",
                       fmt::format("expected 1 to {}, found {}", kMaxSchedulers, core.schedulers));
  }
  if (core.warps == 0 || core.warps > kMaxWarps || core.tb_slots == 0 || core.tb_slots > kMaxWarps) {
    throw SettingError({"core.warps", "core.tb_slots"}, fmt::format("expected 1 to {}, found {} and {}",
                                                                    kMaxWarps, core.warps, core.tb_slots));
  }
  return config;
}

/// value mod divisor; a division costs as much as the rest of a scheduler's turn.
unsigned remainder(std::uint64_t value, unsigned divisor) {
  return static_cast<unsigned>((divisor & (divisor - 1)) == 0 ? value & (divisor - 1) : value % divisor);
}

hw::Owner policy_hardware(hw::Inventory& inventory, const GpuConfig& config, unsigned sm) {
  hw::Owner owner;
  owner.inventory = &inventory;
  owner.path = fmt::format("sm{}", sm);
  owner.timing = config.scheduler.timing;
  owner.clock_fo4 = config.scheduler.clock_fo4;
  return owner;
}

}  // namespace

hw::Owner IssueStage::hardware() { return policy_hardware(inventory_, config_, site_.sm); }

IssueStage::IssueStage(const sc_core::sc_module_name& name, ClockDomain& domain, const GpuConfig& config,
                       unsigned sm, FetchUnit& fetch, const StoreCounts& stores, PolicyBoard* board)
    : sc_module(name),
      Clocked(domain, tick_order::kIssue, this->name(), &tick_of<IssueStage>),
      fetch_(fetch),
      answers_(*this),
      warps_(config.core.warps),
      scoreboard_(config.core.warps),
      tbs_(checked(config).core, policy_hardware(inventory_, config, sm)),
      tb("tb"),
      config_(config),
      stores_(stores),
      feed_({table_, config, sm, this, board, policy_hardware(inventory_, config, sm)}, *this) {
  table_.slots = config.core.warps;
  tb.bind(*this);
  fetch_.set_listener(*this);
  site_.sm = sm;
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
  rotates_ = config.core.rotate_schedulers;
}

tlm::tlm_sync_enum IssueStage::nb_transport_fw(TbTransaction& transaction, tlm::tlm_phase& phase,
                                               sc_core::sc_time& /*delay*/) {
  if (phase != tlm::BEGIN_REQ) {
    SC_REPORT_ERROR(kReportId, "expected BEGIN_REQ on the thread-block socket");
    return tlm::TLM_ACCEPTED;
  }
  const Ticks now = domain().time();
  account_residency(domain().cycle_now());
  transaction.refused = tbs_.accept(transaction, now, domain().cycle_now()) == nullptr;
  if (transaction.refused) return tlm::TLM_COMPLETED;
  tbs_changing_ = true;
  wake();
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void IssueStage::b_transport(TbTransaction& /*transaction*/, sc_core::sc_time& /*delay*/) {
  SC_REPORT_ERROR(kReportId, "the thread-block protocol has no blocking transport");
}

bool IssueStage::get_direct_mem_ptr(TbTransaction& /*transaction*/, tlm::tlm_dmi& dmi) {
  dmi.init();
  return false;
}

unsigned IssueStage::transport_dbg(TbTransaction& /*transaction*/) { return 0; }

void IssueStage::notify(TbTransaction& transaction, tlm::tlm_phase phase) {
  sc_core::sc_time delay;
  tb->nb_transport_bw(transaction, phase, delay);
}

tlm::tlm_sync_enum IssueStage::Answers::nb_transport_bw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                                        sc_core::sc_time& /*delay*/) {
  if (phase != tlm::BEGIN_RESP) {
    SC_REPORT_ERROR(kReportId, "expected BEGIN_RESP on the issue socket's backward path");
    return tlm::TLM_ACCEPTED;
  }
  owner_.completions_.push(instruction, owner_.domain().time());
  owner_.wake();
  return tlm::TLM_COMPLETED;
}

void IssueStage::stores_done(unsigned warp) {
  acked_at_ = domain().time();
  acked_ |= warp_bit(warp);
  wake();
}

void IssueStage::decoded(unsigned warp) {
  if ((table_.off_path >> warp & 1U) != 0) {
    table_.stale |= warp_bit(warp);
  } else {
    look_at_next(warp);
  }
  dirty_ = true;
  wake();
}

LaneMask IssueStage::next_lanes(unsigned w) const {
  const Warp& warp = warps_[w];
  return tbs_.slot(warp.tb_slot).block->next_path(warp.warp_in_tb);
}

std::uint64_t IssueStage::next_pc(unsigned w) const { return address_of_next(warps_[w]); }

void IssueStage::end_of_elaboration() {
  slots_announced_ = std::all_of(schedulers_.begin(), schedulers_.end(), [this](const auto& scheduler) {
    return scheduler->ready->announce_to(*this);
  });
}

bool IssueStage::tick() {
  if (feed_.any()) hear_events();
  const bool taking_back = tbs_changing_ && tbs_.pending();
  absorb();
  const bool running = must_run();
  if (running) {
    dirty_ = run_schedulers();
    release_barriers();
  }
  if (wave_ && (running || taking_back)) update_wave();
  return dirty_ || (polling_ && !slots_announced_);
}

bool IssueStage::must_run() const {
  if (dirty_ || domain().cycle() >= next_update_) return true;
  if (!polling_) return false;
  return std::any_of(schedulers_.begin(), schedulers_.end(),
                     [](const auto& scheduler) { return scheduler->unit_opened(); });
}

void IssueStage::hear_events() {
  const Cycle cycle = domain().cycle();
  if (feed_.heard<event::Stall>()) {
    for (const auto& scheduler : schedulers_) scheduler->settle(cycle - 1);
  }
  dirty_ |= feed_.deliver(cycle);
}

void IssueStage::absorb() {
  const Ticks now = domain().now();
  InstructionQueue& completions = completions_.visible(now);
  while (!completions.empty()) complete(completions.pop());
  if (acked_ != 0 && acked_at_ < now) {
    WarpMask acked = 0;
    std::swap(acked, acked_);
    for (; acked != 0; acked &= acked - 1) check_waits(lowest_warp(acked));
  }
  if (tbs_changing_) change_tbs(now);
}

void IssueStage::change_tbs(Ticks now) {
  if (tbs_.waiting() != 0) {
    for (unsigned s = 0; s < tbs_.size(); ++s) {
      TbSlot& slot = tbs_.slot(s);
      if (slot.transaction != nullptr && !slot.started && slot.accepted_at < now) start_tb(slot);
    }
  }
  // Behind the start of the partial TB, which may be one of these.
  if (tbs_.pending()) account_residency(domain().cycle());  // with what was allocated until now
  for (unsigned left = tbs_.advance(now); left != 0; --left) start_unissued();
  tbs_changing_ = tbs_.waiting() != 0 || tbs_.pending();
}

bool IssueStage::run_schedulers() {
  const Cycle cycle = domain().cycle();
  const unsigned count = schedulers();
  // The order turns with the cycles in which the SM has a TB, as the reference's does.
  unsigned index = 0;
  if (rotates_) index = remainder(std::max(cycle, accounted_until_) - inactive_cycles_, count);
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
  if (next_update_ != SchedulingPolicy::kNever) wake_in(next_update_ - cycle);
  return changed;
}

void IssueStage::release_barriers() {
  for (; barrier_events_ != 0; barrier_events_ &= barrier_events_ - 1) {
    TbSlot& slot = tbs_.slot(lowest_warp(barrier_events_));
    WarpMask released = 0;
    for (unsigned barrier = slot.barriers.take_met(released); barrier != BarrierSet::kNone;
         barrier = slot.barriers.take_met(released)) {
      slot.block->barrier_released(barrier);
      table_.at_barrier &= ~released;
      ++statistics_.barriers;
      LaunchCounts* const counts = slot.transaction->counts;
      if (counts != nullptr) ++counts->issue.barriers;
      if (feed_.heard<event::BarrierRelease>()) tell_released(slot, barrier, released);
      for (; released != 0; released &= released - 1) {
        const Cycle waited = domain().cycle() - warps_[lowest_warp(released)].barrier_since;
        statistics_.barrier_wait_cycles += waited;
        if (counts != nullptr) counts->issue.barrier_wait_cycles += waited;
      }
    }
  }
}

void IssueStage::tell_released(const TbSlot& slot, unsigned barrier, WarpMask warps) {
  feed_.tell<event::BarrierRelease>({tbs_.index_of(slot), barrier, warps, domain().cycle()});
}

}  // namespace heddle
