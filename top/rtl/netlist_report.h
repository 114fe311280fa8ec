#pragma once

#include <string>

#include "hw/reports/cost_table.h"
#include "top/rtl/twin_netlist.h"
#include "top/text/output_format.h"

namespace heddle {

/// An estimate is marked from this difference on.
constexpr double kMarkedDifference = 0.2;

/// What the model asks for one SM's schedulers beside what their netlist has: a section of text or Markdown.
std::string netlist_section(const hw::CostTable& table, const TwinNetlist& netlist, OutputFormat format);

/// `report`, of the same table, with the netlist: text and Markdown have the section at their end, JSON a key
/// "netlist", CSV a row of the kind "netlist".
std::string with_netlist(const std::string& report, const hw::CostTable& table, const TwinNetlist& netlist,
                         OutputFormat format);

}  // namespace heddle
