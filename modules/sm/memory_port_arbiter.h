#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "base/observe.h"
#include "modules/messages/foreign_requests.h"
#include "tlm/clocked.h"
#include "tlm/memory_port.h"

namespace heddle {

/// The way from an SM's caches to the interconnect: one request per cycle, round robin among the clients, and
/// one response per cycle back to the client that MemoryRequest::requester names. A request sent to it at t
/// leaves at t + 1 at the earliest; so does a response. A client may be a standard initiator, whose accesses
/// lie within a line.
class MemoryPortArbiter : public sc_core::sc_module, public Clocked, private TargetPort::Backdoor {
 public:
  MemoryPortArbiter(const sc_core::sc_module_name& name, ClockDomain& domain);

  TargetPort l1d;  ///< from the L1D's MSHR
  TargetPort l1i;
  TargetPort constant;
  TargetPort texture;
  InitiatorPort network;

  bool tick() override;
  void report(StatSink& sink) const;
  using sc_module::trace;
  void trace(WaveSink& sink);

  /// Nothing is queued here.
  bool idle() const;

 private:
  static constexpr unsigned kClients = 4;
  struct Wave {
    std::uint64_t queued = 0;
    std::uint64_t granted = 0;
    std::uint64_t waits = 0;
  };

  bool forward_request();
  /// What the foreign request of a client has to be sent as; nullptr when it is refused, or will be as soon
  /// as the client takes the response.
  tlm::tlm_generic_payload* carry(unsigned client);
  void return_response();
  static unsigned client_of(const MemoryRequest* response);
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  [[gnu::cold]] void update_wave(bool granted, bool kept_waiting);

  std::array<TargetPort*, kClients> clients_;
  ForeignRequests foreign_;
  unsigned start_ = 0;    ///< client after the one served last
  unsigned granted_ = 0;  ///< client served last
  std::array<std::uint64_t, kClients> requests_{};
  std::uint64_t responses_ = 0;
  std::uint64_t response_waits_ = 0;
  std::unique_ptr<Wave> wave_;
};

}  // namespace heddle
