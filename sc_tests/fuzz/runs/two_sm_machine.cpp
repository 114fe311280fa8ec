#include "sc_tests/fuzz/runs/two_sm_machine.h"

#include <memory>
#include <systemc>

#include "modules/warp_scheduler/policy_registry.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"

namespace heddle::fuzz {

namespace {

/// The SystemC context that was, put aside until the end of its life.
class OwnContext {
 public:
  OwnContext() : before_(sc_core::sc_curr_simcontext) {
    sc_core::sc_curr_simcontext = nullptr;  // the first who asks makes a new one
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  }
  ~OwnContext() {
    delete sc_core::sc_curr_simcontext;
    sc_core::sc_curr_simcontext = before_;
    sc_core::sc_default_global_context = before_;
  }
  OwnContext(const OwnContext&) = delete;
  OwnContext& operator=(const OwnContext&) = delete;

 private:
  sc_core::sc_simcontext* before_;
};

std::vector<std::string> all_schedulers() {
  std::vector<std::string> names;
  for (const PrioritizerEntry* entry : prioritizers()) names.emplace_back(entry->name);
  for (const QualifierEntry* entry : qualifiers()) names.push_back(std::string(entry->name) + "+lrr");
  return names;
}

}  // namespace

std::string numbered_scheduler(std::uint32_t number) {
  static const std::vector<std::string> names = all_schedulers();
  return names[number % names.size()];
}

LoadedConfig two_sm_config(const std::string& scheduler) {
  return load_config("", {"core.sms=2", "dram.channels=1", "scheduler.name=" + scheduler});
}

RunResult simulate(const LoadedConfig& config, HostProgram& program, std::uint64_t max_cycles) {
  const OwnContext context;
  const std::unique_ptr<Gpu> gpu = build_gpu(config);
  HostOptions options;
  options.max_cycles = max_cycles;
  Host host("host", *gpu, program, options);
  gpu->clock_tree().run_ahead();
  return host.run();
}

}  // namespace heddle::fuzz
