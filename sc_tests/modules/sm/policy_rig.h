#pragma once

#include <memory>
#include <string>

#include "modules/sm/sm.h"
#include "modules/tb_dispatcher/tb_dispatcher.h"
#include "sc_tests/support/fake_kernel.h"
#include "sc_tests/support/probe_policy.h"
#include "sc_tests/support/stub_memory.h"

namespace heddle::testing {

/// A whole SM scheduled by the probe policy, with a dispatcher, before a memory of fixed latency.
struct PolicyRig {
  explicit PolicyRig(const GpuConfig& gpu = {}, bool sleeping = true, const std::string& name = "rig")
      : config(probed(gpu)),
        clock(name.c_str(), sc_core::sc_time(1, sc_core::SC_NS), sleeping),
        sm((name + "_sm").c_str(), clock, config, 0),
        memory((name + "_memory").c_str(), clock, 50),
        dispatcher((name + "_dispatcher").c_str(), clock, config.core),
        policy(*ProbePolicy::of_sm[0]) {
    policy.clock = &clock;
    sm.network().bind(memory.port.socket);
    sm.follow_launches(dispatcher);
    dispatcher.sm[0].bind(sm.tb());
  }
  static GpuConfig probed(GpuConfig config) {
    register_probe();
    config.core.sms = 1;
    config.scheduler.name = "probe";
    return config;
  }

  /// Runs up to and including clock edge `cycle`.
  void run_to(Cycle cycle) {
    sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycle) + 0.5, sc_core::SC_NS) -
                      sc_core::sc_time_stamp());
    clock.rethrow_fault();
    sm.settle();
  }
  void run(FakeKernel& kernel, Cycle cycles = 3000) {
    dispatcher.launch(kernel, 5);
    run_to(cycles);
    EXPECT_TRUE(dispatcher.idle());
  }

  GpuConfig config;
  ClockDomain clock;
  Sm sm;
  StubMemory memory;
  TbDispatcher dispatcher;
  ProbePolicy& policy;
};

}  // namespace heddle::testing
