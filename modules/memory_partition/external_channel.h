#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/observe.h"
#include "base/ring.h"
#include "modules/memory_partition/address_map.h"
#include "modules/messages/memory_request.h"
#include "tlm/clocked.h"
#include "tlm/memory_port.h"
#include "tlm/port_list.h"

namespace heddle {

/// What a memory of another maker expects of the requests that it gets.
struct ExternalMemory {
  /// Requests go in parts whose size is a power of two and whose address is a multiple of it;
  /// otherwise a request is a run of neighbouring sectors, 32 to 128 bytes.
  bool aligned_powers_of_two = false;
  /// BEGIN_RESP is answered by END_RESP on the forward path, at a later edge, instead of in its return.
  bool explicit_end_resp = false;
};

/// A channel whose memory is a foreign module: in the place of DramChannel, with the memory bound to `memory`
/// (examples/gpu_in_sc_main shows it). In the domain of the L2 clock.
///
/// Requests from `ports`, one port a slice, which take turns, go out at channel-local addresses
/// (AddressMap::channel_address): dense, from 0. A request that the slice sends at edge c goes out at c + 1,
/// a part an edge, as the memory gives END_REQ; when all its parts have been answered it is answered at the
/// first edge after, seen by the slice one later. Answers may come in any order. Data of fetches and
/// write-backs are zeros unless standard initiators use the GPU's memory (docs/architecture.md, "What a
/// payload carries"); then the memory needs debug transport, which gets channel-local addresses too.
///
/// A standard initiator may stand in place of a slice, AT or LT. Its accesses go to the memory with their
/// byte enables. Those to another channel's addresses are a TLM_ADDRESS_ERROR_RESPONSE, those that leave the
/// interleave block (AT: the line) or are empty a TLM_BURST_ERROR_RESPONSE, others what
/// ForeignRequests::check_form() finds; the memory sees none of these. Debug transport does the bytes up to
/// the end of the block, of other channels' addresses none. Addresses that the memory has not are its own to
/// refuse. A loosely timed access takes a cycle each way and the memory's time.
class ExternalChannel : public sc_core::sc_module, public Clocked, public TargetPort::Backdoor {
 public:
  /// The map's `channel`, with `ports` sockets with a queue of `port_depth` requests each. `map` must outlive
  /// it. Throws std::invalid_argument for a channel that the map has not.
  ExternalChannel(const sc_core::sc_module_name& name, ClockDomain& domain, const ExternalMemory& memory,
                  const AddressMap& map, unsigned channel, unsigned ports, unsigned port_depth);

  PortList<TargetPort> ports;
  /// Its socket is called "socket".
  InitiatorPort memory;

  bool tick() override;
  void report(StatSink& sink) const;
  using sc_module::trace;
  void trace(WaveSink& sink);

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

  /// No request is queued or being served.
  bool idle() const;

 private:
  /// A request that a slice has sent.
  struct Request {
    tlm::tlm_generic_payload* payload = nullptr;
    unsigned port = 0;
    unsigned bytes_sent = 0;
    unsigned parts_unanswered = 0;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  };
  struct Counts {
    std::uint64_t reads = 0, writes = 0, read_bytes = 0, written_bytes = 0;
  };

  tlm::tlm_response_status check(const tlm::tlm_generic_payload& payload) const;
  unsigned to_end_of_block(std::uint64_t address) const;
  unsigned char* enables_of(unsigned number);
  void take_answer();
  void answer_slices();
  void take_request();
  void answer(unsigned number);
  void send_part();
  unsigned part_bytes(std::uint64_t address, unsigned left) const;
  unsigned new_request();

  ExternalMemory options_;
  const AddressMap& map_;
  const unsigned channel_;
  PayloadPool pool_;
  std::vector<Request> requests_;  ///< by number; some are free
  std::vector<unsigned> free_;
  static constexpr unsigned kNone = ~0U;
  unsigned sending_ = kNone;  ///< request of which parts are to be sent
  unsigned port_turn_ = 0;
  unsigned requests_in_flight_ = 0;
  unsigned most_in_flight_ = 0;
  std::vector<Ring<unsigned>> answers_;  ///< per port: requests that are answered
  /// Of requests with byte enables that go in parts, by number: one for each byte.
  std::unordered_map<unsigned, std::vector<unsigned char>> enables_;
  Counts counts_;
  std::uint64_t wave_in_flight_ = 0;
};

}  // namespace heddle
