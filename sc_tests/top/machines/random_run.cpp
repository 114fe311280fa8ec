#include "sc_tests/top/machines/random_run.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "modules/tb_dispatcher/dispatch_policy.h"
#include "modules/tb_dispatcher/resources/contention_control.h"
#include "modules/tb_dispatcher/resources/resource_manager.h"
#include "modules/warp_scheduler/policy_registry.h"
#include "top/config/config_check.h"
#include "top/config/config_schema.h"

namespace heddle::test {

namespace {

struct Limits {
  std::uint64_t low;
  std::uint64_t high;
};

/// What blocks take, and what a small kernel fits on and ends on in a second; other keys are drawn from their
/// range.
const std::map<std::string, Limits> kLimits{
    {"core.sms", {1, 4}},
    {"core.warps", {4, 64}},
    {"core.threads", {128, 2048}},
    {"core.registers", {8192, 131072}},
    {"core.register_allocation_unit", {1, 16}},
    {"core.max_registers_per_thread", {32, 255}},
    {"core.shared_bytes", {12288, 131072}},
    {"core.launch_latency_cycles", {0, 3000}},
    {"tb_dispatcher.sampling_sm", {0, 3}},
    {"tb_dispatcher.oracle_lookahead_cycles", {0, 5000}},
    {"dram.channels", {1, 4}},
    {"dram.rows", {8192, 65536}},
    {"dram.queue", {4, 256}},
    {"dram.return_queue", {4, 256}},
    {"l2.queue", {4, 256}},
    {"l2.miss_queue", {2, 32}},
    {"l2.mshr_entries", {4, 1024}},
    {"l2.cache.line_bytes", {128, 128}},
    {"address_map.column_low_bits", {5, 7}},
    {"interconnect.input_buffer_flits", {18, 512}},
    {"interconnect.flit_bytes", {8, 256}},
};

/// Say nothing of the machine, or when a run is given up.
bool left_alone(const std::string& path) { return path == "name" || path == "core.watchdog_cycles"; }

template <class Entry>
std::vector<std::string> names_of(const std::vector<const Entry*>& entries) {
  std::vector<std::string> names;
  for (const Entry* entry : entries) names.emplace_back(entry->name);
  return names;
}

std::string draw_text(const std::string& path, Draws& draws) {
  if (path == "core.resources.management") return draws.of(names_of(resource_managements()));
  if (path == "core.resources.contention") return draws.of(names_of(contention_controls()));
  if (path == "tb_dispatcher.policy") return draws.of(names_of(dispatch_policies()));
  return draw_scheduler(draws, path != "scheduler.name");
}

std::uint64_t draw_whole(const ConfigKey& key, Draws& draws) {
  const auto standard = std::get<std::uint64_t>(key.get(GpuConfig{}));
  Limits limits{static_cast<std::uint64_t>(key.low),
                std::min(static_cast<std::uint64_t>(key.high), std::max<std::uint64_t>(8 * standard, 16))};
  const auto own = kLimits.find(key.path);
  if (own != kLimits.end()) limits = own->second;
  if (draws.one_in(8)) return limits.low;
  return draws.magnitude(limits.low, limits.high);
}

ConfigValue draw_value(const ConfigKey& key, Draws& draws) {
  switch (key.kind) {
    case ValueRange::Kind::kFlag:
      return draws.one_in(2);
    case ValueRange::Kind::kWhole:
      return draw_whole(key, draws);
    case ValueRange::Kind::kPowerOfTwo: {
      std::uint64_t power = 1;
      const std::uint64_t near = draw_whole(key, draws);
      while (2 * power <= near) power *= 2;
      return power;
    }
    case ValueRange::Kind::kReal: {
      const double standard = std::get<double>(key.get(GpuConfig{}));
      const double drawn = standard * std::exp2(4 * draws.fraction() - 2);
      return std::clamp(std::round(16 * drawn) / 16, key.low, key.high);
    }
    case ValueRange::Kind::kChoice:
      return draws.below(key.choices.size());
    case ValueRange::Kind::kName:
      return draws.of(key.choices);
    case ValueRange::Kind::kText:
      break;
  }
  return draw_text(key.path, draws);
}

/// Draws again what does not fit, then leaves it at its default, and at last all keys but the schedulers'.
void settle_conflicts(GpuConfig& config, Draws& draws) {
  const GpuConfig defaults;
  for (unsigned attempt = 0;; ++attempt) {
    const auto conflict = find_config_conflict(config);
    if (!conflict) return;
    for (const ConfigKey& key : config_schema()) {
      const bool named =
          std::find(conflict->paths.begin(), conflict->paths.end(), key.path) != conflict->paths.end();
      if (attempt < 40) {
        if (named && draws.one_in(2)) key.set(config, draw_value(key, draws));
      } else if (attempt < 44 ? named : !left_alone(key.path)) {
        key.set(config, key.get(defaults));
      }
    }
  }
}

GpuConfig draw_config(Draws& draws) {
  GpuConfig config;
  // Machines that differ from the standard one in little, and in much.
  const std::uint64_t one_in = std::vector<std::uint64_t>{20, 5, 2}[draws.below(3)];
  for (const ConfigKey& key : config_schema()) {
    if (!left_alone(key.path) && draws.one_in(one_in)) key.set(config, draw_value(key, draws));
  }
  config.core.sms = static_cast<unsigned>(1 + draws.below(4));
  config.dram.channels = static_cast<unsigned>(1 + draws.below(3));
  config.scheduler.name = draw_scheduler(draws, false);
  config.tb_dispatcher.policy = draws.of(names_of(dispatch_policies()));
  for (const DispatchPolicyEntry* entry : dispatch_policies()) {
    if (entry->name == config.tb_dispatcher.policy && entry->needs_mixed_sms)
      config.tb_dispatcher.mixed_sms = true;
  }
  if (config.core.sms < 2 && config.core.resources.contention == "dueling")
    config.core.resources.contention = "none";
  config.tb_dispatcher.sampling_sm %= config.core.sms;
  settle_conflicts(config, draws);
  return config;
}

/// A workload that a small machine ends soon, and the threads of its TBs; 0: those of parameter "block".
struct Small {
  const char* name;
  unsigned threads;
  std::vector<const char*> parameters;
};
const std::vector<Small> kWorkloads{
    {"vector_add", 0, {"n=700"}},
    {"atax", 0, {"n=48"}},
    {"mvt", 0, {"n=40"}},
    {"bicg", 0, {"n=40"}},
    {"bfs", 0, {"nodes=128"}},
    {"spmv", 0, {"rows=150"}},
    {"black_scholes", 0, {"options=300"}},
    {"kmeans", 0, {"count=160", "features=2", "clusters=3"}},
    {"long_warp", 0, {"tbs=5", "rounds=20"}},
    {"scalar_product", 256, {"pairs=3", "length=512"}},
    {"histogram", 256, {"words=512", "blocks=2"}},
    {"matrix_multiply", 256, {"n=32"}},
    {"matrix_fragments", 256, {"n=20", "matrices=1"}},
    {"hotspot", 256, {"n=24", "passes=1"}},
    {"pathfinder", 256, {"columns=500", "rows=5", "passes=1"}},
    {"syrk", 256, {"n=24"}},
    {"stencil", 160, {"nx=64", "ny=5", "nz=4", "rows=5"}},
    {"rays", 96, {"width=96", "rows=2", "most_steps=40", "block=96"}},
    {"bitonic_sort", 512, {"tiles=1"}},
    {"scan", 256, {"n=700"}},
    {"convolution_texture", 192, {"width=32", "height=8"}},
    {"kmeans_texture", 256, {"count=160", "dimensions=4", "clusters=3"}},
    {"non_local_means", 64, {"width=32", "height=8"}},
};

void add_workload(RandomRun& run, const GpuConfig& config, Draws& draws) {
  const unsigned most = std::min(config.core.threads, 32 * config.core.warps);
  // A parameter that several workloads have is set for all of them.
  const auto shares_parameters = [&run](const Small& small) {
    return std::any_of(
        small.parameters.begin(), small.parameters.end(), [&run](const std::string& parameter) {
          const std::string name = parameter.substr(0, parameter.find('=') + 1);
          return std::any_of(run.workloads.begin(), run.workloads.end(),
                             [&name](const std::string& word) { return word.rfind(name, 0) == 0; });
        });
  };
  std::vector<const Small*> fitting;
  for (const Small& small : kWorkloads) {
    if (small.threads <= most && !shares_parameters(small)) fitting.push_back(&small);
  }
  const Small& small = *draws.of(fitting);
  run.workloads.insert(run.workloads.end(), small.name);
  for (const char* parameter : small.parameters)
    run.workloads.insert(run.workloads.end(), {"--param", parameter});
  const bool has_block = std::any_of(run.workloads.begin(), run.workloads.end(),
                                     [](const std::string& word) { return word.rfind("block=", 0) == 0; });
  if (small.threads != 0 || has_block) return;
  const std::uint64_t warps = 1 + draws.below(std::min<std::uint64_t>(8, most / 32));
  run.workloads.insert(run.workloads.end(), {"--param", "block=" + std::to_string(32 * warps)});
}

}  // namespace

std::uint64_t Draws::magnitude(std::uint64_t low, std::uint64_t high) {
  const double from = std::log2(static_cast<double>(low) + 1);
  const double to = std::log2(static_cast<double>(high) + 2);
  const double drawn = std::exp2(from + (to - from) * fraction()) - 1;
  return std::clamp(static_cast<std::uint64_t>(drawn), low, high);
}

std::string draw_scheduler(Draws& draws, bool inside_another) {
  std::vector<std::string> orders;
  for (const PrioritizerEntry* entry : prioritizers()) {
    if (!inside_another || !entry->chooses_schedulers) orders.emplace_back(entry->name);
  }
  const std::string order = draws.of(orders);
  return draws.one_in(2) ? order : draws.of(names_of(qualifiers())) + "+" + order;
}

std::vector<std::string> RandomRun::arguments() const {
  std::vector<std::string> arguments{"run"};
  arguments.insert(arguments.end(), workloads.begin(), workloads.end());
  for (const std::string& assignment : assignments) {
    arguments.emplace_back("--set");
    arguments.push_back(assignment);
  }
  return arguments;
}

RandomRun draw_run(std::uint64_t seed, const std::string& alone_file) {
  Draws draws(seed);
  GpuConfig config = draw_config(draws);
  RandomRun run;
  run.streams = draws.one_in(3);
  const std::string& policy = config.tb_dispatcher.policy;
  const bool oracle = policy == "sjf" || policy == "ljf" || policy == "srtf_zero_sampling";
  if (oracle) run.streams = true;
  const std::uint64_t workloads = run.streams ? 2 + draws.below(2) : 1;
  for (std::uint64_t i = 0; i < workloads; ++i) add_workload(run, config, draws);
  for (std::uint64_t i = 0; run.streams && i < workloads; ++i) {
    run.workloads.insert(run.workloads.end(),
                         {"--arrival", std::to_string(draws.one_in(2) ? 0 : draws.below(4000))});
    if (oracle) run.workloads.insert(run.workloads.end(), {"--alone", alone_file});
  }
  if (run.streams && draws.one_in(4))
    config.scheduler.name = draw_scheduler(draws, true) + ":" + draw_scheduler(draws, true);
  settle_conflicts(config, draws);
  const GpuConfig defaults;
  for (const ConfigKey& key : config_schema()) {
    if (key.format(config) != key.format(defaults))
      run.assignments.push_back(key.path + "=" + key.format(config));
  }
  return run;
}

}  // namespace heddle::test
