#include "top/pair_runs/pair_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "top/support/sized_workload.h"

namespace heddle {

std::vector<std::string> pair_programs(const PairsOptions& options) {
  if (options.workloads.size() == 1) {
    std::vector<std::string> copies(options.together, options.workloads.front());
    return copies;
  }
  if (options.workloads.size() >= options.together) return options.workloads;
  throw std::invalid_argument(fmt::format("--together {}: expected as many workloads, found {}",
                                          options.together, options.workloads.size()));
}

std::vector<std::string> pair_names(const std::vector<std::string>& programs) {
  std::vector<std::string> names;
  std::map<std::string, unsigned> copies;
  for (const std::string& program : programs) {
    const unsigned copy = ++copies[program];
    const std::string name = SizedWorkload::of(program).name();
    names.push_back(copy == 1 ? name : fmt::format("{}#{}", name, copy));
  }
  return names;
}

DispatchDelays delays_in(const RunFigures& figures, const std::string& policy) {
  const auto delay = [&](const char* name) -> std::optional<std::uint64_t> {
    const auto value = figures.value(fmt::format("tb_dispatcher.{}.{}", policy, name));
    if (!value) return std::nullopt;
    return static_cast<std::uint64_t>(*value);
  };
  return {delay("changes_to_sharing"), delay("sampling_delay_cycles"), delay("hand_off_cycles")};
}

}  // namespace heddle
