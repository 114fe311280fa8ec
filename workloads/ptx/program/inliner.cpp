#include "workloads/ptx/program/inliner.h"

#include <algorithm>

#include "workloads/ptx/execution/execute.h"
#include "workloads/ptx/isa/limits.h"
#include "workloads/ptx/isa/type_info.h"
#include "workloads/ptx/text/ptx_error.h"

namespace heddle::ptx {

namespace {

bool falls_through(const VirtualOperation& last) {
  const Operation& operation = last.operation;
  const bool leaves = operation.opcode == Opcode::kExit || operation.opcode == Opcode::kTrap ||
                      operation.opcode == Opcode::kBra;
  return !leaves || last.guard != kNoVirtual;
}

/// By .param, or by the name of a variable there.
bool accesses_param(const ast::Instruction& instruction) {
  const Operation& operation = instruction.mnemonic.operation;
  if (operation.opcode != Opcode::kLd && operation.opcode != Opcode::kSt) return false;
  const std::size_t address = operation.opcode == Opcode::kLd ? 1 : 0;
  const ast::Variable* const named =
      address < instruction.operands.size() ? instruction.operands[address].symbol : nullptr;
  return operation.space == Space::kParam ||
         (operation.space == Space::kGeneric && named != nullptr && named->space == Space::kParam);
}

void find_locals(const ast::Operand& operand, std::vector<const ast::Variable*>& found) {
  if (operand.symbol != nullptr && operand.symbol->space == Space::kLocal) {
    found.push_back(operand.symbol);
  }
  for (const ast::Operand& element : operand.elements) {
    find_locals(element, found);
  }
}

}  // namespace

Inliner::Inliner(const std::string& file, const ast::Function& kernel, const VariableIndex& variables,
                 ParamAccesses& accesses)
    : file_(file),
      kernel_(kernel),
      accesses_(accesses),
      shared_(kernel),
      binder_(file_, shared_, variables, code_) {}

VirtualCode Inliner::run(const std::unordered_map<const ast::Variable*, std::uint64_t>& params) {
  Copy kernel = make_copy(kernel_);
  kernel.is_kernel = true;
  kernel.frame.offsets.insert(params.begin(), params.end());
  check_most(shared_.static_bytes(), limits::kSharedBytes, "bytes of .shared variables");
  lower_body(kernel);
  bool reaches_end = code_.operations.empty() || falls_through(code_.operations.back());
  for (const VirtualOperation& operation : code_.operations) {
    reaches_end = reaches_end || (operation.operation.opcode == Opcode::kBra &&
                                  operation.operation.target == code_.operations.size());
  }
  if (reaches_end) {  // the end of a kernel's body returns
    static const std::string text = "ret";
    VirtualOperation end;
    end.operation.opcode = Opcode::kExit;
    end.text = &text;
    end.position = kernel_.body.empty() ? kernel_.position : kernel_.body.back().position;
    code_.operations.push_back(end);
  }
  code_.static_shared_bytes = static_cast<unsigned>(shared_.static_bytes());
  code_.uses_dynamic_shared = shared_.uses_dynamic();
  code_.local_bytes = static_cast<unsigned>(align_up(local_bytes_, 8));
  std::sort(code_.kept_loops.begin(), code_.kept_loops.end());
  return std::move(code_);
}

void Inliner::check_most(std::uint64_t found, std::uint64_t most, const std::string& what) const {
  if (found <= most) return;
  throw PtxError(file_, kernel_.position.line, kernel_.position.column,
                 "kernel '" + kernel_.name + "': " + over_limit(std::to_string(found) + " " + what, most));
}

Inliner::Copy Inliner::make_copy(const ast::Function& function) {
  Copy copy;
  copy.frame.function = &function;
  copy.frame.register_base = static_cast<std::uint32_t>(code_.registers.size());
  check_most(code_.registers.size() + function.registers.size(), limits::kVirtualRegisters,
             "registers, calls inlined");
  for (const Type type : function.registers) {
    code_.registers.push_back(static_cast<std::uint8_t>(bits_of(type)));
  }
  std::vector<const ast::Variable*> locals;
  for (const ast::Instruction& instruction : function.body) {
    for (const ast::Operand& operand : instruction.operands) {
      find_locals(operand, locals);
    }
  }
  for (const ast::Variable* const local : locals) {
    if (copy.frame.offsets.count(local) == 0) {
      copy.frame.offsets.emplace(local, allocate_local(*local));
    }
  }
  return copy;
}

std::uint64_t Inliner::allocate_local(const ast::Variable& variable) {
  const std::uint64_t offset = align_up(local_bytes_, variable.alignment);
  local_bytes_ = offset + variable.bytes;
  check_most(local_bytes_, limits::kLocalBytes, "bytes of local memory, up to '" + variable.name + "'");
  return offset;
}

std::uint32_t Inliner::new_register(unsigned bits) {
  code_.registers.push_back(static_cast<std::uint8_t>(bits));
  return static_cast<std::uint32_t>(code_.registers.size() - 1);
}

void Inliner::lower_body(Copy& copy) {
  const std::vector<ast::Instruction>& body = copy.frame.function->body;
  copy.starts.reserve(body.size() + 1);
  for (const ast::Instruction& instruction : body) {
    copy.starts.push_back(next());
    lower(copy, instruction);
  }
  copy.starts.push_back(next());
  for (const std::uint32_t kept : copy.frame.function->kept_loops) {
    code_.kept_loops.push_back(copy.starts[kept]);
  }
  for (const Copy::Jump& jump : copy.jumps) {
    code_.operations[jump.operation].operation.target = copy.starts[jump.target];
  }
}

VirtualOperation Inliner::start(const Copy& copy, const ast::Instruction& instruction) const {
  VirtualOperation operation;
  operation.operation = instruction.mnemonic.operation;
  operation.cache = instruction.mnemonic.cache;
  operation.position = instruction.position;
  operation.text = &instruction.text;
  if (instruction.guard != ast::kNoRegister) {
    operation.guard = copy.frame.register_base + instruction.guard;
    operation.operation.guard = 0;
    operation.operation.guard_inverted = instruction.guard_inverted;
  }
  return operation;
}

void Inliner::emit(const ast::Instruction& instruction, const VirtualOperation& operation) {
  if (!is_executable(operation.operation)) {
    const Type type = operation.operation.type;
    binder_.fail(instruction, instruction.position,
                 "this instruction is not supported" +
                     (type == Type::kNone ? "" : " with type ." + std::string(spelling(type))));
  }
  if (code_.operations.size() >= limits::kOperations) {
    binder_.fail(instruction, instruction.position,
                 "kernel '" + kernel_.name + "' grows beyond " + std::to_string(limits::kOperations) +
                     " instructions when its device functions are inlined");
  }
  code_.operations.push_back(operation);
}

void Inliner::lower(Copy& copy, const ast::Instruction& instruction) {
  const Operation& operation = instruction.mnemonic.operation;
  switch (instruction.mnemonic.kind) {
    case Mnemonic::Kind::kCall:
      return lower_call(copy, instruction);
    case Mnemonic::Kind::kReturn:
      return lower_return(copy, instruction);
    case Mnemonic::Kind::kMov: {
      VirtualOperation lowered = start(copy, instruction);
      binder_.bind_mov(copy.frame, instruction, lowered);
      return emit(instruction, lowered);
    }
    case Mnemonic::Kind::kPlain:
      break;
  }
  if (operation.opcode == Opcode::kBra) {
    return lower_branch(copy, instruction);
  }
  if (accesses_param(instruction)) {
    return lower_param_access(copy, instruction);
  }
  VirtualOperation lowered = start(copy, instruction);
  binder_.bind(copy.frame, instruction, lowered);
  emit(instruction, lowered);
}

void Inliner::lower_branch(Copy& copy, const ast::Instruction& instruction) {
  VirtualOperation branch = start(copy, instruction);
  if (instruction.operands.size() != 1) {
    binder_.fail(instruction, instruction.position, "expected one label");
  }
  branch.operation.uniform = branch.operation.uniform || branch.guard == kNoVirtual;
  copy.jumps.push_back({code_.operations.size(), instruction.operands.front().target});
  emit(instruction, branch);
}

void Inliner::lower_return(Copy& copy, const ast::Instruction& instruction) {
  VirtualOperation lowered = start(copy, instruction);
  lowered.operation.uniform = false;
  if (!copy.is_kernel) {
    lowered.operation.opcode = Opcode::kBra;
    lowered.operation.uniform = lowered.guard == kNoVirtual;
    copy.jumps.push_back(
        {code_.operations.size(), static_cast<std::uint32_t>(copy.frame.function->body.size())});
  }
  emit(instruction, lowered);
}

}  // namespace heddle::ptx
