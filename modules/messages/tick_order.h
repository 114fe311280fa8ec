#pragma once

#include "tlm/clocked.h"

namespace heddle {

/// In which order the blocks of the GPU tick at one edge: lower ones first. Inside an SM consumers tick
/// before producers, so that a stage that empties at an edge can be refilled at the same edge, as pipeline
/// registers can. Execution units have an order each: of those that want the last free slot of the result bus
/// the first one gets it.
namespace tick_order {
constexpr int kMshr = -1;   ///< frees places that the L1D may take at the same edge
constexpr int kMemory = 0;  ///< caches, networks, partitions: all their hops are registered
constexpr int kExecute = 1;
/// Of the unit with result port `port`.
constexpr int execution_unit(unsigned port) { return kExecute + 1 + static_cast<int>(port); }
constexpr unsigned kMaxExecutionUnits = 32;
constexpr int kOperandCollector = execution_unit(kMaxExecutionUnits);
constexpr int kIssue = kOperandCollector + 1;
constexpr int kFetch = kIssue + 1;
static_assert(kFetch < kAfterPipelines);
constexpr int kGlobalMemory = kAfterPipelines;  ///< stores and atomics of all SMs
constexpr int kDispatch = kAfterPipelines + 1;
constexpr int kHost = kAfterPipelines + 2;
}  // namespace tick_order

}  // namespace heddle
