#pragma once

#include <string>

#include "workloads/ptx/program/virtual_code.h"
#include "workloads/ptx/text/ast.h"

namespace heddle::ptx {

/// A kernel that needs no more registers than a thread may have.
struct SpilledCode {
  VirtualCode code;
  unsigned registers = 0;  ///< as count_registers() says
};

/// Keeps virtual registers in the thread's local memory until the kernel needs at most `limit` registers: a
/// load before each operation that reads one and a store after each that writes one, as a compiler does that
/// is given a limit. Those are chosen that live where the most registers are taken and are used the least,
/// uses in loops counting ten times for each loop around them. Throws PtxError when that is not enough.
SpilledCode spill(const std::string& file, const ast::Function& kernel, VirtualCode code, unsigned limit);

}  // namespace heddle::ptx
