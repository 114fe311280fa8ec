#pragma once

#include <cstdint>
#include <vector>

#include "workloads/ptx/program/cfg.h"

namespace heddle::ptx {

/// What an operation does to virtual registers. A guarded write keeps the old value of the lanes that are
/// off: list the destination among the reads too.
struct RegisterUse {
  std::vector<std::uint32_t> reads;
  std::vector<std::uint32_t> writes;
  /// The operation writes lanes or registers before it has read everything: no destination may share a slot
  /// with a source. Otherwise it may when both are equally wide.
  bool disjoint = false;
};

struct RegisterAssignment {
  /// First 32-bit slot of each virtual register (an even one for 64 bits), or a predicate's number.
  std::vector<std::uint16_t> slot;
  unsigned num_slots = 0;  ///< even
  unsigned num_predicates = 0;
  /// Virtual registers that a thread may read before it has written them.
  std::vector<std::uint32_t> read_unwritten;
};

/// Gives virtual registers numbers by liveness: two that are live at once never share a slot. `widths` in
/// bits: 1 for a predicate, 8, 16, 32 (one slot), 64 (an even slot and the next).
RegisterAssignment assign_registers(const std::vector<std::uint8_t>& widths,
                                    const std::vector<RegisterUse>& uses, const ControlFlowGraph& graph);

}  // namespace heddle::ptx
