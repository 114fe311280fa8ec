#include "workloads/ptx/execution/execute.h"
#include "workloads/ptx/execution/execute_atomics.h"
#include "workloads/ptx/execution/execute_bind.h"
#include "workloads/ptx/isa/type_info.h"

namespace heddle::ptx {

namespace {

/// Handlers that move bits, and are chosen by width or not at all, take rows of the widths that are here.
bool has_width_of_handler(const Operation& operation) {
  const unsigned bits = operation.type == Type::kPred ? 0 : bits_of(operation.type);
  switch (operation.opcode) {
    case Opcode::kShfl:
    case Opcode::kActivemask:
    case Opcode::kBmsk:
    case Opcode::kPrmt:
    case Opcode::kFns:
      return bits == 32;
    case Opcode::kMatch:
    case Opcode::kCvta:
      return bits == 32 || bits == 64;
    case Opcode::kSelp:
      return operation.type == Type::kPred || bits >= 16;
    case Opcode::kSlct:
      return bits >= 16;
    case Opcode::kTestp:
      return operation.type == Type::kF32 || operation.type == Type::kF64;
    default:
      return true;
  }
}

}  // namespace

bool is_executable(const Operation& operation) {
  switch (step_kind(operation)) {
    case StepKind::kLanes:
      return has_width_of_handler(operation) && baseline_lane_build().select(operation) != nullptr;
    case StepKind::kMemory:
      return baseline_lane_build().select(operation) != nullptr;
    case StepKind::kAtomic:
      return select_atomic(operation) != nullptr;
    default:
      return true;
  }
}

}  // namespace heddle::ptx
