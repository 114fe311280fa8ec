// Addresses of variables and memory accesses, and mov, which may take an address.
#include "workloads/ptx/isa/type_info.h"
#include "workloads/ptx/program/operand_binder.h"

namespace heddle::ptx {

using Kind = ast::Operand::Kind;

namespace {

std::string_view space_name(Space space) {
  switch (space) {
    case Space::kGlobal:
      return ".global";
    case Space::kLocal:
      return ".local";
    case Space::kShared:
      return ".shared";
    case Space::kConst:
      return ".const";
    case Space::kParam:
      return ".param";
    default:
      return "generic";
  }
}

}  // namespace

void OperandBinder::bind_symbol(const Frame& frame, const ast::Operand& operand, Type type,
                                VirtualOperation& operation) {
  Operation& op = operation.operation;
  const Space space = operand.symbol->space;
  const bool absolute = space == Space::kGlobal || space == Space::kConst;
  if (is_floating(type) || bits_of(type) < (absolute ? 64U : 32U)) {
    fail_operand(operand, "found the address of '" + operand.symbol->name + "', expected a value of type ." +
                              std::string(spelling(type)));
  }
  Operand& bound = op.src.at(op.num_src);
  bound.kind = Operand::Kind::kImmediate;
  bound.value = place(frame, operand, static_cast<std::int8_t>(op.num_src));
}

std::uint64_t OperandBinder::place(const Frame& frame, const ast::Operand& operand, std::int8_t source) {
  const ast::Variable& variable = *operand.symbol;
  const auto offset = static_cast<std::uint64_t>(operand.offset);
  if (variable.opaque != ast::Opaque::kNo) return handle_of(operand);
  if (variable.space == Space::kShared) {
    return shared_.offset_of(variable) + offset;
  }
  if (variable.space == Space::kLocal || variable.space == Space::kParam) {
    const auto found = frame.offsets.find(&variable);
    if (found == frame.offsets.end()) {
      fail_operand(operand, "found '" + variable.name + "', expected a variable of this function in memory");
    }
    return found->second + offset;
  }
  const auto found = variables_.find(&variable);
  if (found == variables_.end()) {
    fail_operand(operand, "found '" + variable.name + "', which is declared .extern in line " +
                              std::to_string(variable.position.line) + " but nowhere defined in this file");
  }
  if (!variable.function.empty()) {
    fail_operand(operand, "found '" + variable.name + "', which holds the address of function '" +
                              variable.function + "' (line " + std::to_string(variable.position.line) +
                              "), but function pointers are not supported");
  }
  code_.relocations.push_back({static_cast<std::uint32_t>(code_.operations.size()), source, found->second});
  return offset;
}

void OperandBinder::bind_address(const Frame& frame, const ast::Operand& operand,
                                 VirtualOperation& operation) {
  if (operand.kind != Kind::kAddress) {
    fail_operand(operand, "found '" + std::string(operand.text) + "', expected an address in []");
  }
  if (!operand.elements.empty()) {
    fail_operand(operand, "found ',' in an address, expected it only of 'tex'");
  }
  Operation& op = operation.operation;
  op.address.offset = operand.offset;
  if (operand.reg != ast::kNoRegister) {
    const Type declared = frame.function->registers[operand.reg];
    if ((bits_of(declared) != 32 && bits_of(declared) != 64) || is_floating(declared)) {
      fail_operand(operand, "found an address register of type ." + std::string(spelling(declared)) +
                                ", expected an integer of 32 or 64 bits");
    }
    op.address.has_base = true;
    op.address.base_bits = static_cast<std::uint8_t>(bits_of(declared));
    operation.base = frame.register_base + operand.reg;
  } else if (operand.symbol != nullptr) {
    if (operand.symbol->opaque != ast::Opaque::kNo) {
      fail_operand(operand, "found '" + operand.symbol->name + "', which only 'tex' can access");
    }
    const Space space = operand.symbol->space;
    // A variable's name is an offset in its own space, never a generic address.
    if (op.space == Space::kGeneric) {
      op.space = space;
    }
    if (op.space != space && !(space == Space::kParam && op.space == Space::kLocal)) {
      fail_operand(operand, "found '" + operand.symbol->name + "', which is in " +
                                std::string(space_name(space)) + ", expected a variable in " +
                                std::string(space_name(op.space)));
    }
    if (op.opcode != Opcode::kLd && (op.space == Space::kConst || op.space == Space::kParam)) {
      fail_operand(operand, "found a write to '" + operand.symbol->name + "', which is a " +
                                (space == Space::kConst ? "constant" : "kernel's parameter"));
    }
    op.address.offset = static_cast<std::int64_t>(place(frame, operand, -1));
  }
}

std::uint64_t OperandBinder::handle_of(const ast::Operand& operand) const {
  const ast::Variable& variable = *operand.symbol;
  const std::string found = "found '" + variable.name + "', ";
  if (variable.opaque != ast::Opaque::kTexture) {
    fail_operand(operand, found + "but samplers apart from textures, and surfaces, are not supported");
  }
  const auto index = variables_.find(&variable);
  if (index == variables_.end()) {
    fail_operand(operand, found + "expected a texture reference that is defined in .global of this file");
  }
  if (variable.is_preset || variable.bytes != 8 || operand.offset != 0) {
    fail_operand(operand, found +
                              "but texture references with an initialiser, arrays of them and addresses "
                              "in them are not supported");
  }
  return kTextureHandles + index->second;
}

void OperandBinder::bind_texture(const Frame& frame, const ast::Operand& operand,
                                 VirtualOperation& operation) {
  Operation& op = operation.operation;
  if (operand.kind != Kind::kAddress || operand.elements.empty()) {
    fail_operand(operand, "expected a texture and its coordinates in []");
  }
  if (operand.elements.size() > 1) {
    fail_operand(operand,
                 "found a sampler beside the texture, expected a texture with its sampler (the "
                 "unified mode)");
  }
  if (operand.symbol != nullptr) {
    op.address.offset = static_cast<std::int64_t>(handle_of(operand));
  } else {
    const bool is_register = operand.reg != ast::kNoRegister;
    if (!is_register || bits_of(frame.function->registers[operand.reg]) != 64 || operand.offset != 0) {
      fail_operand(operand, "expected a texture reference's name or a 64-bit register");
    }
    op.address.has_base = true;
    operation.base = frame.register_base + operand.reg;
  }
  const ast::Operand& place = operand.elements.front();
  const bool is_vector = place.kind == Kind::kVector;
  const auto wanted = static_cast<std::size_t>(op.shape);
  const std::size_t found = is_vector ? place.elements.size() : 1;
  // Three dimensions come as four coordinates, the last of which isn't looked at.
  if (found != wanted && !(wanted == 3 && found == 4)) {
    fail_operand(place,
                 "found " + std::to_string(found) + " coordinates, expected " + std::to_string(wanted));
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    bind_source(frame, is_vector ? place.elements[i] : place, op.source_type, Width::kExact, operation);
  }
  for (unsigned i = 0; i < op.num_dst; ++i) {
    const Operand& result = op.dst.at(i);
    if (result.kind == Operand::Kind::kRegister && result.bits != 32) {
      fail_operand(operand, "found a result of " + std::to_string(result.bits) + " bits, expected 32");
    }
  }
}

void OperandBinder::bind_mov(const Frame& frame, const ast::Instruction& instruction,
                             VirtualOperation& operation) {
  instruction_ = &instruction;
  check_count(instruction, "da", instruction.operands.size());
  Operation& op = operation.operation;
  const ast::Operand& to = instruction.operands[0];
  const ast::Operand& from = instruction.operands[1];
  const bool unpacks = to.kind == Kind::kVector;
  if (!unpacks && from.kind != Kind::kVector) {
    bind_destination(frame, to, op.type, Width::kExact, operation);
    if (from.kind == Kind::kSpecial) {
      op.src[0].kind = Operand::Kind::kSpecial;
      op.src[0].special = from.special;
      op.num_src = 1;
    } else {
      bind_source(frame, from, op.type, Width::kExact, operation);
    }
    return;
  }
  const ast::Operand& vector = unpacks ? to : from;
  const std::size_t length = vector.elements.size();
  const unsigned bits = bits_of(op.type) / static_cast<unsigned>(length);
  if ((length != 2 && length != 4) || bits < 8 || is_floating(op.type)) {
    fail_operand(vector, "found a vector of " + std::to_string(length) + " elements for ." +
                             std::string(spelling(op.type)) + ", expected 2 or 4 of at least 8 bits");
  }
  const Type element_type = untyped(bits);
  op.opcode = unpacks ? Opcode::kUnpack : Opcode::kPack;
  if (!unpacks) {
    bind_destination(frame, to, op.type, Width::kExact, operation);
  }
  for (const ast::Operand& element : vector.elements) {
    if (!unpacks) {
      bind_source(frame, element, element_type, Width::kExact, operation);
    } else if (element.kind == Kind::kSink) {
      ++op.num_dst;
    } else {
      bind_destination(frame, element, element_type, Width::kExact, operation);
    }
  }
  if (unpacks) {
    bind_source(frame, from, op.type, Width::kExact, operation);
  }
}

}  // namespace heddle::ptx
