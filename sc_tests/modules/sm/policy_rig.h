#pragma once

#include <string>

#include "sc_tests/modules/sm/lone_sm.h"
#include "sc_tests/support/probe_policy.h"

namespace heddle::testing {

/// An SM scheduled by the probe policy.
struct PolicyRig : LoneSm {
  explicit PolicyRig(const GpuConfig& gpu = {}, bool sleeping = true, const std::string& name = "rig")
      : LoneSm(name, probed(gpu), {50, sleeping}), policy(*ProbePolicy::of_sm[0]) {
    policy.clock = &clock;
  }
  static GpuConfig probed(GpuConfig config) {
    register_probe();
    config.scheduler.name = "probe";
    return config;
  }
  void run(FakeKernel& kernel, Cycle cycle = 3000) { LoneSm::run(kernel, cycle); }

  ProbePolicy& policy;
};

}  // namespace heddle::testing
