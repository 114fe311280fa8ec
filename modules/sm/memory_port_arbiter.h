#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "base/observe.h"
#include "tlm/clocked.h"
#include "tlm/memory_port.h"

namespace heddle {

/// The way from an SM's caches to the interconnect: one request per cycle, round robin among the clients, and
/// one response per cycle back to the client that MemoryRequest::requester names. A request sent to it at t
/// leaves at t + 1 at the earliest; so does a response.
class MemoryPortArbiter : public sc_core::sc_module, public Clocked {
 public:
  MemoryPortArbiter(const sc_core::sc_module_name& name, ClockDomain& domain);

  TargetPort l1d;  ///< from the L1D's MSHR
  TargetPort l1i;
  TargetPort constant;
  InitiatorPort network;

  bool tick() override;
  void report(StatSink& sink) const;
  void trace(WaveSink& sink);

  /// Nothing is queued here.
  bool idle() const;

 private:
  static constexpr unsigned kClients = 3;
  struct Wave {
    std::uint64_t queued = 0;
    std::uint64_t granted = 0;
    std::uint64_t waits = 0;
  };

  bool forward_request();
  void return_response();
  static unsigned client_of(tlm::tlm_generic_payload& response);
  [[gnu::cold]] void update_wave(bool granted);

  std::array<TargetPort*, kClients> clients_;
  unsigned start_ = 0;    ///< client after the one served last
  unsigned granted_ = 0;  ///< client served last
  std::array<std::uint64_t, kClients> requests_{};
  std::uint64_t responses_ = 0;
  std::uint64_t response_waits_ = 0;
  std::unique_ptr<Wave> wave_;
};

}  // namespace heddle
