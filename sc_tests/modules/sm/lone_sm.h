#pragma once

#include <gtest/gtest.h>

#include <string>

#include "modules/sm/sm.h"
#include "modules/tb_dispatcher/tb_dispatcher.h"
#include "sc_tests/support/fake_kernel.h"
#include "sc_tests/support/stub_memory.h"

namespace heddle::testing {

/// A whole SM with a dispatcher, before a memory of fixed latency, in a clock domain of its own of 1 ns.
struct LoneSm {
  struct Variant {
    Cycle memory_cycles = 50;
    bool sleeping = true;
  };

  LoneSm(const std::string& name, const GpuConfig& gpu, const Variant& variant)
      : config(of_one_sm(gpu)),
        clock(name.c_str(), sc_core::sc_time(1, sc_core::SC_NS), variant.sleeping),
        sm((name + "_sm").c_str(), clock, config, 0),
        memory((name + "_memory").c_str(), clock, variant.memory_cycles),
        dispatcher((name + "_dispatcher").c_str(), clock, config.core) {
    sm.network().bind(memory.port.socket);
    sm.follow_launches(dispatcher);
    dispatcher.sm[0].bind(sm.tb());
  }
  static GpuConfig of_one_sm(GpuConfig gpu) {
    gpu.core.sms = 1;
    return gpu;
  }

  /// Runs up to and including clock edge `cycle`.
  void run_to(Cycle cycle) {
    sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycle) + 0.5, sc_core::SC_NS) -
                      sc_core::sc_time_stamp());
    clock.rethrow_fault();
    sm.settle();
  }
  /// To its end, at or before that edge.
  void run(FakeKernel& kernel, Cycle cycle) {
    dispatcher.launch(kernel, 5);
    run_to(cycle);
    EXPECT_TRUE(dispatcher.idle());
  }

  const GpuConfig config;
  ClockDomain clock;
  Sm sm;
  StubMemory memory;
  TbDispatcher dispatcher;
};

}  // namespace heddle::testing
