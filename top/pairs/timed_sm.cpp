#include "top/pairs/timed_sm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/stop.h"
#include "modules/messages/tick_order.h"
#include "workloads/timed/timed_launch.h"

namespace heddle {

namespace {
constexpr const char* kReportId = "/heddle/timed_sm";
constexpr double kRoundingCycles = 1e-6;  ///< less is no time: sums of quotients
}  // namespace

TimedSm::TimedSm(const sc_core::sc_module_name& name, ClockDomain& domain, const CoreConfig& core,
                 double interference)
    : sc_module(name),
      Clocked(domain, tick_order::kIssue, this->name()),
      tb("tb"),
      core_(core),
      interference_(interference),
      tbs_(core),
      running_(core.tb_slots) {
  if (manages_warps(core)) {
    throw std::invalid_argument("core.resources.management: found '" + core.resources.management +
                                "', expected tb: thread blocks of fixed duration have no warps");
  }
  tb.bind(*this);
}

tlm::tlm_sync_enum TimedSm::nb_transport_fw(TbTransaction& transaction, tlm::tlm_phase& phase,
                                            sc_core::sc_time& /*delay*/) {
  const auto* launch = dynamic_cast<const TimedLaunch*>(transaction.launch);
  if (phase != tlm::BEGIN_REQ || launch == nullptr) {
    SC_REPORT_ERROR(kReportId, "expected BEGIN_REQ for a thread block of fixed duration");
    return tlm::TLM_ACCEPTED;
  }
  transaction.refused = tbs_.accept(transaction, domain().time(), domain().cycle_now()) == nullptr;
  if (transaction.refused) return tlm::TLM_COMPLETED;
  advance(domain().cycle_now());
  const double when_full = interference_ * launch->residency_slowdown();
  const double load = when_full / Occupancy::of(*launch, core_).tbs_per_sm;
  const auto duration = static_cast<double>(launch->duration_cycles(transaction.tb));
  running_[transaction.tb_slot.value()] = {true, duration / std::max(1.0, when_full), load};
  change_load();
  wake_for_next_end();
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

/// All go on, as slowly as they did.
void TimedSm::advance(Cycle now) {
  const auto cycles = static_cast<double>(now - advanced_to_);
  advanced_to_ = now;
  for (Running& running : running_) {
    if (running.active) running.left_cycles -= cycles / slowdown_;
  }
}

void TimedSm::change_load() {
  double load = 0;
  for (const Running& running : running_) load += running.active ? running.load : 0;
  slowdown_ = std::max(1.0, load);
}

void TimedSm::wake_for_next_end() {
  double first = std::numeric_limits<double>::max();
  for (const Running& running : running_) {
    if (running.active) first = std::min(first, running.left_cycles);
  }
  if (first == std::numeric_limits<double>::max()) return;
  wake_in(std::max<Cycle>(1, static_cast<Cycle>(std::ceil(first * slowdown_ - kRoundingCycles))));
}

bool TimedSm::tick() {
  throw_if_stopped();
  advance(domain().cycle());
  bool any = false;
  for (unsigned slot = 0; slot < running_.size(); ++slot) {
    Running& running = running_[slot];
    if (!running.active || running.left_cycles * slowdown_ > kRoundingCycles) continue;
    running.active = false;
    any = true;
    ResidentTb& ending = tbs_[TbSlot(slot)];
    TbTransaction& transaction = *ending.transaction;
    tbs_.start(ending);
    tbs_.release(ending, domain().time());
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    tb->nb_transport_bw(transaction, phase, delay);
  }
  if (any) change_load();
  wake_for_next_end();
  return false;
}

void TimedSm::b_transport(TbTransaction& /*transaction*/, sc_core::sc_time& /*delay*/) {
  SC_REPORT_ERROR(kReportId, "the thread-block protocol has no blocking transport");
}

bool TimedSm::get_direct_mem_ptr(TbTransaction& /*transaction*/, tlm::tlm_dmi& dmi) {
  dmi.init();
  return false;
}

unsigned TimedSm::transport_dbg(TbTransaction& /*transaction*/) { return 0; }

}  // namespace heddle
