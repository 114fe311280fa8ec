#pragma once

#include <string>
#include <vector>

namespace heddle {

/// The sizes of a paper's experiments.
constexpr const char* kFullSize = "full";
constexpr const char* kQuickSize = "quick";

/// The papers that come with Heddle, in their order: "pro", "warpman", "srtf", "ipaws", "oaws"; those whose
/// figures are defined.
std::vector<std::string> defined_papers();

/// The file of a paper's definitions, experiments/PAPER/figures.yaml; "" when there is none.
std::string paper_definition_file(const std::string& paper);

/// The file of an experiment at a size, kFullSize or kQuickSize; "" when there is none.
std::string experiment_file(const std::string& paper, const std::string& size, const std::string& experiment);

}  // namespace heddle
