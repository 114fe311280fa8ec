// Calls: of device functions, which are inlined, and of the two library functions that Heddle knows.
#include "workloads/ptx/isa/limits.h"
#include "workloads/ptx/isa/type_info.h"
#include "workloads/ptx/program/inliner.h"

namespace heddle::ptx {

using Kind = ast::Operand::Kind;

void Inliner::lower_call(Copy& copy, const ast::Instruction& instruction) {
  const ast::Function& callee = *instruction.callee;
  if (callee.name == "vprintf") {
    return lower_printf(copy, instruction);
  }
  if (callee.name == "__assertfail") {
    return lower_assertion(copy, instruction);
  }
  if (callee.is_entry) {
    binder_.fail(instruction, instruction.position,
                 "found a call of the kernel '" + callee.name + "', expected a .func");
  }
  if (!callee.has_body) {
    binder_.fail(instruction, instruction.position,
                 "found a call of '" + callee.name +
                     "', which has no body in this file; of library functions only vprintf and __assertfail "
                     "are supported");
  }
  check_lists(instruction);
  check_most(++calls_, limits::kInlinedCalls, "calls");

  Copy inlined = make_copy(callee);
  for (std::size_t i = 0; i < callee.parameters.size(); ++i) {
    pass_argument(copy, instruction, instruction.operands[i], callee.parameters[i], inlined);
  }
  for (std::size_t i = 0; i < callee.results.size(); ++i) {
    bind_result(copy, instruction, instruction.results[i], callee.results[i], inlined);
  }
  // The call itself: a branch into the body, which a false guard skips.
  const std::uint32_t call = next();
  VirtualOperation jump = start(copy, instruction);
  const bool guarded = jump.guard != kNoVirtual;
  jump.operation.uniform = !guarded;
  jump.operation.guard_inverted = guarded && !jump.operation.guard_inverted;
  jump.operation.target = call + 1;
  emit(instruction, jump);
  lower_body(inlined);
  for (std::size_t i = 0; i < callee.results.size(); ++i) {
    return_result(copy, instruction, instruction.results[i], callee.results[i], inlined);
  }
  if (guarded) {
    code_.operations[call].operation.target = next();
  }
}

void Inliner::check_lists(const ast::Instruction& call) const {
  const ast::Function& callee = *call.callee;
  if (call.operands.size() != callee.parameters.size() || call.results.size() != callee.results.size()) {
    binder_.fail(call, call.position,
                 "found " + std::to_string(call.operands.size()) + " arguments and " +
                     std::to_string(call.results.size()) + " results, expected " +
                     std::to_string(callee.parameters.size()) + " and " +
                     std::to_string(callee.results.size()) + " as '" + callee.name + "' declares");
  }
}

void Inliner::check_same_size(const ast::Instruction& call, const ast::Operand& actual,
                              const ast::Formal& formal) const {
  if (actual.symbol->bytes == formal.variable->bytes) return;
  binder_.fail(call, actual.position,
               "found '" + actual.symbol->name + "' of " + std::to_string(actual.symbol->bytes) +
                   " bytes, expected " + std::to_string(formal.variable->bytes) + " as '" +
                   call.callee->name + "' declares for '" + formal.variable->name + "'");
}

void Inliner::pass_argument(Copy& caller, const ast::Instruction& call, const ast::Operand& actual,
                            const ast::Formal& formal, Copy& callee) {
  const bool passes_variable = actual.kind == Kind::kSymbol && actual.symbol->space == Space::kParam;
  if (passes_variable && formal.variable != nullptr) {
    check_same_size(call, actual, formal);
    // The callee only reads its parameters: it shares the caller's variable.
    ParamStorage& storage = storage_of(caller, *actual.symbol);
    callee.params.emplace(formal.variable, &storage);
    if (storage.in_memory) {
      callee.frame.offsets.emplace(formal.variable, storage.local_offset);
    }
    return;
  }
  if (passes_variable) {
    binder_.fail(call, actual.position,
                 "found a .param variable for a register parameter, expected a register");
  }
  VirtualOperation move = start_move(caller, call);
  binder_.set_instruction(call);
  if (formal.variable != nullptr) {
    const Type type = formal.variable->type;
    ParamStorage& storage = storage_of(callee, *formal.variable);
    if (storage.in_memory) {
      move.operation.opcode = Opcode::kSt;
      move.operation.type = type;
      move.operation.space = Space::kLocal;
      move.operation.address.offset = static_cast<std::int64_t>(storage.local_offset);
      binder_.add_source(caller.frame, actual, type, move);
      return emit(call, move);
    }
    OperandBinder::add_register_destination(piece(storage, 0, type, call),
                                            bits_of(type) < 16 ? 16 : bits_of(type), move);
    binder_.add_source(caller.frame, actual, type, move);
    return emit_copy(call, move, type);
  }
  const Type type = callee.frame.function->registers[formal.reg];
  OperandBinder::add_register_destination(callee.frame.register_base + formal.reg, bits_of(type), move);
  binder_.add_source(caller.frame, actual, type, move);
  emit_copy(call, move, type);
}

void Inliner::bind_result(Copy& caller, const ast::Instruction& call, const ast::Operand& actual,
                          const ast::Formal& formal, Copy& callee) {
  const bool is_variable = actual.kind == Kind::kSymbol && actual.symbol->space == Space::kParam;
  if (is_variable != (formal.variable != nullptr)) {
    binder_.fail(call, actual.position,
                 std::string("found a result that is ") + (is_variable ? "a .param variable" : "a register") +
                     ", expected " + (is_variable ? "a register" : "a .param variable") + " as '" +
                     call.callee->name + "' declares");
  }
  if (is_variable) {
    check_same_size(call, actual, formal);
    ParamStorage& storage = storage_of(caller, *actual.symbol);
    callee.params.emplace(formal.variable, &storage);
    if (storage.in_memory) {
      callee.frame.offsets.emplace(formal.variable, storage.local_offset);
    }
  }
}

void Inliner::return_result(Copy& caller, const ast::Instruction& call, const ast::Operand& actual,
                            const ast::Formal& formal, Copy& callee) {
  if (formal.variable != nullptr) {
    return;
  }
  const Type type = callee.frame.function->registers[formal.reg];
  VirtualOperation move = start_move(caller, call);
  binder_.set_instruction(call);
  binder_.add_destination(caller.frame, actual, type, move);
  OperandBinder::add_register_source(callee.frame.register_base + formal.reg, bits_of(type), move);
  emit_copy(call, move, type);
}

void Inliner::add_argument(Copy& copy, const ast::Instruction& call, std::size_t index, Type type,
                           VirtualOperation& operation) {
  if (index >= call.operands.size()) {
    binder_.fail(call, call.position,
                 "found " + std::to_string(call.operands.size()) + " arguments, expected at least " +
                     std::to_string(index + 1));
  }
  const ast::Operand& actual = call.operands[index];
  binder_.set_instruction(call);
  if (actual.kind != Kind::kSymbol || actual.symbol->space != Space::kParam) {
    return binder_.add_source(copy.frame, actual, type, operation);
  }
  ParamStorage& storage = storage_of(copy, *actual.symbol);
  if (!storage.in_memory) {
    return OperandBinder::add_register_source(piece(storage, 0, type, call), bits_of(type), operation);
  }
  const std::uint32_t loaded = new_register(bits_of(type));
  VirtualOperation load = start_move(copy, call);
  load.operation.opcode = Opcode::kLd;
  load.operation.type = type;
  load.operation.space = Space::kLocal;
  load.operation.address.offset = static_cast<std::int64_t>(storage.local_offset);
  OperandBinder::add_register_destination(loaded, bits_of(type), load);
  emit(call, load);
  OperandBinder::add_register_source(loaded, bits_of(type), operation);
}

void Inliner::lower_printf(Copy& copy, const ast::Instruction& instruction) {
  VirtualOperation print = start_move(copy, instruction);
  print.operation.opcode = Opcode::kPrintf;
  add_argument(copy, instruction, 0, Type::kU64, print);
  add_argument(copy, instruction, 1, Type::kU64, print);
  if (!instruction.results.empty()) {
    const ast::Operand& result = instruction.results.front();
    if (result.kind == Kind::kSymbol && result.symbol->space == Space::kParam) {
      ParamStorage& storage = storage_of(copy, *result.symbol);
      if (!storage.in_memory) {
        OperandBinder::add_register_destination(piece(storage, 0, Type::kB32, instruction), 32, print);
      }
    } else {
      binder_.add_destination(copy.frame, result, Type::kB32, print);
    }
  }
  emit(instruction, print);
}

void Inliner::lower_assertion(Copy& copy, const ast::Instruction& instruction) {
  VirtualOperation trap = start_move(copy, instruction);
  trap.operation.opcode = Opcode::kTrap;
  add_argument(copy, instruction, 0, Type::kU64, trap);
  add_argument(copy, instruction, 1, Type::kU64, trap);
  add_argument(copy, instruction, 2, Type::kU32, trap);
  emit(instruction, trap);
}

}  // namespace heddle::ptx
