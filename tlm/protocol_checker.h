#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>

#include "tlm/memory_port.h"

namespace heddle {

/// Rules of the TLM-2.0 base protocol (IEEE 1666-2011, 14 and 15.2) that a hop can break.
enum class ProtocolRule : std::uint8_t {
  kPhaseOrder,         ///< BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP, each once and on its own path
  kRequestExclusion,   ///< BEGIN_REQ only after the END_REQ (or what implies it) of the request before it
  kResponseExclusion,  ///< BEGIN_RESP only after the END_RESP of the response before it
  kReturnValue,        ///< return value and phase of a call agree with the phase that it carried
  kAcceptedModified,   ///< TLM_ACCEPTED leaves phase and annotated time as they were
  kTimingDecreased,    ///< time stamp + annotation of a transaction never decreases
  kMemoryManager,      ///< a non-blocking transaction has a memory manager
  kReference,          ///< its reference count stays above 0 while it is in flight
  kStatusAtRequest,    ///< the response status is incomplete at BEGIN_REQ
  kStatusAtResponse,   ///< and is not at BEGIN_RESP
  kDmiAtRequest,       ///< DMI is not allowed at BEGIN_REQ
  kStreamingWidth,     ///< is not 0
  kData,               ///< length is not 0, data and byte enables have a pointer and a length
  kAttributeChanged,   ///< command, data, byte enables, streaming width stay as they were at BEGIN_REQ, and
                       ///< the address but for an interconnect's translation
  kInFlightAtEnd,      ///< no transaction is left in flight at the end
};
constexpr unsigned kNumProtocolRules = 15;
const char* to_string(ProtocolRule rule);

/// Forwards a memory hop unchanged and without time, and reports every breach of the base protocol as an
/// SC_ERROR with the id /heddle/protocol, naming rule, hop, phase and address. Phases other than the
/// protocol's four are ignorable and only forwarded. Holds no reference to the transactions that it watches.
///
/// Interconnects may translate the address (IEEE 1666-2011, 14.7) within the call that hands the request on,
/// and put it back within the one that hands the response back: an address that a call on this hop came back
/// with, or is called back with meanwhile, is right from then on, as that of BEGIN_REQ is. Any other is an
/// error, which nobody but the holder of the transaction can have made. An interconnect that translates
/// later, out of its queue, looks the same and is reported too.
class ProtocolChecker : public sc_core::sc_module,
                        private tlm::tlm_fw_transport_if<>,
                        private tlm::tlm_bw_transport_if<>,
                        private NativeInterface {
 public:
  /// With `idle_at_end`, calls check_idle() when the simulation ends by sc_stop.
  explicit ProtocolChecker(const sc_core::sc_module_name& name, bool idle_at_end = false);

  MemoryTargetSocket from_initiator;
  MemoryInitiatorSocket to_target;

  /// Reports kInFlightAtEnd for every transaction in flight.
  void check_idle();
  std::size_t in_flight() const { return transactions_.size(); }
  std::uint64_t violations(ProtocolRule rule) const { return violations_[static_cast<unsigned>(rule)]; }
  std::uint64_t violations() const;
  /// Transactions that began on this hop.
  std::uint64_t begun() const { return begun_; }

 private:
  using Payload = tlm::tlm_generic_payload;

  /// What a transaction was at its BEGIN_REQ, and how far it has come.
  struct Transaction {
    explicit Transaction(const Payload& payload);
    bool same_attributes(const Payload& payload) const;
    /// The one that it began with, or one that it came back with.
    bool known_address(std::uint64_t seen) const { return seen == address || seen == below || seen == above; }

    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time time;
    tlm::tlm_command command;
    std::uint64_t address;
    std::uint64_t below;     ///< that the forward call came back with
    std::uint64_t above;     ///< that the last backward call came back with
    bool handed_on = false;  ///< the forward call with BEGIN_REQ is under way
    const unsigned char* data;
    unsigned length;
    const unsigned char* byte_enables;
    unsigned byte_enable_length;
    unsigned streaming_width;
  };
  /// One direction's exclusion rule.
  struct Channel {
    const Payload* busy = nullptr;
    sc_core::sc_time free_at;
  };

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(Payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(Payload& payload) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override;
  void end_of_simulation() override;
  bool asks_kernel_for_time() const override { return true; }
  const ClockDomain* clock() const override { return clock_behind(from_initiator); }

  void check_request(const Payload& payload, const tlm::tlm_phase& phase);
  void begin_request(const Payload& payload, const sc_core::sc_time& time);
  void end_request(const Payload& payload, const sc_core::sc_time& time);
  void begin_response(const Payload& payload, const sc_core::sc_time& time);
  void end_response(const Payload& payload, const sc_core::sc_time& time, bool still_owned);
  void enter_phase(const Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& time);
  void after_call(const Payload& payload, const tlm::tlm_phase& sent, const tlm::tlm_phase& returned,
                  const sc_core::sc_time& sent_delay, const sc_core::sc_time& delay,
                  tlm::tlm_sync_enum status);
  void complete_early(const Payload& payload, const sc_core::sc_time& time);
  void check_unchanged(const Payload& payload, Transaction& transaction, const tlm::tlm_phase& phase);
  Transaction* in_flight(const Payload& payload);
  Transaction* known(const Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& time);
  void request_done(const Payload& payload, const sc_core::sc_time& time);
  void violate(ProtocolRule rule, const std::string& what, const tlm::tlm_phase& phase,
               std::uint64_t address);

  bool idle_at_end_;
  std::unordered_map<const Payload*, Transaction> transactions_;
  Channel request_;
  Channel response_;
  std::uint64_t begun_ = 0;
  std::array<std::uint64_t, kNumProtocolRules> violations_{};
};

}  // namespace heddle
