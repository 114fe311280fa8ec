#pragma once

#include <string>
#include <vector>

namespace heddle {

/// The papers that come with Heddle, in their order: "pro", "warpman", "srtf", "ipaws", "oaws"; those whose
/// figures are defined.
std::vector<std::string> defined_papers();

/// The file of a paper's definitions, experiments/PAPER/figures.yaml; "" when there is none.
std::string paper_definition_file(const std::string& paper);

}  // namespace heddle
