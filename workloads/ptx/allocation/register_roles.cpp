#include "workloads/ptx/allocation/register_roles.h"

#include <algorithm>
#include <utility>

#include "workloads/ptx/isa/type_info.h"

namespace heddle::ptx {

namespace {

constexpr unsigned kWordBits = 32;
constexpr unsigned kWideBits = 64;

bool is_integer(Type type) { return !is_floating(type) && type != Type::kPred && type != Type::kNone; }

bool is_moving(const Operation& operation) {
  return operation.opcode == Opcode::kMov || operation.opcode == Opcode::kCvta;
}

bool extends_by_zeros(const Operation& operation) {
  return operation.opcode == Opcode::kCvt && is_integer(operation.type) &&
         is_integer(operation.source_type) && bits_of(operation.type) == kWideBits &&
         bits_of(operation.source_type) == kWordBits && !is_signed_integer(operation.source_type);
}

/// Special registers that the machine has in its constant bank; others are read into a register.
bool is_in_bank(Special special) {
  switch (special) {
    case Special::kNtidX:
    case Special::kNtidY:
    case Special::kNtidZ:
    case Special::kNctaidX:
    case Special::kNctaidY:
    case Special::kNctaidZ:
      return true;
    default:
      return false;
  }
}

bool has_short_addresses(Space space) {
  return space == Space::kShared || space == Space::kLocal || space == Space::kConst ||
         space == Space::kParam;
}

}  // namespace

RegisterRoles::RegisterRoles(const VirtualCode& code, const ControlFlowGraph& graph)
    : code_(code),
      block_of_(code.operations.size()),
      writes_(code.registers.size()),
      uses_(code.registers.size()),
      definition_(code.registers.size(), kNoVirtual),
      role_(code.registers.size(), Role::kValue),
      original_(code.registers.size(), kNoVirtual),
      narrow_(code.registers.size(), false) {
  find_definitions(graph);
  find_operands();
  find_narrow();
  find_products();
}

std::uint8_t RegisterRoles::slots(std::uint32_t i) const {
  if (code_.registers[i] == 1) return 0;
  return code_.registers[i] == kWideBits && !narrow_[i] ? 2 : 1;
}

void RegisterRoles::add_use(std::uint32_t i, std::uint32_t at) {
  if (i != kNoVirtual && (uses_[i].empty() || uses_[i].back() != at)) uses_[i].push_back(at);
}

void RegisterRoles::find_definitions(const ControlFlowGraph& graph) {
  for (std::uint32_t block = 0; block < graph.blocks().size(); ++block) {
    for (std::uint32_t i = graph.blocks()[block].first; i < graph.blocks()[block].end; ++i)
      block_of_[i] = block;
  }
  for (std::uint32_t i = 0; i < code_.operations.size(); ++i) {
    const VirtualOperation& operation = code_.operations[i];
    for (const std::uint32_t source : operation.src) add_use(source, i);
    add_use(operation.base, i);
    for (const std::uint32_t written : operation.dst) {
      if (written == kNoVirtual) continue;
      writes_[written].push_back(i);
      definition_[written] = i;
    }
  }
}

bool RegisterRoles::has_one_definition(std::uint32_t i) const {
  return writes_[i].size() == 1 && code_.operations[definition_[i]].guard == kNoVirtual;
}

/// It comes from local memory each time it is needed, rather than being kept for its copies and products.
bool RegisterRoles::is_reloaded(std::uint32_t i) const {
  if (!has_one_definition(i)) return false;
  const Operation& operation = code_.operations[definition_[i]].operation;
  return operation.opcode == Opcode::kLd && operation.space == Space::kLocal && !operation.address.has_base;
}

/// What the register holds at operation `from` it holds at `to` too.
bool RegisterRoles::is_unchanged(std::uint32_t i, std::uint32_t from, std::uint32_t to) const {
  if (writes_[i].size() <= 1) return true;
  if (block_of_[from] != block_of_[to] || from > to) return false;
  const auto next = std::upper_bound(writes_[i].begin(), writes_[i].end(), from);
  return next == writes_[i].end() || *next >= to;
}

/// In order of definition, since a copy of an operand is an operand.
void RegisterRoles::find_operands() {
  for (const VirtualOperation& operation : code_.operations) {
    const std::uint32_t written = operation.dst[0];
    if (operation.operation.num_dst != 1 || written == kNoVirtual || code_.registers[written] == 1) continue;
    if (has_one_definition(written)) find_operand(operation, written);
  }
}

/// What the register is a copy of in the end, which may be itself. Those on the way are then copies of that.
std::uint32_t RegisterRoles::copied_by(std::uint32_t i) {
  std::uint32_t copied = i;
  while (role_[copied] == Role::kCopy) copied = original_[copied];
  while (role_[i] == Role::kCopy) i = std::exchange(original_[i], copied);
  return copied;
}

void RegisterRoles::find_operand(const VirtualOperation& made, std::uint32_t written) {
  const Operation& operation = made.operation;
  const Operand& source = operation.src[0];
  const std::uint32_t from = made.src[0];
  if (operation.opcode == Opcode::kLd && operation.space == Space::kParam && !operation.address.has_base) {
    role_[written] = Role::kBank;
  } else if (is_moving(operation) && source.kind == Operand::Kind::kImmediate) {
    role_[written] = Role::kConstant;
  } else if (is_moving(operation) && source.kind == Operand::Kind::kSpecial) {
    if (is_in_bank(source.special)) role_[written] = Role::kBank;
  } else if (from != kNoVirtual && has_one_definition(from)) {
    const bool copies = is_moving(operation) && code_.registers[from] == code_.registers[written];
    if (!copies && !(extends_by_zeros(operation) && role_[from] == Role::kValue)) return;
    if (is_reloaded(from)) return;
    const std::uint32_t copied = copied_by(from);
    if (copied == written) return;  // a copy of itself, in one step or around a loop
    role_[written] = role_[copied] == Role::kValue ? Role::kCopy : role_[copied];
    original_[written] = copied;
  }
}

/// All are taken for narrow until an operation looks at the upper half.
void RegisterRoles::find_narrow() {
  for (std::size_t i = 0; i < narrow_.size(); ++i) narrow_[i] = code_.registers[i] == kWideBits;
  std::vector<std::uint32_t> work;  // found wide, and what they are made of not looked at again
  const auto look = [&](std::uint32_t i, std::uint32_t at) {
    if (i == kNoVirtual || !narrow_[i] || looks_at_half(code_.operations[at], i)) return;
    narrow_[i] = false;
    work.push_back(i);
  };
  for (std::uint32_t i = 0; i < narrow_.size(); ++i) {
    for (const std::uint32_t at : uses_[i]) look(i, at);
  }
  while (!work.empty()) {
    const std::uint32_t wide = work.back();
    work.pop_back();
    for (const std::uint32_t at : writes_[wide]) {
      for (const std::uint32_t source : code_.operations[at].src) look(source, at);
      look(code_.operations[at].base, at);
    }
  }
}

bool RegisterRoles::looks_at_half(const VirtualOperation& at, std::uint32_t i) const {
  const Operation& operation = at.operation;
  if (at.base == i) {
    const bool is_data = std::find(at.src.begin(), at.src.end(), i) != at.src.end();
    return !is_data && has_short_addresses(operation.space);
  }
  const bool narrow_result = at.dst[0] != kNoVirtual && narrow_[at.dst[0]];
  switch (operation.opcode) {
    case Opcode::kAdd:
    case Opcode::kSub:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kNot:
    case Opcode::kMov:
    case Opcode::kCvta:
    case Opcode::kSelp:
    case Opcode::kShl:
      return narrow_result;
    case Opcode::kMul:
    case Opcode::kMad:
      return operation.mul_part == MulPart::kLo && narrow_result;
    case Opcode::kCvt:
      return is_integer(operation.type) && is_integer(operation.source_type) &&
             (bits_of(operation.type) <= kWordBits || narrow_result);
    default:
      return false;
  }
}

/// What is added to something wherever it is used, while what it is made of is still there.
void RegisterRoles::find_products() {
  for (std::uint32_t i = 0; i < role_.size(); ++i) {
    if (code_.registers[i] != kWideBits || uses_[i].empty() || !has_one_definition(i)) continue;
    if (role_[i] != Role::kValue || !is_product(i)) continue;
    const auto is_folded = [&](std::uint32_t at) {
      const Operation& operation = code_.operations[at].operation;
      if (operation.opcode != Opcode::kAdd || bits_of(operation.type) != kWideBits) return false;
      const auto& sources = product(i).src;
      return std::all_of(sources.begin(), sources.end(), [&](std::uint32_t source) {
        return source == kNoVirtual || (is_unchanged(source, definition_[i], at) && !is_reloaded(source));
      });
    };
    if (std::all_of(uses_[i].begin(), uses_[i].end(), is_folded)) role_[i] = Role::kProduct;
  }
}

bool RegisterRoles::is_product(std::uint32_t i) const {
  const Operation& operation = product(i).operation;
  if (operation.opcode == Opcode::kMul) return operation.mul_part == MulPart::kWide;
  if (operation.opcode == Opcode::kCvt)
    return is_integer(operation.source_type) && bits_of(operation.source_type) == kWordBits;
  return operation.opcode == Opcode::kShl && operation.src[1].kind == Operand::Kind::kImmediate;
}

}  // namespace heddle::ptx
