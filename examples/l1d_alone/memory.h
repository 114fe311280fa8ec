#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <cstring>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

/// A memory as any platform may have one, loosely timed: each access takes 100 ns.
class Memory : public sc_core::sc_module {
 public:
  Memory(const sc_core::sc_module_name& name, std::vector<unsigned char> content)
      : sc_module(name), socket("socket"), bytes_(std::move(content)) {
    socket.register_b_transport(this, &Memory::b_transport);
  }

  tlm_utils::simple_target_socket<Memory, 64> socket;

  unsigned reads() const { return reads_; }
  unsigned writes() const { return writes_; }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    const unsigned length = payload.get_data_length();
    if (address + length > bytes_.size()) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    if (payload.get_byte_enable_ptr() != nullptr) {
      payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
      return;
    }
    if (payload.is_read()) {
      ++reads_;
      std::memcpy(payload.get_data_ptr(), &bytes_[address], length);
    } else {
      ++writes_;
      std::memcpy(&bytes_[address], payload.get_data_ptr(), length);
    }
    delay += sc_core::sc_time(100, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  std::vector<unsigned char> bytes_;
  unsigned reads_ = 0;
  unsigned writes_ = 0;
};
