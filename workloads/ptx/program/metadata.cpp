#include "workloads/ptx/program/metadata.h"

#include "workloads/ptx/isa/type_info.h"

namespace heddle::ptx {

namespace {

OpClass by_type(Type type, OpClass integer_row, OpClass single_row, OpClass double_row) {
  if (type == Type::kF64) {
    return double_row;
  }
  return is_floating(type) ? single_row : integer_row;
}

OpClass row_of(const Operation& operation) {
  const Type type = operation.type;
  switch (operation.opcode) {
    case Opcode::kAdd:
    case Opcode::kSub:
    case Opcode::kSad:
      return by_type(type, OpClass::kIntAdd, OpClass::kFp32Add, OpClass::kFp64Add);
    case Opcode::kMin:
    case Opcode::kMax:
      return by_type(type, OpClass::kIntMinMax, OpClass::kFp32MinMax, OpClass::kFp64MinMax);
    case Opcode::kMul:
    case Opcode::kMul24:
      return by_type(type, OpClass::kIntMul, OpClass::kFp32Mul, OpClass::kFp64Mul);
    case Opcode::kMad:
    case Opcode::kMad24:
    case Opcode::kFma:
    case Opcode::kDp2a:
    case Opcode::kDp4a:
      return by_type(type, OpClass::kIntMad, OpClass::kFp32Mad, OpClass::kFp64Mad);
    case Opcode::kDiv:
    case Opcode::kRem:
      return by_type(type, OpClass::kIntDiv, OpClass::kFp32Div, OpClass::kFp64Div);
    case Opcode::kRcp:
    case Opcode::kSqrt:
    case Opcode::kRsqrt:
    case Opcode::kSin:
    case Opcode::kCos:
    case Opcode::kLg2:
    case Opcode::kEx2:
    case Opcode::kTanh:
      return OpClass::kTranscendental;
    case Opcode::kShfl:
      return OpClass::kShuffle;
    case Opcode::kLd:
    case Opcode::kSt:
    case Opcode::kAtom:
    case Opcode::kRed:
    case Opcode::kTex:
      return OpClass::kMemory;
    default:
      return OpClass::kSimple;
  }
}

Unit unit_of(OpClass row) {
  switch (row) {
    case OpClass::kMemory:
      return Unit::kLdst;
    case OpClass::kTranscendental:
    case OpClass::kFp32Div:
    case OpClass::kFp64Add:
    case OpClass::kFp64MinMax:
    case OpClass::kFp64Mul:
    case OpClass::kFp64Mad:
    case OpClass::kFp64Div:
      return Unit::kSfu;
    default:
      return Unit::kSp;
  }
}

Control control_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::kBra:
      return Control::kBranch;
    case Opcode::kBar:
    case Opcode::kBarRed:
      return Control::kBarrier;
    case Opcode::kMembar:
      return Control::kMembar;
    case Opcode::kExit:
      return Control::kExit;
    default:
      return Control::kNone;
  }
}

MemOp mem_of(const Operation& operation) {
  switch (operation.opcode) {
    case Opcode::kLd:
    case Opcode::kTex:
      return MemOp::kLoad;
    case Opcode::kSt:
      return MemOp::kStore;
    case Opcode::kAtom:
      return MemOp::kAtomic;
    case Opcode::kRed:
      return MemOp::kReduction;
    default:
      return MemOp::kNone;
  }
}

/// Lists the registers of operands as an instruction's sources or destinations.
class RegisterList {
 public:
  using Add = void (Instruction::*)(std::uint16_t);
  RegisterList(Instruction& instruction, Add list) : instruction_(instruction), list_(list) {}

  void add(std::uint16_t number) { (instruction_.*list_)(number); }
  void add_slots(std::uint16_t slot, unsigned bits) {
    add(slot);
    if (bits == 64) {
      add(static_cast<std::uint16_t>(slot + 1));
    }
  }
  void add_predicate(unsigned number) {
    add(static_cast<std::uint16_t>(Instruction::kFirstPredicate + number));
  }
  void add_general(const Operand& operand) {
    if (operand.kind == Operand::Kind::kRegister) {
      add_slots(operand.slot, operand.bits);
    }
  }
  void add_predicate(const Operand& operand) {
    if (operand.kind == Operand::Kind::kPredicate) {
      add_predicate(operand.slot);
    }
  }

 private:
  Instruction& instruction_;
  Add list_;
};

}  // namespace

Instruction describe(const Operation& operation, CacheOp cache) {
  Instruction instruction;
  instruction.op_class = row_of(operation);
  instruction.unit = unit_of(instruction.op_class);
  instruction.control = control_of(operation.opcode);
  instruction.mem = mem_of(operation);
  if (instruction.mem != MemOp::kNone) {
    instruction.space = operation.space;
    instruction.cache = cache;
    instruction.element_bytes = static_cast<std::uint8_t>(bytes_of(operation.type));
    instruction.bytes_per_lane = static_cast<std::uint8_t>(instruction.element_bytes * operation.vector);
  }
  RegisterList sources(instruction, &Instruction::add_source);
  RegisterList destinations(instruction, &Instruction::add_destination);
  if (instruction.mem != MemOp::kNone && operation.address.has_base) {
    sources.add_slots(operation.address.base_slot, operation.address.base_bits);
    instruction.num_address_sources = instruction.num_sources;
  }
  for (unsigned i = 0; i < operation.num_src; ++i) {
    sources.add_general(operation.src.at(i));
  }
  for (unsigned i = 0; i < operation.num_src; ++i) {
    sources.add_predicate(operation.src.at(i));
  }
  if (operation.guard >= 0) {
    sources.add_predicate(static_cast<unsigned>(operation.guard));
  }
  if (operation.carry_in) {
    sources.add_predicate(kCarryPredicate);
  }
  for (unsigned i = 0; i < operation.num_dst; ++i) {
    destinations.add_general(operation.dst.at(i));
  }
  for (unsigned i = 0; i < operation.num_dst; ++i) {
    destinations.add_predicate(operation.dst.at(i));
  }
  if (operation.carry_out) {
    destinations.add_predicate(kCarryPredicate);
  }
  return instruction;
}

}  // namespace heddle::ptx
