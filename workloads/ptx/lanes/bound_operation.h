#pragma once

#include <array>
#include <cstdint>

#include "workloads/ptx/isa/operation.h"

namespace heddle::ptx {

/// What an operand's row of 32 lanes is found relative to; see LaneContext::bases.
enum RowBase : std::uint8_t { kRegisterRows, kConstantRows, kBlockRows, kWarpRows };
constexpr unsigned kNumRowBases = 4;

/// Bytes of a row of 32-bit lanes and of 64-bit lanes.
constexpr std::uint32_t kRowBytes = 128;
constexpr std::uint32_t kWideRowBytes = 256;

/// A row of lane values: 32 x 32 bits, or 32 x 64 bits. Values of 8 and 16 bits are kept zero-extended in a
/// 32-bit lane.
struct RowRef {
  RowBase base = kRegisterRows;
  std::uint32_t offset = 0;  ///< bytes
};

/// Where the lanes of a memory access find their bytes: lane i's are at host + address[i] + i * lane_stride.
struct MemoryWindow {
  std::uintptr_t host = 0;        ///< a number: with addresses far above, it can lie before any object
  std::uint64_t lane_stride = 0;  ///< local memory is apart for each lane
  const std::uint64_t* address = nullptr;  ///< of each lane
  bool consecutive = false;                ///< all 32 lanes are active and lie one after the other
  bool uniform = false;                    ///< all lanes have the address of lane 0
};

/// What a lane handler works on: the state of one warp and the lanes that execute.
struct LaneContext {
  /// Register file of the warp; constants of the launch; values of the thread block and scratch rows;
  /// values that differ by warp (thread ids).
  std::array<std::uint8_t*, kNumRowBases> bases{};
  LaneMask* predicates = nullptr;
  LaneMask active = 0;  ///< lanes that execute: never 0 in a handler
  MemoryWindow memory;
};

struct BoundOperation;

/// Executes one operation for the active lanes.
using Handler = void (*)(LaneContext&, const BoundOperation&);

/// How a warp goes on after an operation, and who executes it.
enum class StepKind : std::uint8_t {
  kLanes,  ///< handler, next instruction
  kMemory,
  kAtomic,
  kBranch,
  kBarrier,
  kBarrierReduction,
  kExit,
  kTrap,
  kPrintf,
  kTexture,
  kNothing,
};

/// An operation of a launch, ready to run: its handler and where its operands lie.
struct BoundOperation {
  Handler run = nullptr;
  std::array<RowRef, 5> src{};
  std::array<RowRef, 5> origin{};  ///< of a source that `prepare` names: what to copy to src
  std::array<RowRef, 4> dst{};
  RowRef address;                 ///< row of the base register when `has_base`
  std::uint8_t access_bytes = 0;  ///< of one lane of a memory operation
  bool has_base = false;
  bool base_is_wide = false;
  bool invert_compare = false;  ///< setp, set: the handler computes the opposite comparison
  std::uint8_t prepare = 0;     ///< bit i: source i is copied to a scratch row first
  bool extend_result = false;   ///< the result goes to a scratch row and is widened to the register
  bool changes_memory = false;  ///< a store or an atomic
  bool guarded = false;
  std::uint8_t guard = 0;
  LaneMask guard_inversion = 0;
  StepKind kind = StepKind::kLanes;
  const Operation* operation = nullptr;
};

}  // namespace heddle::ptx
