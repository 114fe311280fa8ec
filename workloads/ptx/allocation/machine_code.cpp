#include "workloads/ptx/allocation/machine_code.h"

#include <algorithm>

#include "workloads/ptx/allocation/register_roles.h"
#include "workloads/ptx/isa/type_info.h"

namespace heddle::ptx {

namespace {

using Role = RegisterRoles::Role;

constexpr unsigned kWideBits = 64;
// Relative to each other; what counts is how much else goes in between.
constexpr unsigned kLoadLatency = 20;
constexpr unsigned kFunctionLatency = 8;
constexpr unsigned kLatency = 4;

void add_once(std::vector<std::uint32_t>& list, std::uint32_t value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

/// Registers that the machine's sequence for an operation takes besides operands and result, as ptxas 11.8
/// has them for sm_35.
unsigned temporaries_of(const Operation& operation) {
  const bool is_wide = bits_of(operation.type) == kWideBits;
  const bool is_signed = is_signed_integer(operation.type);
  if (is_floating(operation.type)) {
    if (operation.approx) return 0;
    switch (operation.opcode) {
      case Opcode::kDiv:
        return is_wide ? 11 : 8;
      case Opcode::kRcp:
        return 7;
      case Opcode::kSqrt:
        return is_wide ? 11 : 4;
      default:
        return 0;
    }
  }
  switch (operation.opcode) {
    case Opcode::kDiv:
      if (is_wide) return is_signed ? 14 : 10;
      return is_signed ? 5 : 2;
    case Opcode::kRem:
      if (is_wide) return is_signed ? 14 : 10;
      return is_signed ? 4 : 2;
    case Opcode::kMul:
    case Opcode::kMad:
      return is_wide && operation.mul_part != MulPart::kWide ? 2 : 0;
    default:
      return 0;
  }
}

/// The sequence leaves for a subroutine when its operands are not ordinary ones, or always.
bool is_call(const Operation& operation) {
  switch (operation.opcode) {
    case Opcode::kDiv:
    case Opcode::kRcp:
    case Opcode::kSqrt:
      if (is_floating(operation.type)) return !operation.approx;
      return bits_of(operation.type) == kWideBits;
    case Opcode::kRem:
      return bits_of(operation.type) == kWideBits;
    default:
      return false;
  }
}

unsigned latency_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::kLd:
    case Opcode::kAtom:
    case Opcode::kTex:
      return kLoadLatency;
    case Opcode::kDiv:
    case Opcode::kRcp:
    case Opcode::kSqrt:
    case Opcode::kRsqrt:
    case Opcode::kSin:
    case Opcode::kCos:
    case Opcode::kLg2:
    case Opcode::kEx2:
      return kFunctionLatency;
    default:
      return kLatency;
  }
}

bool is_memory(Opcode opcode) {
  return opcode == Opcode::kLd || opcode == Opcode::kSt || opcode == Opcode::kAtom || opcode == Opcode::kRed;
}

bool is_barrier(Opcode opcode) {
  return opcode == Opcode::kBar || opcode == Opcode::kBarRed || opcode == Opcode::kBarWarp ||
         opcode == Opcode::kMembar || opcode == Opcode::kPrintf;
}

bool is_branch(Opcode opcode) {
  return opcode == Opcode::kBra || opcode == Opcode::kExit || opcode == Opcode::kTrap;
}

class Selection {
 public:
  Selection(const VirtualCode& code, const ControlFlowGraph& graph) : code_(code), roles_(code, graph) {}

  MachineCode run() {
    MachineCode machine;
    for (std::uint32_t i = 0; i < code_.registers.size(); ++i) machine.slots.push_back(roles_.slots(i));
    machine.slots.push_back(1);
    for (const VirtualOperation& operation : code_.operations) machine.operations.push_back(make(operation));
    drop_unread(machine);
    return machine;
  }

 private:
  /// Enters the registers that reading `i` means; how many operands that are none it means besides.
  unsigned read(std::uint32_t i, std::vector<std::uint32_t>& registers) const {
    while (roles_.role(i) == Role::kCopy) i = roles_.original(i);
    switch (roles_.role(i)) {
      case Role::kConstant:
        return 1;
      case Role::kBank:
        return roles_.slots(i);
      case Role::kProduct: {
        unsigned others = 0;
        for (const std::uint32_t source : roles_.product(i).src) {
          if (source != kNoVirtual) others += read(source, registers);
        }
        return others;
      }
      default:
        add_once(registers, i);
        return 0;
    }
  }

