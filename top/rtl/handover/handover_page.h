#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "top/rtl/twin_design.h"
#include "top/rtl/twin_netlist.h"

namespace heddle {

/// What a handover's page tells.
struct Handover {
  TwinDesign design;
  std::string config;   ///< name
  std::string command;  ///< of the run that its vectors are from
  unsigned sm = 0;      ///< whose vectors
  unsigned sms = 0;     ///< that were compared
  std::uint64_t vectors = 0;
  std::uint64_t edges = 0;   ///< clock edges of all SMs at which twin and model were compared
  std::uint64_t grants = 0;  ///< choices among them
  std::optional<TwinNetlist> netlist;
  std::string version;          ///< of Heddle
  bool formal = false;          ///< there are proofs of modules beside those in the modules
  std::uint64_t cut_after = 0;  ///< the run was to end after so many core cycles, and has; 0: it is whole
};

/// README.md: what is in the folder, what can be done with it, and what has been shown.
std::string handover_page(const Handover& handover);

}  // namespace heddle
