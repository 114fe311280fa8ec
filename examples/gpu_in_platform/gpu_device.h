#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <cstring>
#include <systemc>
#include <tlm>
#include <vector>

#include "top/machine/host.h"

/// A GPU behind registers of 32 bits, as a processor sees it. A write to `kStart` begins the program of that
/// number; `interrupt` rises when it has ended, and falls with the next start.
class GpuDevice : public sc_core::sc_module {
 public:
  enum Register : std::uint64_t { kStart = 0, kStatus = 4, kCycles = 8 };
  enum Status : std::uint32_t { kIdle, kRunning, kDone, kFailed };

  SC_HAS_PROCESS(GpuDevice);
  /// References are kept.
  GpuDevice(const sc_core::sc_module_name& name, heddle::Gpu& gpu,
            const std::vector<heddle::HostProgram*>& programs)
      : sc_module(name), socket("socket"), interrupt("interrupt"), host_("host", gpu), programs_(programs) {
    socket.register_b_transport(this, &GpuDevice::b_transport);
    SC_METHOD(tell);
    sensitive << started_ << host_.ended();
    dont_initialize();
  }

  tlm_utils::simple_target_socket<GpuDevice, 32> socket;
  sc_core::sc_out<bool> interrupt;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    sc_core::wait(delay);  // what an initiator has run ahead
    delay = sc_core::SC_ZERO_TIME;
    std::uint32_t value = 0;
    if (payload.get_data_length() != sizeof value) {
      payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
      return;
    }
    std::memcpy(&value, payload.get_data_ptr(), sizeof value);
    const bool known = payload.is_read() ? read(payload.get_address(), value)
                                         : payload.get_address() == kStart && start(value);
    std::memcpy(payload.get_data_ptr(), &value, sizeof value);
    payload.set_response_status(known ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }

  bool read(std::uint64_t address, std::uint32_t& value) const {
    if (address == kStatus) value = host_.running() ? kRunning : status_;
    if (address == kCycles) value = cycles_;
    return address == kStatus || address == kCycles;
  }

  bool start(std::uint32_t number) {
    if (number >= programs_.size() || host_.running()) return false;
    program_ = programs_[number];
    host_.begin(*program_);
    started_.notify(sc_core::SC_ZERO_TIME);
    return true;
  }

  /// The one process that drives `interrupt`.
  void tell() {
    interrupt.write(!host_.running());
    if (!host_.running()) take_result();
  }

  void take_result() {
    const heddle::RunResult result = host_.result();
    cycles_ = static_cast<std::uint32_t>(result.cycles);
    status_ = result.end == heddle::RunEnd::kComplete ? kDone : kFailed;
    for (const heddle::CheckResult& check : program_->check()) {
      if (!check.passed) status_ = kFailed;
    }
  }

  heddle::Host host_;
  sc_core::sc_event started_;
  const std::vector<heddle::HostProgram*> programs_;
  heddle::HostProgram* program_ = nullptr;
  Status status_ = kIdle;
  std::uint32_t cycles_ = 0;
};
