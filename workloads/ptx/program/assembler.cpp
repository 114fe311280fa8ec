#include "workloads/ptx/program/assembler.h"

#include <algorithm>

#include "workloads/ptx/program/cfg.h"
#include "workloads/ptx/program/metadata.h"
#include "workloads/ptx/program/register_uses.h"
#include "workloads/ptx/program/registers.h"
#include "workloads/ptx/text/ptx_error.h"

namespace heddle::ptx {

namespace {

void place_registers(VirtualOperation& lowered, const std::vector<std::uint16_t>& slot) {
  Operation& operation = lowered.operation;
  for (std::size_t i = 0; i < lowered.dst.size(); ++i) {
    if (lowered.dst.at(i) != kNoVirtual) {
      operation.dst.at(i).slot = slot[lowered.dst.at(i)];
    }
  }
  for (std::size_t i = 0; i < lowered.src.size(); ++i) {
    if (lowered.src.at(i) != kNoVirtual) {
      operation.src.at(i).slot = slot[lowered.src.at(i)];
    }
  }
  if (lowered.base != kNoVirtual) {
    operation.address.base_slot = slot[lowered.base];
  }
  if (lowered.guard != kNoVirtual) {
    operation.guard = static_cast<std::int16_t>(slot[lowered.guard]);
  }
}

bool is_marking_load(const Operation& operation) {
  if (operation.opcode == Opcode::kAtom || operation.opcode == Opcode::kTex) return true;
  return operation.opcode == Opcode::kLd && operation.space != Space::kShared &&
         operation.space != Space::kConst;
}

/// By virtual register: whether a load from global, local or parameter memory, or an atomic, writes it.
std::vector<bool> loaded_registers(const VirtualCode& code) {
  std::vector<bool> loaded(code.registers.size());
  for (const VirtualOperation& lowered : code.operations) {
    if (!is_marking_load(lowered.operation)) continue;
    for (const std::uint32_t destination : lowered.dst) {
      if (destination != kNoVirtual) loaded[destination] = true;
    }
  }
  return loaded;
}

/// See Instruction::never_loaded.
std::uint8_t never_loaded(const VirtualOperation& lowered, const std::vector<bool>& loaded,
                          const Instruction& instruction) {
  std::uint8_t bits = 0;
  for (unsigned i = 0; i < instruction.num_general_destinations; ++i) {
    for (unsigned j = 0; j < lowered.dst.size(); ++j) {
      if (lowered.dst.at(j) == kNoVirtual || loaded[lowered.dst.at(j)]) continue;
      const Operand& operand = lowered.operation.dst.at(j);
      const unsigned slots = operand.bits == 64 ? 2 : 1;
      const unsigned number = instruction.destinations.at(i);
      if (operand.kind == Operand::Kind::kRegister && number >= operand.slot && number < operand.slot + slots)
        bits |= static_cast<std::uint8_t>(1U << i);
    }
  }
  return bits;
}

bool uses_carry(const VirtualCode& code) {
  return std::any_of(code.operations.begin(), code.operations.end(), [](const VirtualOperation& lowered) {
    return lowered.operation.carry_in || lowered.operation.carry_out;
  });
}

/// A shuffle also reads lanes that may not have come by what writes its source.
std::vector<std::uint16_t> unwritten_slots(const VirtualCode& code, const RegisterAssignment& assignment) {
  std::vector<std::uint32_t> registers = assignment.read_unwritten;
  for (const VirtualOperation& lowered : code.operations) {
    if (lowered.operation.opcode == Opcode::kShfl && lowered.src[0] != kNoVirtual)
      registers.push_back(lowered.src[0]);
  }
  std::vector<std::uint16_t> slots;
  for (const std::uint32_t virtual_register : registers) {
    const std::uint8_t width = code.registers[virtual_register];
    if (width == 1) continue;
    slots.push_back(assignment.slot[virtual_register]);
    if (width == 64) slots.push_back(static_cast<std::uint16_t>(slots.back() + 1));
  }
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  return slots;
}

void check_limit(const std::string& file, const ast::Function& kernel, unsigned needed, unsigned limit,
                 const std::string& what) {
  if (needed > limit) {
    throw PtxError(file, kernel.position.line, kernel.position.column,
                   "kernel '" + kernel.name + "' keeps " + std::to_string(needed) + " " + what +
                       " alive at once, expected at most " + std::to_string(limit));
  }
}

}  // namespace

Code assemble(const std::string& file, const ast::Function& kernel, VirtualCode lowered, unsigned registers) {
  const ControlFlowGraph graph(flow_of(lowered));
  const RegisterAssignment assignment = assign_registers(lowered.registers, uses_of(lowered), graph);
  const bool carry = uses_carry(lowered);
  const std::vector<bool> loaded = loaded_registers(lowered);
  check_limit(file, kernel, assignment.num_slots, Instruction::kFirstPredicate, "32-bit registers");
  check_limit(file, kernel, assignment.num_predicates, carry ? kCarryPredicate : kCarryPredicate + 1U,
              "predicates");

  Code code;
  code.num_slots = assignment.num_slots;
  code.num_predicates = carry ? kCarryPredicate + 1U : assignment.num_predicates;
  code.unwritten_slots = unwritten_slots(lowered, assignment);
  code.max_threads = kernel.max_threads;
  code.uses_dynamic_shared = lowered.uses_dynamic_shared;
  code.relocations = std::move(lowered.relocations);
  Program& program = code.program;
  program.name = kernel.name;
  program.source_file = file;
  program.registers_per_thread = registers;
  program.static_shared_bytes = lowered.static_shared_bytes;
  program.local_bytes_per_thread = lowered.local_bytes;
  program.spilled_bytes_per_thread = lowered.spilled_bytes;
  const std::size_t count = lowered.operations.size();
  program.code.reserve(count);
  program.text.reserve(count);
  code.operations.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    VirtualOperation& operation = lowered.operations[i];
    place_registers(operation, assignment.slot);
    if (operation.operation.opcode == Opcode::kBra) {
      operation.operation.reconvergence = graph.reconvergence(i);
    }
    Instruction instruction = describe(operation.operation, operation.cache);
    instruction.never_loaded = never_loaded(operation, loaded, instruction);
    instruction.line = operation.position.line;
    instruction.column = operation.position.column;
    program.code.push_back(instruction);
    program.text.push_back(*operation.text);
    code.operations.push_back(operation.operation);
  }
  return code;
}

}  // namespace heddle::ptx
