#pragma once

#include <cstdint>
#include <systemc>

#include "tlm/clock_domain.h"

namespace heddle::test {

/// Compares the time of the SystemC kernel with that of the blocks.
class KernelTime {
 public:
  explicit KernelTime(const ClockDomain& clock) : clock_(clock) {}
  void look() {
    ++looks;
    if (sc_core::sc_time_stamp().value() != clock_.time()) ++wrong;
  }
  unsigned looks = 0;
  unsigned wrong = 0;

 private:
  const ClockDomain& clock_;
};

/// Something that the kernel has to do at `time`: clocks may run ahead up to then and no further.
class Horizon : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Horizon);
  Horizon(const sc_core::sc_module_name& name, const sc_core::sc_time& time) : sc_module(name), time_(time) {
    SC_METHOD(reached);
    sensitive << event_;
    dont_initialize();
  }

 private:
  void start_of_simulation() override { event_.notify(time_); }
  void reached() {}
  sc_core::sc_time time_;
  sc_core::sc_event event_;
};

}  // namespace heddle::test
