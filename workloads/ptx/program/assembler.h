#pragma once

#include <string>

#include "workloads/ptx/program/virtual_code.h"
#include "workloads/ptx/text/ast.h"

namespace heddle::ptx {

/// Turns lowered code into a kernel: control flow is analysed, registers are assigned, timing metadata made.
/// Fills everything of Code but `params` and what follows from them. `registers` is what a thread needs for
/// occupancy (Program::registers_per_thread). Throws PtxError when the kernel needs more registers than an
/// instruction can name.
Code assemble(const std::string& file, const ast::Function& kernel, VirtualCode code, unsigned registers);

}  // namespace heddle::ptx
