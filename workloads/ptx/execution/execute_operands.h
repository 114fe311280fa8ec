#pragma once

#include "workloads/ptx/isa/operation.h"

namespace heddle::ptx {

/// Bits of source `index` as the operation reads it: 64 when its row has 64-bit lanes, 8 to 32 when it has
/// 32-bit lanes.
unsigned source_bits(const Operation& operation, unsigned index);

/// Bits of the result dst[0] as the operation's handler writes it.
unsigned result_bits(const Operation& operation);

/// True when the operation's comparison is computed as the opposite of another one (ge as not lt).
bool compares_inverted(const Operation& operation);

}  // namespace heddle::ptx
