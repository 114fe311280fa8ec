// A version that a block gives its waves tells of every change of them.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sc_tests/support/paths.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"
#include "top/waves/wave_recorder.h"
#include "workloads/description/workload_loader.h"

namespace heddle {
namespace {

struct VersionedRun {
  std::string name;
  std::vector<std::string> assignments;
  /// Scopes some signal of which must have changed.
  std::vector<std::string> scopes;

  friend std::ostream& operator<<(std::ostream& out, const VersionedRun& run) { return out << run.name; }
};

/// Of a signal that has a version: both, as they were after the last edge.
struct Versioned {
  explicit Versioned(const WaveSignal& of) : signal(&of), value(*of.variable), version(*of.version) {}

  const WaveSignal* signal;
  std::uint64_t value;
  std::uint64_t version;
  bool changed = false;
};

class WaveVersions : public ::testing::TestWithParam<VersionedRun> {};

TEST_P(WaveVersions, TellOfEveryChange) {
  HostProgram program(load_workload(test::source_dir() + "/workloads/kernels/bfs/bfs.yaml"),
                      {{"nodes", 512}});
  const std::unique_ptr<Gpu> gpu = build_gpu(load_config("", GetParam().assignments), {});
  WaveRecorder recorder({});
  gpu->trace(recorder);
  std::vector<Versioned> watched;
  for (const WaveSignal& signal : recorder.signals()) {
    if (signal.version != nullptr) watched.emplace_back(signal);
  }
  std::set<std::string> missed;
  gpu->clock_tree().edge_handled.listen([&] {
    for (Versioned& now : watched) {
      const bool other = *now.signal->variable != now.value;
      const bool told = *now.signal->version != now.version;
      if (other && !told) missed.insert(now.signal->full_name());
      now.changed |= other;
      now.value = *now.signal->variable;
      now.version = *now.signal->version;
    }
  });
  Host host("host", *gpu, program, {});
  ASSERT_EQ(host.run().end, RunEnd::kComplete);
  EXPECT_EQ(missed, std::set<std::string>());
  std::set<std::string> changed;
  for (const Versioned& one : watched) {
    if (one.changed) changed.insert(one.signal->scope);
  }
  for (const std::string& scope : GetParam().scopes) EXPECT_EQ(changed.count(scope), 1U) << scope;
}

VersionedRun on_one_sm(const char* name, std::vector<std::string> assignments,
                       std::vector<std::string> scopes) {
  assignments.emplace_back("core.sms=1");
  for (const char* scope : {"sm0.warps.tb_slot", "sm0.warps.age", "sm0.warps.next_pc", "sm0.warps.next_lanes",
                            "sm0.events", "sm0.tbs.index"}) {
    scopes.emplace_back(scope);
  }
  return {name, std::move(assignments), std::move(scopes)};
}

INSTANTIATE_TEST_SUITE_P(
    Schedulers, WaveVersions,
    ::testing::Values(on_one_sm("gto", {"scheduler.name=gto"}, {"sm0.scheduler0.gto.age_order0"}),
                      on_one_sm("ipaws", {"scheduler.name=ipaws"}, {}),
                      on_one_sm("pro", {"scheduler.name=pro"}, {}),
                      on_one_sm("pro_hardware", {"scheduler.name=pro", "scheduler.timing=hardware"}, {}),
                      on_one_sm("two_level_active", {"scheduler.name=two_level_active"}, {}),
                      on_one_sm("oaws_dynamic_ccws", {"scheduler.name=oaws_dynamic+pro"}, {})),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace heddle
