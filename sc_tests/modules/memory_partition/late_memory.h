#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <random>
#include <systemc>
#include <tlm>
#include <vector>

#include "sc_tests/modules/memory_partition/foreign_stubs.h"

namespace heddle::test {

/// When a memory moves the data of a request.
enum class Moves : std::uint8_t { kAtEndRequest, kWhenServed, kAtBeginResponse };

/// An approximately timed memory that serves in an order of its own: END_REQ comes after a random time, each
/// request is served at a random time after it and answered at a random time after that.
class LateMemory : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  SC_HAS_PROCESS(LateMemory);
  LateMemory(const sc_core::sc_module_name& name, Moves moves, unsigned seed)
      : sc_module(name), socket("socket"), moves_(moves), random_(seed) {
    socket.bind(*this);
    SC_METHOD(act);
    sensitive << act_;
    dont_initialize();
  }

  tlm::tlm_target_socket<64> socket;
  SmallStore store;
  unsigned reads = 0;
  unsigned writes = 0;
  unsigned debug_calls = 0;
  unsigned passed_by = 0;  ///< answers to a request before that to an older one

 private:
  enum class Step : std::uint8_t { kAccept, kServe, kAnswer };
  struct Job {
    tlm::tlm_generic_payload* payload;
    std::uint64_t number;
    Step step;
    sc_core::sc_time at;
  };

  sc_core::sc_time after(unsigned most_ns) {
    return sc_core::sc_time_stamp() +
           sc_core::sc_time(static_cast<double>(1 + random_() % most_ns), sc_core::SC_NS);
  }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::BEGIN_REQ) {
      payload.acquire();
      jobs_.push_back({&payload, ++received_, Step::kAccept, after(8) + delay});
      act_.notify(jobs_.back().at - sc_core::sc_time_stamp());
      return tlm::TLM_ACCEPTED;
    }
    response_ended(delay);
    return tlm::TLM_COMPLETED;
  }

  void response_ended(const sc_core::sc_time& delay) {
    responding_ = false;
    may_respond_ = sc_core::sc_time_stamp() + delay;
    act_.notify(delay);
  }

  void act() {
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    for (std::size_t i = 0; i < jobs_.size();) {
      const bool done = jobs_[i].at <= now && advance(jobs_[i]);
      if (done) {
        jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    if (may_respond_ > now) act_.notify(may_respond_ - now);
    for (const Job& job : jobs_) {
      if (job.at > now) act_.notify(job.at - now);  // the earliest notification wins
    }
  }

  /// True when the request has been answered.
  bool advance(Job& job) {
    tlm::tlm_generic_payload& payload = *job.payload;
    switch (job.step) {
      case Step::kAccept: {
        if (moves_ == Moves::kAtEndRequest) move(payload);
        job.step = Step::kServe;
        job.at = after(150);
        tlm::tlm_phase phase = tlm::END_REQ;
        sc_core::sc_time delay;
        socket->nb_transport_bw(payload, phase, delay);
        return false;
      }
      case Step::kServe:
        if (moves_ == Moves::kWhenServed) move(payload);
        job.step = Step::kAnswer;
        job.at = after(60);
        return false;
      case Step::kAnswer:
        return answer(job);
    }
    return false;
  }

  bool answer(const Job& job) {
    if (responding_ || sc_core::sc_time_stamp() < may_respond_) return false;
    for (const Job& other : jobs_) passed_by += other.number < job.number ? 1 : 0;
    tlm::tlm_generic_payload& payload = *job.payload;
    if (moves_ == Moves::kAtBeginResponse) move(payload);
    ++(payload.is_write() ? writes : reads);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    responding_ = true;
    if (socket->nb_transport_bw(payload, phase, delay) != tlm::TLM_ACCEPTED) response_ended(delay);
    payload.release();
    return true;
  }

  void move(tlm::tlm_generic_payload& payload) {
    std::uint8_t* bytes = store.bytes(payload.get_address(), payload.get_data_length());
    if (payload.is_read()) {
      std::memcpy(payload.get_data_ptr(), bytes, payload.get_data_length());
    } else {
      std::memcpy(bytes, payload.get_data_ptr(), payload.get_data_length());
    }
  }

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    move(payload);
    delay += sc_core::sc_time(70, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& /*payload*/, tlm::tlm_dmi& /*dmi*/) override {
    return false;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    ++debug_calls;
    if (store.bytes(payload.get_address(), payload.get_data_length()) == nullptr) return 0;
    move(payload);
    return payload.get_data_length();
  }

  Moves moves_;
  std::mt19937 random_;
  sc_core::sc_event act_;
  std::deque<Job> jobs_;
  std::uint64_t received_ = 0;
  bool responding_ = false;
  sc_core::sc_time may_respond_;
};

}  // namespace heddle::test
