// Every warp scheduler and TB policy, at both ends of each of its parameters and with one to four schedulers,
// ends kernels full of barriers and divergence with the right outputs. What can be set is taken from the
// declarations, so that a new policy or parameter is among it. Of the TB policies a third meets each bound,
// all do with HEDDLE_MACHINES.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "modules/tb_dispatcher/dispatch_policy.h"
#include "modules/tb_dispatcher/resources/contention_control.h"
#include "modules/tb_dispatcher/resources/resource_manager.h"
#include "modules/warp_scheduler/policy_registry.h"
#include "sc_tests/top/commands/command_line_fixture.h"
#include "sc_tests/top/machines/barrier_workload.h"
#include "top/config/config_check.h"
#include "top/config/config_schema.h"
#include "top/pairs/alone_run.h"

namespace heddle {
namespace {

using Assignments = std::vector<std::string>;

/// What `key` is set to: its least and greatest value, each choice, each scheduler that may be inside
/// another.
std::vector<ConfigValue> bounds_of(const ConfigKey& key) {
  switch (key.kind) {
    case ValueRange::Kind::kFlag:
      return {false, true};
    case ValueRange::Kind::kWhole:
    case ValueRange::Kind::kPowerOfTwo:
      return {static_cast<std::uint64_t>(key.low), static_cast<std::uint64_t>(key.high)};
    case ValueRange::Kind::kReal:
      return {key.low, key.high};
    case ValueRange::Kind::kChoice: {
      std::vector<ConfigValue> choices;
      for (std::uint64_t i = 0; i < key.choices.size(); ++i) choices.emplace_back(i);
      return choices;
    }
    case ValueRange::Kind::kName:
      return {key.choices.begin(), key.choices.end()};
    case ValueRange::Kind::kText:
      break;
  }
  std::vector<ConfigValue> schedulers;
  for (const PrioritizerEntry* entry : prioritizers()) {
    if (!entry->chooses_schedulers) schedulers.emplace_back(std::string(entry->name));
  }
  for (const QualifierEntry* entry : qualifiers()) schedulers.emplace_back(entry->name + std::string("+lrr"));
  return schedulers;
}

/// Sets keys that do not fit to one of their own bounds, until all fit; false when that can't be.
bool settle(GpuConfig& config, const std::string& kept) {
  for (unsigned step = 0; step < 8; ++step) {
    const auto conflict = find_config_conflict(config);
    if (!conflict) return true;
    bool better = false;
    for (const std::string& path : conflict->paths) {
      const ConfigKey& key = *find_config_key(path);
      if (path == kept || key.kind == ValueRange::Kind::kText) continue;
      std::vector<ConfigValue> bounds = bounds_of(key);
      std::reverse(bounds.begin(), bounds.end());  // kernels fit on large machines
      for (const ConfigValue& bound : bounds) {
        GpuConfig tried = config;
        key.set(tried, bound);
        const auto next = find_config_conflict(tried);
        if (next && next->paths == conflict->paths) continue;
        config = tried;
        better = true;
        break;
      }
      if (better) break;
    }
    if (!better) return false;
  }
  return false;
}

Assignments differing(const GpuConfig& config) {
  Assignments assignments;
  const GpuConfig defaults;
  for (const ConfigKey& key : config_schema()) {
    if (key.format(config) != key.format(defaults))
      assignments.push_back(key.path + "=" + key.format(config));
  }
  return assignments;
}

GpuConfig small_machine() {
  GpuConfig config;
  config.core.sms = 2;
  config.dram.channels = 1;
  return config;
}

class PolicyBounds : public BuiltProgram {
 protected:
  void SetUp() override {
    BuiltProgram::SetUp();
    workload_ = test::write_barrier_workload(folder_.string(), "turns", 5, 176);
    other_ = test::write_barrier_workload(folder_.string(), "beside", 3, 70);
  }

  /// Partial TBs every other time.
  GpuConfig machine(unsigned schedulers) {
    GpuConfig config = small_machine();
    config.core.schedulers = schedulers;
    if (++made_ % 2 == 0) {
      config.core.resources.management = "warp_temporal_spatial";
      config.core.registers = 10 * 1024;
    }
    return config;
  }
  void expect_right(const GpuConfig& config, const std::vector<std::string>& workloads) {
    std::vector<std::string> arguments{"run", "--quiet", "--out", "out"};
    arguments.insert(arguments.end(), workloads.begin(), workloads.end());
    std::string line;
    for (const std::string& assignment : differing(config)) {
      arguments.insert(arguments.end(), {"--set", assignment});
      line += " --set " + assignment;
    }
    const ProgramOutcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << line << "\n" << outcome.err.substr(0, 600);
  }
  void expect_right(const GpuConfig& config) { expect_right(config, {workload_}); }

