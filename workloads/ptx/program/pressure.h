#pragma once

#include <string>

#include "workloads/ptx/program/virtual_code.h"
#include "workloads/ptx/text/ast.h"

namespace heddle::ptx {

/// Throws PtxError when more registers or predicates are alive at once than an instruction can name, or so
/// many for so long that the graphs of who may not share one would take a gigabyte: before anything is built
/// whose size goes with them.
void check_pressure(const std::string& file, const ast::Function& kernel, const VirtualCode& code);

}  // namespace heddle::ptx
