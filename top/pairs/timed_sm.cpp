#include "top/pairs/timed_sm.h"

#include <stdexcept>

#include "modules/messages/tick_order.h"
#include "workloads/timed/timed_launch.h"

namespace heddle {

namespace {
constexpr const char* kReportId = "/heddle/timed_sm";
}

TimedSm::TimedSm(const sc_core::sc_module_name& name, ClockDomain& domain, const CoreConfig& core)
    : sc_module(name), Clocked(domain, tick_order::kIssue, this->name()), tb("tb"), tbs_(core) {
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
  const std::uint64_t duration = launch->duration_cycles(transaction.tb);
  endings_.emplace(domain().cycle_now() + duration, transaction.tb_slot);
  wake_in(duration);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

bool TimedSm::tick() {
  while (!endings_.empty() && endings_.top().first <= domain().cycle()) {
    ResidentTb& ending = tbs_[endings_.top().second];
    endings_.pop();
    TbTransaction& transaction = *ending.transaction;
    tbs_.start(ending);
    tbs_.release(ending, domain().time());
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    tb->nb_transport_bw(transaction, phase, delay);
  }
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
