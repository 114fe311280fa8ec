#pragma once

#include <string>

#include "top/rtl/twin_design.h"

namespace heddle {

/// The package heddle_vectors_pkg: how many ports a line of golden vectors has, and their names.
std::string vectors_package_text(const TwinDesign& design);
/// The module heddle_vectors_dut: heddle_scheduler with its inputs as one vector and its outputs as another,
/// so that the testbench is the same for all.
std::string vectors_dut_text(const TwinDesign& design);

}  // namespace heddle
