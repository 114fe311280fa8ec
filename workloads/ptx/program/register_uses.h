#pragma once

#include <vector>

#include "workloads/ptx/program/cfg.h"
#include "workloads/ptx/program/registers.h"
#include "workloads/ptx/program/virtual_code.h"

namespace heddle::ptx {

/// Where control goes after each operation. A guarded exit is a step on: the lanes that stay are not split by
/// it. A guarded trap likewise.
std::vector<Flow> flow_of(const VirtualCode& code);

/// What each operation does to virtual registers.
std::vector<RegisterUse> uses_of(const VirtualCode& code);

}  // namespace heddle::ptx
