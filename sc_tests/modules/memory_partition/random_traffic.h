#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <systemc>
#include <tlm>
#include <vector>

#include "sc_tests/modules/memory_partition/foreign_stubs.h"

namespace heddle::test {

/// Standard initiators that share a socket: random reads and writes within lines, each initiator with up to
/// `outstanding` at a time, checked against what accesses in the order in which they are sent leave behind
/// (IEEE 1666, 15.2: a target executes overlapping requests of a socket in their order).
class RandomTraffic : public sc_core::sc_module,
                      private tlm::tlm_bw_transport_if<>,
                      private tlm::tlm_mm_interface {
 public:
  struct Shape {
    unsigned accesses;
    unsigned initiators;
    unsigned outstanding;  ///< of each
    unsigned lines;        ///< that are accessed
    unsigned line_stride_bytes;
  };

  SC_HAS_PROCESS(RandomTraffic);
  RandomTraffic(const sc_core::sc_module_name& name, const Shape& shape, unsigned seed)
      : sc_module(name), socket("socket"), shape_(shape), random_(seed), in_flight_(shape.initiators) {
    socket.bind(*this);
    SC_METHOD(send);
    sensitive << send_;
    dont_initialize();
  }

  tlm::tlm_initiator_socket<64> socket;
  unsigned answered = 0;
  unsigned reads = 0;
  unsigned stale = 0;
  unsigned refused = 0;  ///< byte enables
  /// What the memory must hold; SmallStore begins as this does.
  SmallStore expected;

 private:
  struct Transaction {
    explicit Transaction(tlm::tlm_mm_interface* manager) : payload(manager) {}
    tlm::tlm_generic_payload payload;
    unsigned initiator = 0;
    std::array<unsigned char, 128> data{};
    std::array<unsigned char, 128> wanted{};
    unsigned char enables = TLM_BYTE_ENABLED;
  };

  void start_of_simulation() override { send_.notify(sc_core::SC_ZERO_TIME); }

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

  void send() {
    if (requesting_ || sent_ == shape_.accesses) return;
    if (sc_core::sc_time_stamp() < may_send_) {
      send_.notify(may_send_ - sc_core::sc_time_stamp());
      return;
    }
    const unsigned first = below(shape_.initiators);
    for (unsigned i = 0; i < shape_.initiators; ++i) {
      const unsigned initiator = (first + i) % shape_.initiators;
      if (in_flight_[initiator] == shape_.outstanding) continue;
      request(initiator);
      return;
    }
  }

  void request(unsigned initiator) {
    Transaction& transaction = take();
    transaction.initiator = initiator;
    const unsigned bytes = below(4) == 0 ? 128 : 1 + below(40);
    const std::uint64_t address =
        std::uint64_t{below(shape_.lines)} * shape_.line_stride_bytes + below(129 - bytes);
    const bool write = below(2) == 0;
    const bool enables = below(64) == 0;
    PlainInitiator::prepare(transaction.payload, write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                            address, bytes, transaction.data.data());
    transaction.payload.set_byte_enable_ptr(enables ? &transaction.enables : nullptr);
    transaction.payload.set_byte_enable_length(enables ? 1 : 0);
    if (write) {
      for (unsigned i = 0; i < bytes; ++i) transaction.data[i] = static_cast<unsigned char>(random_());
    }
    if (write && !enables) {
      std::memcpy(&expected.data[address], transaction.data.data(), bytes);
    } else {
      std::memcpy(transaction.wanted.data(), &expected.data[address], bytes);
    }
    ++sent_;
    ++in_flight_[initiator];
    transaction.payload.acquire();
    requesting_ = true;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(transaction.payload, phase, delay);
    if (status == tlm::TLM_ACCEPTED) return;
    if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
      request_ended(delay);
      return;
    }
    request_ended(delay);
    finish(transaction.payload);
  }
  void request_ended(const sc_core::sc_time& delay) {
    requesting_ = false;
    may_send_ = sc_core::sc_time_stamp() + delay;
    send_.notify(delay + pause());
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::END_REQ) {
      request_ended(delay);
      return tlm::TLM_ACCEPTED;
    }
    finish(payload);
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
  }

  void finish(tlm::tlm_generic_payload& payload) {
    Transaction& transaction = of(payload);
    ++answered;
    --in_flight_[transaction.initiator];
    if (payload.get_byte_enable_ptr() != nullptr) {
      refused += payload.get_response_status() == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE ? 1 : 0;
    } else if (payload.is_read()) {
      ++reads;
      stale += payload.is_response_ok() && std::memcmp(transaction.data.data(), transaction.wanted.data(),
                                                       payload.get_data_length()) == 0
                   ? 0
                   : 1;
    }
    payload.release();
    send_.notify(pause());
  }

  sc_core::sc_time pause() { return {static_cast<double>(below(12)), sc_core::SC_NS}; }

  Transaction& of(const tlm::tlm_generic_payload& payload) {
    for (const auto& transaction : all_) {
      if (&transaction->payload == &payload) return *transaction;
    }
    SC_REPORT_FATAL("/test/random_traffic", "a response for a transaction that was never sent");
    return *all_.front();
  }
  Transaction& take() {
    for (const auto& transaction : all_) {
      if (transaction->payload.get_ref_count() == 0) return *transaction;
    }
    all_.push_back(std::make_unique<Transaction>(static_cast<tlm::tlm_mm_interface*>(this)));
    return *all_.back();
  }
  void free(tlm::tlm_generic_payload* payload) override { payload->reset(); }
  void invalidate_direct_mem_ptr(sc_dt::uint64 /*start*/, sc_dt::uint64 /*end*/) override {}

  Shape shape_;
  std::mt19937 random_;
  sc_core::sc_event send_;
  std::vector<std::unique_ptr<Transaction>> all_;
  std::vector<unsigned> in_flight_;
  unsigned sent_ = 0;
  bool requesting_ = false;
  sc_core::sc_time may_send_;
};

}  // namespace heddle::test
