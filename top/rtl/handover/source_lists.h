#pragma once

#include <string>

#include "top/rtl/twin_design.h"

namespace heddle {

// Lists of the handed-over SystemVerilog, from the folder on.

/// For the -f option of simulators and synthesisers.
std::string file_list_text(const TwinDesign& design);
/// Bender.yml.
std::string bender_text(const TwinDesign& design);
/// FuseSoC's, of Heddle's `version`.
std::string core_text(const TwinDesign& design, const std::string& version);

constexpr const char* kBenderFile = "Bender.yml";
constexpr const char* kCoreFile = "heddle_scheduler.core";

}  // namespace heddle
