#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>
#include <tlm>

namespace heddle::test {

/// What TimedMemory expects of initiators.
struct TimedMemoryRules {
  bool aligned_powers_of_two = false;  ///< requests of other sizes are refused
  bool explicit_end_resp = false;      ///< the return of BEGIN_RESP is not looked at
};

/// An approximately timed memory that knows nothing of Heddle and keeps no data: its bus takes
/// `bytes_per_ns`, END_REQ comes when a request's bytes have passed, the response `latency` later, one at a
/// time, in order.
template <unsigned bits>
class TimedMemory : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  SC_HAS_PROCESS(TimedMemory);
  TimedMemory(const sc_core::sc_module_name& name, double bytes_per_ns, const sc_core::sc_time& latency,
              const TimedMemoryRules& rules = {})
      : sc_module(name), socket("socket"), bytes_per_ns_(bytes_per_ns), latency_(latency), rules_(rules) {
    socket.bind(*this);
    SC_METHOD(end_request);
    sensitive << passed_;
    dont_initialize();
    SC_METHOD(respond);
    sensitive << due_;
    dont_initialize();
  }
  tlm::tlm_target_socket<bits> socket;
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
  std::uint64_t end_address = 0;  ///< after the last byte that was asked for
  unsigned refused = 0;
  unsigned returned_end_resp = 0;  ///< END_RESP in the return of BEGIN_RESP
  unsigned debug_calls = 0;
  std::function<void()> called = [] {};

 private:
  struct Answer {
    tlm::tlm_generic_payload* payload;
    sc_core::sc_time at;
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    called();
    if (phase == tlm::END_RESP) {
      answers_.front().payload->release();
      end_response(delay);
      return tlm::TLM_COMPLETED;
    }
    payload.acquire();
    const unsigned length = payload.get_data_length();
    ++requests;
    bytes += length;
    end_address = std::max<std::uint64_t>(end_address, payload.get_address() + length);
    const bool aligned = (length & (length - 1)) == 0 && payload.get_address() % length == 0;
    if (rules_.aligned_powers_of_two && !aligned) ++refused;
    request_ = &payload;
    passed_.notify(delay + sc_core::sc_time(length / bytes_per_ns_, sc_core::SC_NS));
    return tlm::TLM_ACCEPTED;
  }
  void end_request() {
    answers_.push_back({request_, sc_core::sc_time_stamp() + latency_});
    if (answers_.size() == 1) due_.notify(latency_);
    tlm::tlm_generic_payload& payload = *request_;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay;
    socket->nb_transport_bw(payload, phase, delay);
  }
  void respond() {
    tlm::tlm_generic_payload& payload = *answers_.front().payload;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    const bool ended = socket->nb_transport_bw(payload, phase, delay) != tlm::TLM_ACCEPTED;
    if (!ended) return;
    ++returned_end_resp;
    if (rules_.explicit_end_resp) return;
    payload.release();
    end_response(delay);
  }
  void end_response(const sc_core::sc_time& delay) {
    answers_.pop_front();
    if (answers_.empty()) return;
    const sc_core::sc_time free = sc_core::sc_time_stamp() + delay;
    due_.notify(std::max(free, answers_.front().at) - sc_core::sc_time_stamp());
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += latency_;
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& /*payload*/, tlm::tlm_dmi& /*dmi*/) override {
    return false;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& /*payload*/) override {
    ++debug_calls;
    return 0;
  }

  double bytes_per_ns_;
  sc_core::sc_time latency_;
  TimedMemoryRules rules_;
  sc_core::sc_event passed_;
  sc_core::sc_event due_;
  tlm::tlm_generic_payload* request_ = nullptr;
  std::deque<Answer> answers_;
};

}  // namespace heddle::test
