#include "modules/sm/issue_stage.h"

#include <fmt/format.h>

#include "hw/pricing/bits.h"
#include "modules/config/setting_error.h"
#include "modules/messages/tick_order.h"
#include "modules/tb_dispatcher/resources/resource_manager.h"

namespace heddle {

namespace {

constexpr const char* kSmReportId = "/heddle/sm";

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

hw::Owner policy_hardware(hw::Inventory& inventory, const GpuConfig& config, SmId sm) {
  hw::Owner owner;
  owner.inventory = &inventory;
  owner.path = fmt::format("sm{}", sm.value());
  owner.timing = config.scheduler.timing;
  owner.clock_fo4 = config.scheduler.clock_fo4;
  return owner;
}

}  // namespace

IssueStage::IssueStage(const sc_core::sc_module_name& name, ClockDomain& domain, const GpuConfig& config,
                       SmId sm, FetchUnit& fetch, const StoreCounts& stores, PolicyBoard* board)
    : sc_module(name),
      Clocked(domain, tick_order::kIssue, this->name(), &tick_of<IssueStage>),
      table_{checked(config).core.warps},
      residency(config.core, policy_hardware(inventory_, config, sm),
                {domain, table_, statistics_, feed, issuer, *this}),
      feed({table_, config, sm.value(), &issuer, board, policy_hardware(inventory_, config, sm)}, *this),
      issuer(config, sm, {*this, fetch, stores, table_, statistics_, residency, feed}),
      tb("tb"),
      config_(config),
      sm_(sm) {
  tb.bind(*this);
}

hw::Owner IssueStage::hardware() { return policy_hardware(inventory_, config_, sm_); }

tlm::tlm_sync_enum IssueStage::nb_transport_fw(TbTransaction& transaction, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) {
    SC_REPORT_ERROR(
        kSmReportId,
        fmt::format("{} received the phase {}; expected BEGIN_REQ", tb.name(), phase.get_name()).c_str());
    return tlm::TLM_ACCEPTED;
  }
  if (!complete(transaction)) return tlm::TLM_ACCEPTED;
  transaction.refused = !residency.accept(transaction, delay.value());
  if (transaction.refused) return tlm::TLM_COMPLETED;
  wake_after(domain().time() + delay.value());
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

/// An error when not: a dispatcher of another maker may have left something out.
bool IssueStage::complete(const TbTransaction& transaction) const {
  std::string wrong;
  if (transaction.launch == nullptr) {
    wrong = "without a launch";
  } else if (transaction.tb >= transaction.launch->grid().count()) {
    wrong =
        fmt::format("with the index {} in a grid of {}", transaction.tb, transaction.launch->grid().count());
  } else if (const unsigned warps = transaction.launch->warps_per_tb();
             transaction.start_warps > warps ||
             (transaction.start_warps != 0 && transaction.start_warps < warps &&
              !manages_warps(config_.core))) {
    wrong = fmt::format("with start_warps {} of {} warps under core.resources.management {}",
                        transaction.start_warps, warps, config_.core.resources.management);
  }
  if (wrong.empty()) return true;
  SC_REPORT_ERROR(kSmReportId, fmt::format("{} received a thread block {}", tb.name(), wrong).c_str());
  return false;
}

void IssueStage::b_transport(TbTransaction& /*transaction*/, sc_core::sc_time& /*delay*/) {
  SC_REPORT_ERROR(kSmReportId,
                  fmt::format("{}: the thread-block protocol has no blocking transport", tb.name()).c_str());
}

bool IssueStage::get_direct_mem_ptr(TbTransaction& /*transaction*/, tlm::tlm_dmi& dmi) {
  dmi.init();
  return false;
}

unsigned IssueStage::transport_dbg(TbTransaction& /*transaction*/) { return 0; }

void IssueStage::notify(TbTransaction& transaction, tlm::tlm_phase phase) {
  sc_core::sc_time delay;
  tb->nb_transport_bw(transaction, phase, delay);
  if (residency.taking_back()) wake();
}

bool IssueStage::tick() {
  if (feed.any()) issuer.deliver_events();
  issuer.absorb();
  if (residency.changing()) residency.advance();
  if (waves_) return run_with_waves();
  issuer.run();
  return issuer.needs_next_edge();
}

/// Shows the SM as its schedulers find it, and then runs them.
bool IssueStage::run_with_waves() {
  waves_->warps.show(table_, issuer);
  residency.update_wave();
  const unsigned first = issuer.first_to_run(domain().cycle());
  if (issuer.run()) waves_->first_scheduler = first;
  show_policies(domain().cycle());
  return waves_->events.end_tick() || issuer.needs_next_edge();
}

/// Wakes the SM for what the waves show next, which does not make the schedulers run: they count their uses.
void IssueStage::show_policies(Cycle cycle) {
  issuer.settle(cycle);
  const Cycle next = feed.show(cycle);
  if (next != SharedPolicy::kNever) wake_in(next - cycle);
}

void IssueStage::settle() {
  const Cycle cycle = domain().cycle_now();
  issuer.settle(cycle);
  feed.settle(cycle);
  if (shows_state_) feed.show(cycle);
  residency.settle(cycle + 1);
}

void IssueStage::report(StatSink& sink) const {
  statistics_.report(sink);
  issuer.report(sink);
  feed.policies().report(sink);
}

void IssueStage::trace(WaveSink& sink) {
  if (sink.wanted()) trace_sm(sink);
  residency.trace_buffer(sink);
  issuer.trace_schedulers(sink);
  feed.policies().trace(sink);
}

void IssueStage::trace_state(WaveSink& sink) {
  shows_state_ = true;
  issuer.trace_state_of_schedulers(sink);
  feed.policies().trace_state(sink);
}

void IssueStage::trace_sm(WaveSink& sink) {
  const EventSet told = feed.heard();
  waves_ = std::make_unique<Waves>(domain(), config_);
  feed.watch(waves_->events, EventWaves::kOwnKinds);
  sink.signal(waves_->first_scheduler, hw::index_bits(kMaxSchedulers), "first_scheduler");
  waves_->warps.trace(sink, table_);
  residency.trace(sink);
  waves_->events.trace_events(sink, told);
}

std::string IssueStage::describe_waiting() const {
  std::string text;
  for (WarpMask left = table_.resident; left != 0; left &= left - 1)
    text += issuer.describe(lowest_warp(left)) + "\n";
  return text + residency.describe_waiting();
}

}  // namespace heddle
