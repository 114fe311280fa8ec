#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstdint>
#include <systemc>
#include <tlm>

/// A memory as any platform may have one, loosely timed: `bytes_per_ns`, and `latency` for each access. It
/// has no storage, since Heddle keeps the values that kernels compute elsewhere: its own accesses carry
/// zeros.
class Memory : public sc_core::sc_module {
 public:
  Memory(const sc_core::sc_module_name& name, double bytes_per_ns, const sc_core::sc_time& latency)
      : sc_module(name), socket("socket"), bytes_per_ns_(bytes_per_ns), latency_(latency) {
    socket.register_b_transport(this, &Memory::b_transport);
  }

  tlm_utils::simple_target_socket<Memory, 64> socket;

  std::uint64_t read_bytes() const { return read_bytes_; }
  std::uint64_t written_bytes() const { return written_bytes_; }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const unsigned bytes = payload.get_data_length();
    (payload.is_read() ? read_bytes_ : written_bytes_) += bytes;
    if (payload.is_read()) std::fill_n(payload.get_data_ptr(), bytes, static_cast<unsigned char>(0));
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    free_at_ = std::max(free_at_, now + delay) + sc_core::sc_time(bytes / bytes_per_ns_, sc_core::SC_NS);
    delay = free_at_ + latency_ - now;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  const double bytes_per_ns_;
  const sc_core::sc_time latency_;
  sc_core::sc_time free_at_;  ///< no byte of an earlier access moves from then on
  std::uint64_t read_bytes_ = 0;
  std::uint64_t written_bytes_ = 0;
};
