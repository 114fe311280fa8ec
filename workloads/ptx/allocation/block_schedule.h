#pragma once

#include <cstdint>
#include <vector>

#include "workloads/ptx/allocation/value_graph.h"

namespace heddle::ptx {

/// How a compiler orders the operations of a block.
enum class Effort : std::uint8_t {
  kFast,   ///< results are there when they are read
  kSmall,  ///< few registers: the order of the PTX
};

/// The nodes of a block in the order in which a compiler issues them. With Effort::kFast loads go first, with
/// what their addresses need, until ten registers wait for their first reader; of other operations, the one
/// on the longest path whose operands are there goes first, out of the twelve that are next in the PTX. No
/// access of memory passes one that it must not.
std::vector<std::uint32_t> schedule(const ValueGraph& graph, Effort effort);

}  // namespace heddle::ptx
