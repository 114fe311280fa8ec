#include "workloads/ptx/execution/execute_bind.h"

#include <cstring>

#include "workloads/ptx/execution/execute_atomics.h"
#include "workloads/ptx/execution/execute_operands.h"
#include "workloads/ptx/isa/type_info.h"

namespace heddle::ptx {

StepKind step_kind(const Operation& operation) {
  switch (operation.opcode) {
    case Opcode::kLd:
    case Opcode::kSt:
      return StepKind::kMemory;
    case Opcode::kAtom:
    case Opcode::kRed:
      return StepKind::kAtomic;
    case Opcode::kBra:
      return StepKind::kBranch;
    case Opcode::kBar:
      return StepKind::kBarrier;
    case Opcode::kBarRed:
      return StepKind::kBarrierReduction;
    case Opcode::kExit:
      return StepKind::kExit;
    case Opcode::kTrap:
      return StepKind::kTrap;
    case Opcode::kPrintf:
      return StepKind::kPrintf;
    case Opcode::kTex:
      return StepKind::kTexture;
    case Opcode::kNop:
    case Opcode::kMembar:
    case Opcode::kBarWarp:
      return StepKind::kNothing;
    default:
      return StepKind::kLanes;
  }
}

BoundCode::BoundCode(const std::vector<Operation>& operations, const LaunchShape& shape,
                     const LaneBuild& build)
    : build_(build) {
  operations_.reserve(operations.size());
  for (const Operation& operation : operations) bind(operation, shape);
}

void BoundCode::bind(const Operation& operation, const LaunchShape& shape) {
  BoundOperation bound;
  bound.operation = &operation;
  bound.kind = step_kind(operation);
  bound.guarded = operation.guard >= 0;
  if (bound.guarded) bound.guard = static_cast<std::uint8_t>(operation.guard);
  bound.guard_inversion = operation.guard_inverted ? kAllLanes : 0;
  bound.invert_compare = compares_inverted(operation);
  if (bound.kind == StepKind::kLanes || bound.kind == StepKind::kMemory) bound.run = build_.select(operation);
  if (bound.kind == StepKind::kAtomic) bound.run = select_atomic(operation);
  bound.changes_memory = bound.kind == StepKind::kAtomic || operation.opcode == Opcode::kSt;
  if (bound.kind == StepKind::kMemory || bound.kind == StepKind::kAtomic) {
    bound.access_bytes = static_cast<std::uint8_t>(bytes_of(operation.type) * operation.vector);
  }
  bound.has_base = operation.address.has_base;
  bound.base_is_wide = operation.address.base_bits == 64;
  bound.address = {kRegisterRows, operation.address.base_slot * kRowBytes};
  for (unsigned i = 0; i < operation.num_src; ++i) bind_source(bound, i, shape);
  for (unsigned i = 0; i < operation.num_dst; ++i) {
    bound.dst[i] = {kRegisterRows, operation.dst[i].slot * kRowBytes};
  }
  const Operand& result = operation.dst[0];
  if (operation.opcode == Opcode::kCvt && result.kind == Operand::Kind::kRegister) {
    const unsigned bits = result_bits(operation);
    bound.extend_result = result.bits > bits && (result.bits == 64 || is_signed_integer(operation.type));
    if (bound.extend_result) bound.dst[0] = {kBlockRows, kScratchResult};
  }
  operations_.push_back(bound);
}

void BoundCode::bind_source(BoundOperation& bound, unsigned index, const LaunchShape& shape) {
  const Operand& operand = bound.operation->src[index];
  const unsigned bits = source_bits(*bound.operation, index);
  const bool wide = bits == 64;
  bool row_is_wide = wide;
  bool dynamic = false;
  RowRef& ref = bound.src[index];
  switch (operand.kind) {
    case Operand::Kind::kRegister:
      ref = {kRegisterRows, operand.slot * kRowBytes};
      row_is_wide = operand.bits == 64;
      break;
    case Operand::Kind::kImmediate:
      ref = constant_row(wide ? operand.value : operand.value & ((std::uint64_t{1} << bits) - 1), wide);
      break;
    case Operand::Kind::kSpecial:
      ref = special_row(operand.special, shape, dynamic);
      row_is_wide = false;
      break;
    case Operand::Kind::kPredicate:
    case Operand::Kind::kNone:
      return;
  }
  if (!dynamic && row_is_wide == wide) return;
  bound.prepare = static_cast<std::uint8_t>(bound.prepare | 1U << index);
  bound.origin[index] = ref;
  ref = {kBlockRows, kScratchSources + index * kWideRowBytes};
}

RowRef BoundCode::special_row(Special special, const LaunchShape& shape, bool& dynamic) {
  switch (special) {
    case Special::kTidX:
      return {kWarpRows, 0};
    case Special::kTidY:
      return {kWarpRows, kRowBytes};
    case Special::kTidZ:
      return {kWarpRows, 2 * kRowBytes};
    case Special::kWarpid:
      return {kWarpRows, 3 * kRowBytes};
    case Special::kCtaidX:
      return {kBlockRows, 0};
    case Special::kCtaidY:
      return {kBlockRows, kRowBytes};
    case Special::kCtaidZ:
      return {kBlockRows, 2 * kRowBytes};
    case Special::kNtidX:
      return constant_row(shape.block.x, false);
    case Special::kNtidY:
      return constant_row(shape.block.y, false);
    case Special::kNtidZ:
      return constant_row(shape.block.z, false);
    case Special::kNctaidX:
      return constant_row(shape.grid.x, false);
    case Special::kNctaidY:
      return constant_row(shape.grid.y, false);
    case Special::kNctaidZ:
      return constant_row(shape.grid.z, false);
    case Special::kNwarpid:
      return constant_row(shape.warps_per_tb, false);
    case Special::kGridid:
      return constant_row(0, false);
    case Special::kDynamicSmemSize:
      return constant_row(shape.dynamic_shared_bytes, false);
    case Special::kTotalSmemSize:
      return constant_row(shape.total_shared_bytes, false);
    case Special::kLaneid:
    case Special::kLanemaskEq:
    case Special::kLanemaskLe:
    case Special::kLanemaskLt:
    case Special::kLanemaskGe:
    case Special::kLanemaskGt:
      return lane_mask_row(special);
    case Special::kSmid:
    case Special::kNsmid:
    case Special::kClock:
    case Special::kClockHi:
    case Special::kClock64:
    case Special::kGlobaltimer:
      break;
  }
  dynamic = true;
  return {};
}

RowRef BoundCode::constant_row(std::uint64_t value, bool wide) {
  const auto [at, inserted] = constant_rows_.try_emplace({value, wide});
  if (inserted) {
    at->second = {kConstantRows, static_cast<std::uint32_t>(constants_.size())};
    const std::size_t lane_bytes = wide ? 8 : 4;
    for (unsigned i = 0; i < kWarpSize; ++i) {
      std::uint8_t bytes[8];
      std::memcpy(bytes, &value, sizeof(value));
      constants_.insert(constants_.end(), bytes, bytes + lane_bytes);
    }
  }
  return at->second;
}

RowRef BoundCode::lane_mask_row(Special special) {
  const auto [at, inserted] = lane_rows_.try_emplace(special);
  if (!inserted) return at->second;
  at->second = {kConstantRows, static_cast<std::uint32_t>(constants_.size())};
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const LaneMask equal = 1U << lane;
    LaneMask value = lane;
    if (special == Special::kLanemaskEq) value = equal;
    if (special == Special::kLanemaskLt) value = equal - 1;
    if (special == Special::kLanemaskLe) value = equal | (equal - 1);
    if (special == Special::kLanemaskGe) value = ~(equal - 1);
    if (special == Special::kLanemaskGt) value = ~(equal | (equal - 1));
    std::uint8_t bytes[4];
    std::memcpy(bytes, &value, sizeof(value));
    constants_.insert(constants_.end(), bytes, bytes + sizeof(value));
  }
  return at->second;
}

}  // namespace heddle::ptx