  MachineOperation make(const VirtualOperation& from) const {
    const Operation& operation = from.operation;
    MachineOperation made;
    made.is_load =
        (operation.opcode == Opcode::kLd && from.cache == CacheOp::kAll) || operation.opcode == Opcode::kTex;
    made.is_store = is_memory(operation.opcode) && !made.is_load;
    made.is_barrier = is_barrier(operation.opcode);
    made.is_branch = is_branch(operation.opcode);
    made.is_call = is_call(operation);
    made.space = operation.space;
    made.latency = latency_of(operation.opcode);
    const unsigned others = read_operands(from, made);
    for (const std::uint32_t written : from.dst) {
      if (written == kNoVirtual) continue;
      made.is_dead = made.is_dead || roles_.role(written) != Role::kValue;
      made.writes.push_back(written);
      if (from.guard != kNoVirtual) add_once(made.reads, written);
    }
    // An operation takes one word of the bank and one constant; accesses of memory take registers alone.
    const unsigned free = is_memory(operation.opcode) || operation.opcode == Opcode::kTex ? 0 : 2;
    made.temporaries = temporaries_of(operation) + (others > free ? others - free : 0);
    made.is_step = operation.opcode == Opcode::kAdd && from.guard == kNoVirtual && made.reads.size() == 1 &&
                   (operation.src[0].kind == Operand::Kind::kImmediate ||
                    operation.src[1].kind == Operand::Kind::kImmediate);
    return made;
  }

  unsigned read_operands(const VirtualOperation& from, MachineOperation& made) const {
    unsigned others = from.base == kNoVirtual ? 0 : read(from.base, made.address);
    made.reads = made.address;
    for (const std::uint32_t source : from.src) {
      if (source != kNoVirtual) others += read(source, made.reads);
    }
    if (from.guard != kNoVirtual) add_once(made.reads, from.guard);
    if (multiplies_from_bank(from)) made.reads.push_back(static_cast<std::uint32_t>(code_.registers.size()));
    return others;
  }

  /// A wide product that is added to a word of the bank has its multiplier in a register.
  bool multiplies_from_bank(const VirtualOperation& from) const {
    if (from.operation.opcode != Opcode::kAdd || from.dst[0] == kNoVirtual || roles_.slots(from.dst[0]) != 2)
      return false;
    bool has_product = false;
    bool has_bank = false;
    for (std::uint32_t source : from.src) {
      if (source == kNoVirtual) continue;
      const Role role = roles_.role(source);
      has_product = has_product || role == Role::kProduct;
      has_bank = has_bank || role == Role::kBank || role == Role::kConstant;
    }
    return has_product && has_bank;
  }

  static bool has_effect(const MachineOperation& operation) {
    return operation.is_store || operation.is_barrier || operation.is_branch || operation.writes.empty();
  }

  static void drop_unread(MachineCode& machine) {
    std::vector<unsigned> readers(machine.slots.size(), 0);
    for (const MachineOperation& operation : machine.operations) {
      if (operation.is_dead) continue;
      for (const std::uint32_t i : operation.reads) ++readers[i];
    }
    const auto is_unread = [&readers](const MachineOperation& operation) {
      return std::all_of(operation.writes.begin(), operation.writes.end(), [&](std::uint32_t i) {
        const bool own =
            std::find(operation.reads.begin(), operation.reads.end(), i) != operation.reads.end();
        return readers[i] == (own ? 1U : 0U);
      });
    };
    std::vector<std::vector<std::uint32_t>> writers(machine.slots.size());
    std::vector<std::uint32_t> work;
    for (std::uint32_t i = 0; i < machine.operations.size(); ++i) {
      for (const std::uint32_t written : machine.operations[i].writes) writers[written].push_back(i);
      work.push_back(i);
    }
    while (!work.empty()) {
      MachineOperation& operation = machine.operations[work.back()];
      work.pop_back();
      if (operation.is_dead || has_effect(operation) || !is_unread(operation)) continue;
      operation.is_dead = true;
      for (const std::uint32_t i : operation.reads) {
        if (--readers[i] <= 1) work.insert(work.end(), writers[i].begin(), writers[i].end());
      }
    }
    for (MachineOperation& operation : machine.operations) {
      if (!operation.is_dead) continue;
      operation = MachineOperation();
      operation.is_dead = true;
    }
  }

  const VirtualCode& code_;
  RegisterRoles roles_;
};

}  // namespace

MachineCode select_machine_code(const VirtualCode& code, const ControlFlowGraph& graph) {
  return Selection(code, graph).run();
}

}  // namespace heddle::ptx
