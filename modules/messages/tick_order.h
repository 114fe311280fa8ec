#pragma once

#include "tlm/clocked.h"

namespace heddle {

/// In which order the blocks of the GPU tick at one edge: lower ones first. Inside an SM consumers tick
/// before producers, so that a stage that empties at an edge can be refilled at the same edge, as pipeline
/// registers can.
namespace tick_order {
constexpr int kMshr = -1;   ///< frees places that the L1D may take at the same edge
constexpr int kMemory = 0;  ///< caches, networks, partitions: all their hops are registered
constexpr int kExecute = 1;
constexpr int kOperandCollector = 2;
constexpr int kIssue = 3;
constexpr int kFetch = 4;
constexpr int kGlobalMemory = kAfterPipelines;  ///< stores and atomics of all SMs
constexpr int kDispatch = kAfterPipelines + 1;
constexpr int kHost = kAfterPipelines + 2;
}  // namespace tick_order

}  // namespace heddle
