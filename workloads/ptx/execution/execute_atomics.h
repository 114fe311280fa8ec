#pragma once

#include "workloads/ptx/lanes/bound_operation.h"

namespace heddle::ptx {

/// The handler of an atom or red, nullptr when there is none. It works on LaneContext::memory, one active
/// lane after the other from lane 0 up, so that results do not depend on chance.
Handler select_atomic(const Operation& operation);

}  // namespace heddle::ptx
