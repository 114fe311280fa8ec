#include "modules/tb_dispatcher/dispatch_policy.h"
#include "modules/tb_dispatcher/resources/contention_control.h"
#include "modules/tb_dispatcher/resources/resource_manager.h"
#include "modules/warp_scheduler/warp_table.h"
#include "top/config/config_builders.h"
#include "top/config/config_sections.h"

namespace heddle::config {

namespace {

constexpr double kMaxCycles = 1e12;
constexpr double kMaxPeriodCycles = 1e9;

template <class Entry>
std::vector<std::string> names_of(const std::vector<const Entry*>& entries) {
  std::vector<std::string> names;
  for (const Entry* entry : entries) names.emplace_back(entry->name);
  return names;
}

void add_clock_keys(std::vector<ConfigKey>& keys) {
  keys.push_back(real<&GpuConfig::clock, &ClockConfig::core_mhz>(
      "clock.core_mhz", 1, 100000, "MHz", "Core clock: one warp instruction per scheduler and cycle"));
  keys.push_back(real<&GpuConfig::clock, &ClockConfig::interconnect_mhz>("clock.interconnect_mhz", 1, 100000,
                                                                         "MHz", "Interconnect clock"));
  keys.push_back(real<&GpuConfig::clock, &ClockConfig::l2_mhz>("clock.l2_mhz", 1, 100000, "MHz",
                                                               "Clock of the L2 slices"));
  keys.push_back(real<&GpuConfig::clock, &ClockConfig::dram_mhz>("clock.dram_mhz", 1, 100000, "MHz",
                                                                 "DRAM command clock"));
}

void add_occupancy_keys(std::vector<ConfigKey>& keys) {
  keys.push_back(
      whole<&GpuConfig::core, &CoreConfig::sms>("core.sms", 1, 256, "SMs", "Streaming multiprocessors"));
  keys.push_back(
      whole<&GpuConfig::core, &CoreConfig::warps>("core.warps", 1, 64, "warps", "Warp slots of an SM"));
  keys.push_back(whole<&GpuConfig::core, &CoreConfig::threads>("core.threads", 32, 2048, "threads",
                                                               "Resident threads of an SM"));
  keys.push_back(
      whole<&GpuConfig::core, &CoreConfig::tb_slots>("core.tb_slots", 1, 64, "TBs", "Resident TBs of an SM"));
  keys.push_back(whole<&GpuConfig::core, &CoreConfig::registers>("core.registers", 32, 1048576, "registers",
                                                                 "32-bit registers of an SM"));
  keys.push_back(power_of_two<&GpuConfig::core, &CoreConfig::register_allocation_unit>(
      "core.register_allocation_unit", 1, 256, "registers", "Registers per thread are rounded up to this"));
  keys.push_back(whole<&GpuConfig::core, &CoreConfig::max_registers_per_thread>(
      "core.max_registers_per_thread", 0, 255, "registers",
      "Most registers of a thread: what does not fit is kept in local memory; 0 is no limit"));
  keys.push_back(whole<&GpuConfig::core, &CoreConfig::shared_bytes>("core.shared_bytes", 0, 1048576, "bytes",
                                                                    "Shared memory of an SM"));
  keys.push_back(power_of_two<&GpuConfig::core, &CoreConfig::shared_allocation_bytes>(
      "core.shared_allocation_bytes", 1, 4096, "bytes", "Shared memory of a TB is rounded up to this"));
}

void add_resources_keys(std::vector<ConfigKey>& keys) {
  keys.push_back(name<&GpuConfig::core, &CoreConfig::resources, &SmResourcesConfig::management>(
      "core.resources.management", names_of(resource_managements()),
      "What registers and warp slots are given and taken back by"));
  keys.push_back(name<&GpuConfig::core, &CoreConfig::resources, &SmResourcesConfig::contention>(
      "core.resources.contention", names_of(contention_controls()),
      "What holds allocation by warp back when warps are in each other's way"));
  keys.push_back(whole<&GpuConfig::core, &CoreConfig::resources, &SmResourcesConfig::contention_warps>(
      "core.resources.contention_warps", 1, 64, "warps",
      "threshold: at so many concurrent warps of an SM nothing more is given warp by warp"));
  keys.push_back(whole<&GpuConfig::core, &CoreConfig::resources, &SmResourcesConfig::dueling_period_cycles>(
      "core.resources.dueling_period_cycles", 100, kMaxPeriodCycles, "core cycles",
      "dueling: after each period the IPC of SM 0 (temporal) and SM 1 (also spatial) decides"));
}

void add_issue_keys(std::vector<ConfigKey>& keys) {
  keys.push_back(whole<&GpuConfig::core, &CoreConfig::schedulers>(
      "core.schedulers", 1, kMaxSchedulers, "schedulers",
      "Warp schedulers of an SM; warp w belongs to scheduler w mod this"));
  keys.push_back(flag<&GpuConfig::core, &CoreConfig::rotate_schedulers>(
      "core.rotate_schedulers",
      "Which scheduler picks first for the shared issue slots turns with the SM's cycles"));
  keys.push_back(whole<&GpuConfig::core, &CoreConfig::launch_latency_cycles>(
      "core.launch_latency_cycles", 0, kMaxCycles, "core cycles", "From a kernel launch to its first TB"));
  keys.push_back(whole<&GpuConfig::core, &CoreConfig::watchdog_cycles>(
      "core.watchdog_cycles", 1, kMaxCycles, "core cycles",
      "No warp issues and nothing returns for so long: the run is given up as a deadlock"));
  keys.push_back(flag<&GpuConfig::core, &CoreConfig::load_statistics>(
      "core.load_statistics",
      "Count memory occlusion, fully cached loads, and MSHR entries by load and warp age (slower)"));
}

void add_scheduler_keys(std::vector<ConfigKey>& keys) {
  keys.push_back(scheduler<&GpuConfig::scheduler, &WarpSchedulerConfig::name>(
      "scheduler.name",
      "Warp scheduler: PRIORITIZER, QUALIFIER (with gto) or QUALIFIER+PRIORITIZER; A:B: A for the first "
      "stream, B for others"));
  keys.push_back(choice<&GpuConfig::scheduler, &WarpSchedulerConfig::timing>(
      "scheduler.timing", {"ideal", "hardware"},
      "Whether a policy's sorters and comparators work at once or take their cycles"));
  keys.push_back(real<&GpuConfig::scheduler, &WarpSchedulerConfig::clock_fo4>(
      "scheduler.clock_fo4", 8, 1000, "FO4", "Core clock period: what a part's logic has to fit into"));
  keys.push_back(whole<&GpuConfig::scheduler, &WarpSchedulerConfig::choice_cycles>(
      "scheduler.choice_cycles", 0, 64, "core cycles",
      "Hardware timing: from what a warp is chosen by to its issue; 0: from the policy's logic and the "
      "clock"));
  keys.push_back(whole<&GpuConfig::scheduler, &WarpSchedulerConfig::broadcast_cycles>(
      "scheduler.broadcast_cycles", 1, 1000, "core cycles",
      "Hardware timing: until what one block decides is known to all SMs"));
}

void add_tb_dispatcher_keys(std::vector<ConfigKey>& keys) {
  keys.push_back(name<&GpuConfig::tb_dispatcher, &TbDispatcherConfig::policy>(
      "tb_dispatcher.policy", names_of(dispatch_policies()),
      "Which kernel an SM gets its next thread block from"));
  keys.push_back(flag<&GpuConfig::tb_dispatcher, &TbDispatcherConfig::mixed_sms>(
      "tb_dispatcher.mixed_sms",
      "An SM may hold thread blocks of several kernels; else it drains before the next"));
  keys.push_back(whole<&GpuConfig::tb_dispatcher, &TbDispatcherConfig::max_kernels>(
      "tb_dispatcher.max_kernels", 1, 64, "kernels", "Kernels that run at once; more wait"));
  keys.push_back(whole<&GpuConfig::tb_dispatcher, &TbDispatcherConfig::sampling_sm>(
      "tb_dispatcher.sampling_sm", 0, 255, "SM", "srtf: the SM on which a new kernel is sampled"));
  keys.push_back(real<&GpuConfig::tb_dispatcher, &TbDispatcherConfig::adaptive_threshold>(
      "tb_dispatcher.adaptive_threshold", 0, 1000, "slowdown",
      "srtf_adaptive: kernels share the SMs when their slowdowns differ by more"));
  keys.push_back(flag<&GpuConfig::tb_dispatcher, &TbDispatcherConfig::adaptive_only_if_fairer>(
      "tb_dispatcher.adaptive_only_if_fairer",
      "srtf_adaptive: kernels share only if their slowdowns are predicted to differ less then"));
  keys.push_back(whole<&GpuConfig::tb_dispatcher, &TbDispatcherConfig::adaptive_residency>(
      "tb_dispatcher.adaptive_residency", 1, 32, "TBs",
      "srtf_adaptive: TBs per SM of the fastest kernel while kernels share"));
  keys.push_back(whole<&GpuConfig::tb_dispatcher, &TbDispatcherConfig::first_residency>(
      "tb_dispatcher.first_residency", 0, 64, "TBs",
      "fixed_residency: TBs per SM of a kernel of the first stream; 0: as many as fit"));
  keys.push_back(whole<&GpuConfig::tb_dispatcher, &TbDispatcherConfig::other_residency>(
      "tb_dispatcher.other_residency", 0, 64, "TBs",
      "fixed_residency: TBs per SM of a kernel of the other streams; 0: as many as fit"));
  keys.push_back(whole<&GpuConfig::tb_dispatcher, &TbDispatcherConfig::oracle_lookahead_cycles>(
      "tb_dispatcher.oracle_lookahead_cycles", 0, kMaxCycles, "core cycles",
      "sjf, ljf: how long before its arrival they know of a kernel"));
}

void add_fetch_keys(std::vector<ConfigKey>& keys) {
  keys.push_back(whole<&GpuConfig::fetch, &FetchConfig::ibuffer_entries>(
      "fetch.ibuffer_entries", 1, 8, "instructions", "I-buffer of a warp; refilled when it is empty"));
  keys.push_back(power_of_two<&GpuConfig::fetch, &FetchConfig::fetch_bytes>(
      "fetch.fetch_bytes", 8, 64, "bytes", "Bytes fetched per cycle, for one warp; an instruction has 8"));
  cache<&GpuConfig::fetch, &FetchConfig::cache>(keys, "fetch.cache", 128);
  keys.push_back(whole<&GpuConfig::fetch, &FetchConfig::mshr_entries>("fetch.mshr_entries", 1, 64, "lines",
                                                                      "Outstanding I-cache misses"));
  keys.push_back(whole<&GpuConfig::fetch, &FetchConfig::mshr_merges>(
      "fetch.mshr_merges", 1, 64, "warps", "Warps that wait for one line of the instruction cache"));
}

}  // namespace

void add_core_keys(std::vector<ConfigKey>& keys) {
  keys.push_back(text<&GpuConfig::name>("name", "Name of the configuration, shown in results"));
  add_clock_keys(keys);
  add_occupancy_keys(keys);
  add_resources_keys(keys);
  add_issue_keys(keys);
  add_scheduler_keys(keys);
  add_tb_dispatcher_keys(keys);
  add_fetch_keys(keys);
}

}  // namespace heddle::config
