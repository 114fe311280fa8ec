#pragma once

#include <systemc>
#include <tlm>

#include "tlm/foreign_modules.h"
#include "tlm/memory_port.h"

namespace heddle {

/// Lets a target whose socket is `bits` wide stand behind one of ours (64). Sockets of other widths are other
/// types, though the width carries no time here: calls are passed on as they are, payloads are not cut.
template <unsigned bits>
class SocketWidth : public sc_core::sc_module,
                    private tlm::tlm_fw_transport_if<>,
                    private tlm::tlm_bw_transport_if<>,
                    private NativeInterface {
 public:
  explicit SocketWidth(const sc_core::sc_module_name& name) : sc_module(name), from("from"), to("to") {
    from.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    to.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  }
  MemoryTargetSocket from;
  NativeInitiatorSocket<bits> to;

 private:
  using Payload = tlm::tlm_generic_payload;

  const ClockDomain* clock() const override { return clock_behind(from); }
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return to->nb_transport_fw(payload, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return from->nb_transport_bw(payload, phase, delay);
  }
  void b_transport(Payload& payload, sc_core::sc_time& delay) override { to->b_transport(payload, delay); }
  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override {
    return to->get_direct_mem_ptr(payload, dmi);
  }
  unsigned transport_dbg(Payload& payload) override { return to->transport_dbg(payload); }
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
    from->invalidate_direct_mem_ptr(start, end);
  }
};

}  // namespace heddle
