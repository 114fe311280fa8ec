#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/observe.h"
#include "modules/config/gpu_config.h"
#include "modules/interconnect/network.h"
#include "modules/interconnect/packet_size.h"
#include "modules/memory_partition/address_map.h"
#include "modules/messages/foreign_requests.h"
#include "tlm/clocked.h"
#include "tlm/memory_port.h"
#include "tlm/port_list.h"

namespace heddle {

/// Connects SMs and L2 slices: one network for requests, one for replies (gtx480.md, "NoC").
///
/// Requests are routed by the address map, which sets MemoryRequest::partition; replies go back through the
/// socket on which the request came, which MemoryRequest::sm names: it is set on entry. `sms_per_cluster` SMs
/// share a port of the networks, in turn. Standard initiators may stand in place of SMs; their accesses lie
/// within a line. A loosely timed one takes the time of both networks when they are empty.
///
/// A request that an SM sends at edge t leaves at edge t + latency_cycles + flits - 1 when nothing is in its
/// way (Network); so does a reply. The injection queue is the queue of the socket on which packets come;
/// acceptance is withheld while it is full.
class Interconnect : public sc_core::sc_module, public Clocked, private TargetPort::Backdoor {
 public:
  /// `sms` sockets on the SM side, one socket per L2 slice of `map` on the other. `map` must outlive it.
  /// Throws std::invalid_argument for sizes that do not work.
  Interconnect(const sc_core::sc_module_name& name, ClockDomain& domain, const InterconnectConfig& config,
               unsigned sms, const AddressMap& map);

  PortList<TargetPort> sm_ports;
  PortList<InitiatorPort> partition_ports;

  bool tick() override;
  void report(StatSink& sink) const;
  using sc_module::trace;
  /// Registers its signals in a scope "interconnect".
  void trace(WaveSink& sink);

  /// Nothing is queued or moving in either direction.
  bool idle() const;

 private:
  struct Wave {
    std::vector<std::uint64_t> request_queue;     ///< flits, per SM-side port
    std::vector<std::uint64_t> request_ejection;  ///< packets, per slice
    std::vector<std::uint64_t> reply_queue;       ///< flits, per slice
    std::vector<std::uint64_t> reply_ejection;    ///< packets, per SM-side port
  };

  unsigned first_sm(unsigned port) const { return port * cluster_; }
  unsigned last_sm(unsigned port) const;
  void inject_requests(Cycle now);
  bool inject_request_of(unsigned port, Cycle now);
  /// The request that waits at the SM's socket, a foreign one's as what carries it; nullptr when that is
  /// refused, or will be as soon as the initiator takes the response.
  tlm::tlm_generic_payload* request_at(TargetPort& sm_port);
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  /// The access lies in the bytes of one slice.
  bool in_one_slice(const tlm::tlm_generic_payload& payload) const;
  void inject_replies(Cycle now);
  void eject_requests(Cycle now);
  void eject_replies(Cycle now);
  [[gnu::cold]] void update_wave();

  const AddressMap& map_;
  ForeignRequests foreign_;
  PacketSize sizes_;
  unsigned cluster_;
  unsigned latency_cycles_;  ///< of each network
  unsigned ports_;           ///< of the networks on the SM side
  Network requests_;
  Network replies_;
  PortSet sm_activity_;              ///< SM-side ports at which a message came or a request waits
  PortSet partition_activity_;       ///< likewise the slices'
  std::vector<std::uint16_t> turn_;  ///< per SM-side port: the SM of the cluster that is looked at first
  bool again_ = false;               ///< something waits that no message announces
  std::uint64_t request_injection_stalls_ = 0;
  std::uint64_t reply_injection_stalls_ = 0;
  std::unique_ptr<Wave> wave_;
};

}  // namespace heddle
