#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <cstdio>
#include <systemc>
#include <tlm>

#include "gpu_device.h"

/// A processor with work of its own, a microsecond a step, that has the GPU run one program after the other
/// meanwhile.
class Processor : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Processor);
  Processor(const sc_core::sc_module_name& name, std::uint32_t programs)
      : sc_module(name), socket("socket"), interrupt("interrupt"), programs_(programs) {
    SC_THREAD(run);
  }

  tlm_utils::simple_initiator_socket<Processor, 32> socket;
  sc_core::sc_in<bool> interrupt;

  std::uint32_t done() const { return done_; }
  std::uint64_t steps() const { return steps_; }

 private:
  void run() {
    for (std::uint32_t program = 0; program < programs_; ++program) {
      wait(10, sc_core::SC_US);  // before there is something to do for the GPU
      access(tlm::TLM_WRITE_COMMAND, GpuDevice::kStart, program);
      const sc_core::sc_time start = sc_core::sc_time_stamp();
      while (access(tlm::TLM_READ_COMMAND, GpuDevice::kStatus) == GpuDevice::kRunning) {
        wait(sc_core::sc_time(1, sc_core::SC_US), interrupt.posedge_event());
        if (!interrupt.read()) ++steps_;
      }
      const double us = (sc_core::sc_time_stamp() - start).to_seconds() * 1e6;
      const bool done = access(tlm::TLM_READ_COMMAND, GpuDevice::kStatus) == GpuDevice::kDone;
      std::printf("program %u: %s after %.1f us, %u core cycles\n", program, done ? "done" : "failed", us,
                  access(tlm::TLM_READ_COMMAND, GpuDevice::kCycles));
      if (done) ++done_;
    }
  }

  std::uint32_t access(tlm::tlm_command command, std::uint64_t address, std::uint32_t value = 0) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(sizeof value);
    payload.set_streaming_width(sizeof value);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    wait(delay);
    if (payload.is_response_error()) SC_REPORT_ERROR("/processor", payload.get_response_string().c_str());
    return value;
  }

  const std::uint32_t programs_;
  std::uint32_t done_ = 0;
  std::uint64_t steps_ = 0;
};
