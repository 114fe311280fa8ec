#pragma once

#include <string>

#include "top/rtl/twin_design.h"

namespace heddle {

// What is generated for a configuration: everything that the files in rtl/ leave open.

/// What each file begins with.
constexpr const char* kRtlHeader =
    "// SPDX-License-Identifier: Apache-2.0\n"
    "// Copyright the Heddle contributors\n\n";
/// The package heddle_config_pkg with the design's parameters.
std::string package_text(const TwinDesign& design);
/// The module heddle_scheduler: the design's module with these parameters, and its ports.
std::string top_text(const TwinDesign& design);
/// The list of files of a simulator's or synthesiser's -f option: sources in `rtl_folder`, then package and
/// top in `folder`, absolute paths.
std::string file_list_text(const TwinDesign& design, const std::string& rtl_folder,
                           const std::string& folder);
/// The module heddle_lockstep: heddle_scheduler, and the model's choices beside it for waves.
std::string lockstep_text(const TwinDesign& design);
/// twin_ports.h: the ports of heddle_lockstep but its clock and reset.
std::string ports_text(const TwinDesign& design);

constexpr const char* kPackageFile = "heddle_config_pkg.sv";
constexpr const char* kTopFile = "heddle_scheduler.sv";
constexpr const char* kFileListFile = "heddle_scheduler.f";
constexpr const char* kLockstepFile = "heddle_lockstep.sv";

}  // namespace heddle
