#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

/// A load or store of equal bytes.
struct Access {
  bool store = false;
  std::uint64_t address = 0;
  unsigned char value = 0;  ///< of each byte: what a store writes and a load has to find
  sc_core::sc_time sent = {};
  sc_core::sc_time answered = {};
  bool right = false;  ///< answered without an error, a load with its value
};

/// A traffic generator as any platform may have one: plain payloads, the four phases of the base protocol, at
/// most one new access a clock cycle.
class TrafficGenerator : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  SC_HAS_PROCESS(TrafficGenerator);

  /// Makes the accesses, of `bytes` each, in turn, with at most `most_under_way` unanswered.
  TrafficGenerator(const sc_core::sc_module_name& name, const sc_core::sc_time& period, unsigned bytes,
                   unsigned most_under_way, std::vector<Access> accesses);

  tlm_utils::simple_initiator_socket<TrafficGenerator, 64> socket;

  /// In the order in which they were sent.
  const std::vector<Access>& accesses() const { return accesses_; }

 private:
  struct Transaction : tlm::tlm_generic_payload {
    Transaction(TrafficGenerator& generator, unsigned bytes);
    Access* access = nullptr;
    std::vector<unsigned char> data;
  };

  void run();
  void send(Transaction& transaction);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void end_request(const sc_core::sc_time& delay);
  void take_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void free(tlm::tlm_generic_payload* payload) override {
    free_.push_back(static_cast<Transaction*>(payload));
  }

  const sc_core::sc_time period_;
  std::vector<Access> accesses_;
  std::vector<std::unique_ptr<Transaction>> transactions_;
  std::vector<Transaction*> free_;
  const tlm::tlm_generic_payload* open_ = nullptr;  ///< its END_REQ has not come
  sc_core::sc_event changed_;
};
