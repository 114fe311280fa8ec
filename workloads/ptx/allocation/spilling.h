#pragma once

#include <string>

#include "workloads/ptx/program/virtual_code.h"
#include "workloads/ptx/text/ast.h"

namespace heddle::ptx {

/// Keeps virtual registers in the thread's local memory until the kernel fits in `limit` registers: a
/// load before each operation that reads one and a store after each that writes one, as a compiler does that
/// is given a limit. Those are chosen that live where the most registers are taken and are used the least,
/// uses in loops counting ten times for each loop around them. Throws PtxError when that is not enough.
VirtualCode spill(const std::string& file, const ast::Function& kernel, VirtualCode code, unsigned limit);

}  // namespace heddle::ptx