  /// `policy`'s own keys at their bounds, each with another number of schedulers.
  void go_through_bounds(const std::string& name, const PolicyParameters* parameters) {
    for (unsigned schedulers = 1; schedulers <= kMaxSchedulers; ++schedulers) {
      for (const hw::Timing timing : {hw::Timing::kIdeal, hw::Timing::kHardware}) {
        GpuConfig config = machine(schedulers);
        config.scheduler.name = name;
        config.scheduler.timing = timing;
        expect_right(config);
      }
    }
    if (parameters == nullptr) return;
    unsigned turn = 0;
    for (std::size_t i = 0; i < parameters->descriptions().size(); ++i) {
      const ConfigKey& key = *find_config_key(parameters->key(i));
      for (const ConfigValue& bound : bounds_of(key)) {
        GpuConfig config = machine(1 + turn++ % kMaxSchedulers);
        config.scheduler.name = name;
        if (turn % 3 == 0) config.scheduler.timing = hw::Timing::kHardware;
        key.set(config, bound);
        if (!settle(config, key.path)) {
          EXPECT_FALSE(key.kind == ValueRange::Kind::kWhole && bound == bounds_of(key).front())
              << key.path << ": its least value fits nothing";
          continue;
        }
        expect_right(config);
      }
    }
  }

  std::string workload_;
  std::string other_;
  unsigned made_ = 0;
};

struct Named {
  std::string name;
  const PolicyParameters* parameters;
};
void PrintTo(const Named& named, std::ostream* out) { *out << named.name; }

class WarpPolicyBounds : public PolicyBounds, public ::testing::WithParamInterface<Named> {};

TEST_P(WarpPolicyBounds, EndKernelsWithBarriersAndTheRightOutputs) {
  go_through_bounds(GetParam().name, GetParam().parameters);
}

std::vector<Named> every_policy() {
  std::vector<Named> policies;
  for (const PrioritizerEntry* entry : prioritizers()) policies.push_back({entry->name, entry->parameters});
  for (const QualifierEntry* entry : qualifiers()) {
    if (!entry->admits_all)
      policies.push_back({entry->name + std::string("+two_level_active"), entry->parameters});
  }
  return policies;
}

INSTANTIATE_TEST_SUITE_P(Registry, WarpPolicyBounds, ::testing::ValuesIn(every_policy()),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           std::replace(name.begin(), name.end(), '+', '_');
                           return name;
                         });

class TbPolicyBounds : public PolicyBounds {
 protected:
  /// Two programs under every TB policy, with `key` at each of its bounds.
  void two_programs(const std::string& path) {
    const std::string alone = write("alone.json", to_json({{{9000, {9000}}}}, ""));
    unsigned turn = 0;
    for (const DispatchPolicyEntry* entry : dispatch_policies()) {
      const ConfigKey& key = *find_config_key(path);
      for (const ConfigValue& bound : bounds_of(key)) {
        if (turn++ % 3 != 0 && std::getenv("HEDDLE_MACHINES") == nullptr) continue;
        GpuConfig config = machine(1 + turn / 3 % kMaxSchedulers);
        config.tb_dispatcher.policy = entry->name;
        config.tb_dispatcher.mixed_sms = entry->needs_mixed_sms || turn % 2 == 0;
        key.set(config, bound);
        if (entry->needs_mixed_sms && !config.tb_dispatcher.mixed_sms) continue;
        config.tb_dispatcher.sampling_sm = std::min(config.tb_dispatcher.sampling_sm, config.core.sms - 1);
        expect_right(config, {workload_, other_, "--arrival", "0", "--arrival", "700", "--alone", alone,
                              "--alone", alone});
      }
    }
  }
};

TEST_F(TbPolicyBounds, EndTwoProgramsWithTheRightOutputs) {
  for (const ConfigKey& key : config_schema()) {
    if (key.path.rfind("tb_dispatcher.", 0) == 0 && key.path != "tb_dispatcher.policy")
      two_programs(key.path);
  }
}

TEST_F(TbPolicyBounds, ManagementsAndContentionControlsEndWithTheRightOutputs) {
  unsigned turn = 0;
  for (const ResourceManagementEntry* management : resource_managements()) {
    for (const ContentionControlEntry* contention : contention_controls()) {
      for (const char* path : {"core.resources.contention_warps", "core.resources.dueling_period_cycles"}) {
        const ConfigKey& key = *find_config_key(path);
        for (const ConfigValue& bound : bounds_of(key)) {
          GpuConfig config = machine(1 + turn++ % kMaxSchedulers);
          config.core.registers = 10 * 1024;
          config.core.resources.management = management->name;
          config.core.resources.contention = contention->name;
          key.set(config, bound);
          expect_right(config);
        }
      }
    }
  }
}

}  // namespace
}  // namespace heddle
