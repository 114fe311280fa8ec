#include "workloads/ptx/execution/execute_operands.h"

#include "workloads/ptx/isa/type_info.h"

namespace heddle::ptx {

namespace {

unsigned element_bits(const Operation& operation, unsigned elements) {
  return elements == 0 ? 32 : bits_of(operation.type) / elements;
}

unsigned compared_bits(const Operation& operation) {
  return bits_of(operation.source_type != Type::kNone ? operation.source_type : operation.type);
}

}  // namespace

unsigned source_bits(const Operation& operation, unsigned index) {
  const unsigned bits = bits_of(operation.type);
  switch (operation.opcode) {
    case Opcode::kShl:
    case Opcode::kShr:
    case Opcode::kBfe:
    case Opcode::kSzext:
    case Opcode::kMatch:
      return index == 0 ? bits : 32;
    case Opcode::kBfi:
      return index < 2 ? bits : 32;
    case Opcode::kMul:
    case Opcode::kMad:
      return operation.mul_part == MulPart::kWide && index == 2 ? 2 * bits : bits;
    case Opcode::kCvt:
      return bits_of(operation.source_type);
    case Opcode::kSet:
    case Opcode::kSetp:
      return compared_bits(operation);
    case Opcode::kSlct:
      return index == 2 ? 32 : bits;
    case Opcode::kPack:
      return element_bits(operation, operation.num_src);
    case Opcode::kIsspacep:
    case Opcode::kPrintf:
      return 64;
    case Opcode::kTrap:
      return index < 2 ? 64 : 32;
    case Opcode::kPrmt:
    case Opcode::kFns:
    case Opcode::kBmsk:
    case Opcode::kDp2a:
    case Opcode::kDp4a:
    case Opcode::kVote:
    case Opcode::kShfl:
    case Opcode::kBar:
    case Opcode::kBarRed:
    case Opcode::kBarWarp:
      return 32;
    default:
      return bits;
  }
}

unsigned result_bits(const Operation& operation) {
  const unsigned bits = bits_of(operation.type);
  switch (operation.opcode) {
    case Opcode::kMul:
    case Opcode::kMad:
      return operation.mul_part == MulPart::kWide ? 2 * bits : bits;
    case Opcode::kClz:
    case Opcode::kPopc:
    case Opcode::kBfind:
    case Opcode::kPrmt:
    case Opcode::kFns:
    case Opcode::kBmsk:
    case Opcode::kVote:
    case Opcode::kMatch:
    case Opcode::kShfl:
    case Opcode::kActivemask:
    case Opcode::kBarRed:
    case Opcode::kPrintf:
      return 32;
    case Opcode::kUnpack:
      return element_bits(operation, operation.num_dst);
    default:
      return bits;
  }
}

bool compares_inverted(const Operation& operation) {
  switch (operation.compare) {
    case Compare::kNe:
    case Compare::kGe:
    case Compare::kGt: {
      const Type type = operation.source_type != Type::kNone ? operation.source_type : operation.type;
      return type != Type::kF32 && type != Type::kF64;
    }
    case Compare::kHs:
    case Compare::kHi:
    case Compare::kEqu:
    case Compare::kNeu:
    case Compare::kLtu:
    case Compare::kLeu:
    case Compare::kGtu:
    case Compare::kGeu:
    case Compare::kNan:
      return true;
    default:
      return false;
  }
}

}  // namespace heddle::ptx
