#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "top/fidelity/figures.h"

namespace heddle::fidelity {

/// Runs Heddle's program, each run a process of its own with a temporary output folder.
class Measurement {
 public:
  /// `heddle`: the program; `config` and `settings` (key=value): as for `heddle run --config` and `--set`.
  Measurement(std::string heddle, std::string config, std::vector<std::string> settings = {});

  /// `size`: one of the workload's, "" = default. Throws std::runtime_error when the run fails, or its output
  /// differs from what the reference computed.
  Figures run(const std::string& workload, const std::string& size, const std::string& scheduler) const;

 private:
  std::string heddle_;
  std::string config_;
  std::vector<std::string> settings_;
};

/// The figures in the contents of a stats.json. Cycles of SMs without a TB are taken out of the stall shares,
/// as the reference does not count them; with an active set the shares are those of the warps in it.
Figures figures_of(const nlohmann::json& stats);

}  // namespace heddle::fidelity
