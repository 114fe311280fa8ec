#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "modules/config/gpu_config.h"
#include "top/config/config_loader.h"

namespace heddle {

/// What a twin is told in a cycle, a bit per warp slot each. docs/rtl-lockstep.md has their times.
enum class TwinInput : std::uint8_t {
  kStart,     ///< warps that start
  kFinish,    ///< warps that issue their exit
  kReady,     ///< warps that may issue
  kStale,     ///< warps whose I-buffer is stale, among which the scheduler may come to some
  kIssue,     ///< warps that issue
  kRuns,      ///< resident warps that wait for nothing that takes long (WarpTable::waits_long)
  kWaits,     ///< slots that make room for others (Prioritizer::waiting)
  kResident,  ///< warps of the SM
};
constexpr unsigned kNumTwinInputs = 8;

/// What a twin decides, a bit per warp slot each.
enum class TwinOutput : std::uint8_t {
  kGrant,   ///< the choice, one of a scheduler at most
  kPassed,  ///< stale warps that come before it
};
constexpr unsigned kNumTwinOutputs = 2;

/// Names of the ports.
const char* port_name(TwinInput input);
const char* port_name(TwinOutput output);

/// The SystemVerilog twin of a configuration's warp schedulers: the module in rtl/schedulers that stands for
/// all of an SM, its parameters and its ports.
struct TwinDesign {
  struct Parameter {
    std::string name;
    std::uint64_t value = 0;
    std::string meaning;  ///< with the key of the configuration
  };

  std::string scheduler;             ///< as scheduler.name has it
  std::string module;                ///< heddle_gto_sm
  std::vector<std::string> sources;  ///< files below rtl/, what is instantiated before who does
  std::vector<Parameter> parameters;
  std::vector<TwinInput> inputs;
  unsigned warps = 0;  ///< of an SM: bits of each port
};

/// That of `gpu`. Throws RtlError for a scheduler without a twin, and as SmPolicies does for a configuration
/// that no SM can be built for.
TwinDesign twin_design(const GpuConfig& gpu);

/// Likewise; what the blocks refuse becomes a ConfigError that says where the value was given.
TwinDesign checked_twin_design(const LoadedConfig& loaded);

/// Schedulers that have a twin, with commas between them.
std::string twin_names();

}  // namespace heddle
