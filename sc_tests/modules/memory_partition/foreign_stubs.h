#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "modules/memory_partition/backing_store.h"

namespace heddle::test {

/// Bytes from address 0 on; byte i starts as i modulo 256.
class SmallStore : public BackingStore {
 public:
  SmallStore() {
    for (unsigned i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i);
  }
  std::uint8_t* bytes(std::uint64_t address, unsigned length) override {
    return address + length <= data.size() ? data.data() + address : nullptr;
  }
  std::array<std::uint8_t, 16384> data{};
};

/// A plain approximately timed TLM-2.0 initiator that knows nothing of Heddle: own memory manager, no
/// extensions, one request after the other, each as soon as END_REQ allows.
class PlainInitiator : public sc_core::sc_module,
                       private tlm::tlm_bw_transport_if<>,
                       private tlm::tlm_mm_interface {
 public:
  SC_HAS_PROCESS(PlainInitiator);
  explicit PlainInitiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*this);
    SC_METHOD(send_next);
    sensitive << next_;
    dont_initialize();
  }

  struct Transaction {
    explicit Transaction(tlm::tlm_mm_interface* manager) : payload(manager) {}
    tlm::tlm_generic_payload payload;
    std::array<unsigned char, 256> data{};
    bool done = false;
    sc_core::sc_time done_at;
  };

  tlm::tlm_initiator_socket<64> socket;

  /// Sent after those added before. Call before the simulation starts.
  Transaction& add(tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
    Transaction& transaction =
        *transactions_.emplace_back(std::make_unique<Transaction>(static_cast<tlm::tlm_mm_interface*>(this)));
    prepare(transaction.payload, command, address, bytes, transaction.data.data());
    return transaction;
  }
  static void prepare(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t address,
                      unsigned bytes, unsigned char* data) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    payload.set_byte_enable_ptr(nullptr);
    payload.set_dmi_allowed(false);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }

 private:
  void start_of_simulation() override { next_.notify(sc_core::SC_ZERO_TIME); }

  void send_next() {
    if (sent_ == transactions_.size()) return;
    Transaction& transaction = *transactions_[sent_++];
    transaction.payload.acquire();
    in_flight_.push_back(&transaction);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(transaction.payload, phase, delay);
    if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) next_.notify(delay);
    if (status == tlm::TLM_COMPLETED) finish(transaction.payload, delay);
  }
  void finish(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
    for (Transaction* transaction : in_flight_) {
      if (&transaction->payload != &payload) continue;
      transaction->done = true;
      transaction->done_at = sc_core::sc_time_stamp() + delay;
      payload.release();
      return;
    }
    SC_REPORT_ERROR("/test/plain_initiator", "a response for a transaction that was never sent");
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::END_REQ) {
      next_.notify(delay);
      return tlm::TLM_ACCEPTED;
    }
    finish(payload, delay);
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 /*start*/, sc_dt::uint64 /*end*/) override {}
  void free(tlm::tlm_generic_payload* payload) override { payload->reset(); }

  sc_core::sc_event next_;
  std::vector<std::unique_ptr<Transaction>> transactions_;
  std::vector<Transaction*> in_flight_;
  std::size_t sent_ = 0;
};

/// A plain approximately timed TLM-2.0 memory that knows nothing of Heddle: takes one request at a time,
/// holding END_REQ until 20 ns after BEGIN_REQ, and serves one after the other in 50 ns each.
class PlainMemory : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  SC_HAS_PROCESS(PlainMemory);
  explicit PlainMemory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*this);
    SC_METHOD(end_request);
    sensitive << accepted_;
    dont_initialize();
    SC_METHOD(begin_response);
    sensitive << served_ << response_ended_;
    dont_initialize();
  }

  tlm::tlm_target_socket<64> socket;
  SmallStore store;
  unsigned reads = 0;
  unsigned writes = 0;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::BEGIN_REQ) {
      payload.acquire();
      request_ = &payload;
      accepted_.notify(delay + sc_core::sc_time(20, sc_core::SC_NS));
      return tlm::TLM_ACCEPTED;
    }
    responding_ = false;
    response_ended_.notify(delay);
    return tlm::TLM_COMPLETED;
  }
  void end_request() {
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    tlm::tlm_generic_payload* payload = request_;
    request_ = nullptr;
    queue_.push_back(payload);
    if (queue_.size() == 1) served_.notify(sc_core::sc_time(50, sc_core::SC_NS));
    socket->nb_transport_bw(*payload, phase, delay);
  }
  void begin_response() {
    if (responding_ || queue_.empty()) return;
    tlm::tlm_generic_payload* payload = queue_.front();
    queue_.pop_front();
    transport_dbg(*payload);
    ++(payload->is_write() ? writes : reads);
    payload->set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    responding_ = socket->nb_transport_bw(*payload, phase, delay) == tlm::TLM_ACCEPTED;
    payload->release();
    if (!queue_.empty()) served_.notify(sc_core::sc_time(50, sc_core::SC_NS));
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    transport_dbg(payload);
    delay += sc_core::sc_time(70, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& /*payload*/, tlm::tlm_dmi& /*dmi*/) override {
    return false;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    std::uint8_t* bytes = store.bytes(payload.get_address(), payload.get_data_length());
    if (bytes == nullptr) return 0;
    if (payload.is_read()) {
      std::memcpy(payload.get_data_ptr(), bytes, payload.get_data_length());
    } else {
      std::memcpy(bytes, payload.get_data_ptr(), payload.get_data_length());
    }
    return payload.get_data_length();
  }

  sc_core::sc_event accepted_;
  sc_core::sc_event served_;
  sc_core::sc_event response_ended_;
  tlm::tlm_generic_payload* request_ = nullptr;
  std::deque<tlm::tlm_generic_payload*> queue_;
  bool responding_ = false;
};

}  // namespace heddle::test
