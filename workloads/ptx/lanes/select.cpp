#include "workloads/ptx/lanes/select.h"

#include "workloads/ptx/lanes/memory.h"

namespace heddle::ptx::HEDDLE_LANES {
namespace {

Handler select_logic(const Operation& operation) {
  return operation.type == Type::kPred ? select_move(operation) : select_bits(operation);
}

Handler select_arithmetic(const Operation& operation) {
  const Type type = operation.type;
  if (type == Type::kF32 || type == Type::kF64) return select_float(operation);
  if (operation.carry_in || operation.carry_out) return select_carry(operation);
  const bool product = operation.opcode == Opcode::kMul || operation.opcode == Opcode::kMad;
  return product ? select_multiply(operation) : select_integer(operation);
}

Handler select(const Operation& operation) {
  switch (operation.opcode) {
    case Opcode::kAdd:
    case Opcode::kSub:
    case Opcode::kMul:
    case Opcode::kMad:
    case Opcode::kDiv:
    case Opcode::kRem:
    case Opcode::kAbs:
    case Opcode::kNeg:
    case Opcode::kMin:
    case Opcode::kMax:
    case Opcode::kSad:
      return select_arithmetic(operation);
    case Opcode::kMul24:
    case Opcode::kMad24:
      return select_multiply(operation);
    case Opcode::kFma:
    case Opcode::kRcp:
    case Opcode::kSqrt:
    case Opcode::kRsqrt:
    case Opcode::kSin:
    case Opcode::kCos:
    case Opcode::kLg2:
    case Opcode::kEx2:
    case Opcode::kTanh:
    case Opcode::kCopysign:
      return select_float(operation);
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kNot:
      return select_logic(operation);
    case Opcode::kCnot:
    case Opcode::kLop3:
    case Opcode::kShl:
    case Opcode::kShr:
    case Opcode::kShf:
    case Opcode::kBfind:
    case Opcode::kBrev:
    case Opcode::kClz:
    case Opcode::kPopc:
      return select_bits(operation);
    case Opcode::kBfe:
    case Opcode::kBfi:
    case Opcode::kBmsk:
    case Opcode::kSzext:
    case Opcode::kPrmt:
    case Opcode::kFns:
    case Opcode::kDp2a:
    case Opcode::kDp4a:
      return select_bit_field(operation);
    case Opcode::kSelp:
      return operation.type == Type::kPred ? select_move(operation) : select_compare(operation);
    case Opcode::kTestp:
    case Opcode::kSetp:
    case Opcode::kSet:
    case Opcode::kSlct:
      return select_compare(operation);
    case Opcode::kCvt:
      return select_convert(operation);
    case Opcode::kMov:
    case Opcode::kPack:
    case Opcode::kUnpack:
    case Opcode::kCvta:
    case Opcode::kIsspacep:
      return select_move(operation);
    case Opcode::kVote:
    case Opcode::kMatch:
    case Opcode::kShfl:
    case Opcode::kActivemask:
      return select_warp_wide(operation);
    case Opcode::kLd:
    case Opcode::kSt:
      return select_memory(operation);
    default:
      return nullptr;
  }
}

#define HEDDLE_STRING(name) #name
#define HEDDLE_NAME(name) HEDDLE_STRING(name)

}  // namespace

extern const LaneBuild kBuild;
const LaneBuild kBuild{HEDDLE_NAME(HEDDLE_LANES), &select, &lane_addresses, &probe_addresses};

}  // namespace heddle::ptx::HEDDLE_LANES
