#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "top/rtl/twin_design.h"
#include "top/rtl/twin_sources.h"

namespace heddle {

/// What the synthesis of a twin has made of it: one SM's schedulers, in the cells that docs/rtl.md names.
struct TwinNetlist {
  std::string scheduler;  ///< as scheduler.name has it
  std::string block;      ///< TwinDesign::block
  std::string module;
  std::vector<std::string> left_out;  ///< TwinDesign::not_in_netlist
  std::uint64_t flip_flops = 0;
  double nand2 = 0;             ///< area, NAND2-equivalents
  double flip_flops_nand2 = 0;  ///< of it, that of the flip-flops
  double fo4 = 0;               ///< of the longest path
  std::string from;             ///< where it runs: a port, or what a flip-flop keeps
  std::string to;
};

/// A module that is synthesised, and its parameters: "NumWarps 48 NumSchedulers 2".
struct PricedModule {
  std::string name;
  std::string parameters;
};
/// Of what the estimate is of: a qualifier and a prioritizer, or one module.
std::vector<PricedModule> priced_modules(const TwinDesign& design);

/// Runs rtl/synthesis/synthesise.sh (yosys, OpenSTA): a qualifier and a prioritizer each by itself, of which
/// the sums and the longer path are given. Throws RtlError: it says which package is missing, or what a tool
/// said.
TwinNetlist synthesise_twin(const TwinDesign& design, const TwinSources& sources);

/// Throws RtlError when something that synthesise_twin() needs is not installed.
void check_synthesis(const TwinSources& sources);

/// Those of a module of the design: "NumWarps 48 NumSchedulers 2".
std::string parameters_text(const TwinDesign& design, const TwinDesign::Module& module);

}  // namespace heddle
