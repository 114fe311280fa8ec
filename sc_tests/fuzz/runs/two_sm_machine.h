#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "top/config/config_loader.h"
#include "top/machine/run_result.h"
#include "workloads/host/host_program.h"

namespace heddle::fuzz {

/// The schedulers that `number` chooses one of: every prioritizer, and every qualifier with one.
std::string numbered_scheduler(std::uint32_t number);

/// A GTX480-like machine with two SMs and one memory channel.
LoadedConfig two_sm_config(const std::string& scheduler);

/// Simulates the program for at most `max_cycles`. SystemC has one simulation a process; each of these has a
/// SystemC context of its own, in which nothing else may be simulated meanwhile.
RunResult simulate(const LoadedConfig& config, HostProgram& program, std::uint64_t max_cycles);

}  // namespace heddle::fuzz
