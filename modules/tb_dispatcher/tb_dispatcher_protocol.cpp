// What the dispatcher and its SMs say to each other.
#include <fmt/format.h>

#include <algorithm>

#include "modules/tb_dispatcher/tb_dispatcher.h"

namespace heddle {

namespace {

[[gnu::cold, gnu::noinline]] void report_wrong(const std::string& what) {
  SC_REPORT_ERROR("/heddle/tb_dispatcher", what.c_str());
}

}  // namespace

bool TbDispatcher::hand_over(Running& running) {
  TbInitiatorSocket& socket = sm[running.sm.value()];
  running.refused = false;
  running.taken = false;
  running.warps_ended = 0;
  running.ends = 0;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  const tlm::tlm_sync_enum status = socket->nb_transport_fw(running, phase, delay);
  if (running.refused) {
    report_wrong(
        fmt::format("{}: the SM refused thread block {} of kernel '{}', for which it should have the "
                    "resources",
                    socket.name(), running.tb, running.launch->program().name));
    return false;
  }
  if (status != tlm::TLM_UPDATED || phase != tlm::END_REQ) {
    report_wrong(
        fmt::format("{}: the SM answered thread block {} by {}, phase {}; expected TLM_UPDATED with "
                    "END_REQ, or TLM_COMPLETED with TbTransaction::refused",
                    socket.name(), running.tb,
                    status == tlm::TLM_ACCEPTED    ? "TLM_ACCEPTED"
                    : status == tlm::TLM_COMPLETED ? "TLM_COMPLETED"
                                                   : "TLM_UPDATED",
                    phase.get_name()));
    return false;
  }
  if (running.tb_slot.value() >= config_.tb_slots) {
    report_wrong(
        fmt::format("{}: the SM gave thread block {} the slot {}; expected less than core.tb_slots ({})",
                    socket.name(), running.tb, running.tb_slot.value(), config_.tb_slots));
    return false;
  }
  running.taken = true;
  return true;
}

bool TbDispatcher::may_end(const TbTransaction& transaction, const tlm::tlm_phase& phase) const {
  const auto own = std::find_if(transactions_.begin(), transactions_.end(),
                                [&](const auto& running) { return running.get() == &transaction; });
  if (own == transactions_.end()) {
    report_wrong(
        fmt::format("{}: an SM sent {} with a transaction of its own; expected the one that it was given",
                    name(), phase.get_name()));
    return false;
  }
  const Running& running = **own;
  const char* const socket = sm[running.sm.value()].name();
  if (!running.taken) {
    report_wrong(
        fmt::format("{} received {} for thread block {}; expected it while the SM has that one, after the "
                    "return of its BEGIN_REQ and before its BEGIN_RESP",
                    socket, phase.get_name(), running.tb));
    return false;
  }
  const unsigned warps = running.record->occupancy.demand.warps;
  if (phase == WARP_DONE ? running.warps_ended == warps
                         : running.warps_ended != warps && sms_[running.sm.value()].account.early_release()) {
    report_wrong(
        fmt::format("{} received {} for thread block {} after WARP_DONE of {} of its warps; expected one "
                    "WARP_DONE for each of its {}, then BEGIN_RESP",
                    socket, phase.get_name(), running.tb, running.warps_ended, warps));
    return false;
  }
  return true;
}

tlm::tlm_sync_enum TbDispatcher::nb_transport_bw(TbTransaction& transaction, tlm::tlm_phase& phase,
                                                 sc_core::sc_time& delay) {
  if (phase != WARP_DONE && phase != tlm::BEGIN_RESP) {
    report_wrong(
        fmt::format("{}: an SM sent {}; expected WARP_DONE or BEGIN_RESP", name(), phase.get_name()));
    return tlm::TLM_ACCEPTED;
  }
  if (!may_end(transaction, phase)) return tlm::TLM_ACCEPTED;
  auto& running = static_cast<Running&>(transaction);
  Sm& target = sms_[running.sm.value()];
  // A TB ends with its last warp at the earliest.
  const Ticks ends = running.ends = std::max<Ticks>(running.ends, domain().time() + delay.value());
  if (phase == WARP_DONE) {
    ++running.warps_ended;
    if (!target.account.early_release()) return tlm::TLM_ACCEPTED;
    target.account.warp_ended(*running.share, ends);
    wake_after(ends);
    return tlm::TLM_ACCEPTED;
  }
  running.taken = false;
  target.account.tb_ended(*running.share, ends);
  const auto behind = std::upper_bound(target.ended.begin(), target.ended.end(), ends,
                                       [](Ticks time, const auto& ended) { return time < ended.second; });
  target.ended.insert(behind, {&running, ends});
  wake_after(ends);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

void TbDispatcher::invalidate_direct_mem_ptr(sc_dt::uint64 /*start*/, sc_dt::uint64 /*end*/) {}

}  // namespace heddle
