// .param variables: of the kernel, of device functions and of the calls between them.
#include "workloads/ptx/isa/type_info.h"
#include "workloads/ptx/program/inliner.h"

namespace heddle::ptx {

namespace {

unsigned register_bits(Type type) { return bits_of(type) < 16 ? 16 : bits_of(type); }

}  // namespace

ParamStorage& Inliner::make_storage(const ast::Function& owner, const ast::Variable& variable) {
  ParamStorage& storage = *storages_.emplace_back(std::make_unique<ParamStorage>());
  storage.in_memory = !accesses_.fits_registers(owner, variable);
  if (storage.in_memory) {
    storage.local_offset = allocate_local(variable);
  }
  return storage;
}

ParamStorage& Inliner::storage_of(Copy& copy, const ast::Variable& variable) {
  const auto found = copy.params.find(&variable);
  if (found != copy.params.end()) {
    return *found->second;
  }
  ParamStorage& storage = make_storage(*copy.frame.function, variable);
  copy.params.emplace(&variable, &storage);
  if (storage.in_memory) {
    copy.frame.offsets.emplace(&variable, storage.local_offset);
  }
  return storage;
}

std::uint32_t Inliner::piece(ParamStorage& storage, std::uint64_t offset, Type type,
                             const ast::Instruction& instruction) {
  const auto found = storage.registers.find(offset);
  if (found != storage.registers.end()) {
    const unsigned bits = code_.registers[found->second];
    if (bits != register_bits(type)) {
      binder_.fail(instruction, instruction.position,
                   "found a .param of " + std::to_string(register_bits(type)) + " bits at offset " +
                       std::to_string(offset) + ", expected one of " + std::to_string(bits) +
                       " bits as elsewhere in the kernel");
    }
    return found->second;
  }
  const std::uint32_t created = new_register(register_bits(type));
  storage.registers.emplace(offset, created);
  return created;
}

VirtualOperation Inliner::start_move(const Copy& copy, const ast::Instruction& instruction) const {
  VirtualOperation move = start(copy, instruction);
  const Operation original = move.operation;
  move.operation = Operation{};
  move.operation.guard = original.guard;
  move.operation.guard_inverted = original.guard_inverted;
  return move;
}

void Inliner::check_bounds(const ast::Instruction& instruction, const ast::Operand& address) const {
  const Operation& access = instruction.mnemonic.operation;
  const auto size = static_cast<std::int64_t>(address.symbol->bytes);
  const auto bytes = static_cast<std::int64_t>(access.vector) * bytes_of(access.type);
  if (address.offset < 0 || bytes > size || address.offset > size - bytes) {
    binder_.fail(instruction, address.position,
                 "found an access to " + std::to_string(bytes) + " bytes at offset " +
                     std::to_string(address.offset) + " of '" + address.symbol->name + "', which has " +
                     std::to_string(size));
  }
}

void Inliner::lower_param_access(Copy& copy, const ast::Instruction& instruction) {
  const bool is_load = instruction.mnemonic.operation.opcode == Opcode::kLd;
  const std::size_t address_index = is_load ? 1 : 0;
  const ast::Variable* variable = nullptr;
  if (instruction.operands.size() > address_index) {
    variable = instruction.operands[address_index].symbol;
  }
  const bool of_kernel = variable == nullptr ? copy.is_kernel
                                             : copy.is_kernel && copy.frame.offsets.count(variable) != 0 &&
                                                   copy.params.count(variable) == 0;
  if (of_kernel && !is_load) {
    binder_.fail(instruction, instruction.position,
                 "found a store to a kernel's parameter, which can only be read");
  }
  if (variable != nullptr && variable->space == Space::kParam) {
    check_bounds(instruction, instruction.operands[address_index]);
  }
  if (variable != nullptr && variable->space == Space::kParam && !of_kernel) {
    ParamStorage& storage = storage_of(copy, *variable);
    if (!storage.in_memory) {
      return lower_param_pieces(copy, instruction, storage);
    }
  }
  VirtualOperation access = start(copy, instruction);
  if (!of_kernel) {
    // The address of a device function's parameter is one in local memory (mov %rd, param; ld.param [%rd]).
    access.operation.space = Space::kLocal;
  }
  binder_.bind(copy.frame, instruction, access);
  emit(instruction, access);
}

void Inliner::lower_param_pieces(Copy& copy, const ast::Instruction& instruction, ParamStorage& storage) {
  const Operation& access = instruction.mnemonic.operation;
  const bool is_load = access.opcode == Opcode::kLd;
  if (instruction.operands.size() != 2) {
    binder_.fail(instruction, instruction.position,
                 "found " + std::to_string(instruction.operands.size()) + " operands, expected 2");
  }
  const ast::Operand& address = instruction.operands[is_load ? 1 : 0];
  const ast::Operand& value = instruction.operands[is_load ? 0 : 1];
  const bool is_vector = value.kind == ast::Operand::Kind::kVector;
  const std::size_t found = is_vector ? value.elements.size() : 1;
  if (found != access.vector) {
    binder_.fail(instruction, value.position,
                 "found " + std::to_string(found) + " elements, expected " + std::to_string(access.vector));
  }
  binder_.set_instruction(instruction);
  const unsigned stored_bits = register_bits(access.type);
  for (unsigned i = 0; i < access.vector; ++i) {
    const ast::Operand& element = is_vector ? value.elements[i] : value;
    if (element.kind == ast::Operand::Kind::kSink) {
      continue;
    }
    const std::uint64_t offset =
        static_cast<std::uint64_t>(address.offset) + std::uint64_t{i} * bytes_of(access.type);
    const std::uint32_t held = piece(storage, offset, access.type, instruction);
    VirtualOperation move = start_move(copy, instruction);
    if (is_load) {
      binder_.add_destination(copy.frame, element, access.type, move);
      OperandBinder::add_register_source(held, stored_bits, move);
    } else {
      OperandBinder::add_register_destination(held, stored_bits, move);
      binder_.add_source(copy.frame, element, access.type, move);
    }
    emit_copy(instruction, move, access.type);
  }
}

void Inliner::emit_copy(const ast::Instruction& instruction, VirtualOperation operation, Type type) {
  Operation& op = operation.operation;
  const bool is_constant = op.src[0].kind == Operand::Kind::kImmediate;
  if (is_constant || (op.src[0].bits == op.dst[0].bits && bits_of(type) != 8)) {
    op.opcode = Opcode::kMov;
    op.type = untyped(op.dst[0].bits);
  } else {
    const bool is_signed = is_signed_integer(type);
    op.opcode = Opcode::kCvt;
    op.type = integer(op.dst[0].bits, is_signed);
    op.source_type = integer(bits_of(type), is_signed);
  }
  emit(instruction, operation);
}

}  // namespace heddle::ptx
