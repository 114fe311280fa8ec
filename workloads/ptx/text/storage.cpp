#include "workloads/ptx/text/storage.h"

#include <algorithm>

namespace heddle::ptx {

SharedLayout::SharedLayout(const ast::Function& kernel) {
  visit(kernel);
  if (uses_dynamic_) {
    static_bytes_ = align_up(static_bytes_, dynamic_alignment_);
  }
}

void SharedLayout::visit(const ast::Function& function) {
  if (!visited_.emplace(&function, true).second) {
    return;
  }
  for (const ast::Instruction& instruction : function.body) {
    for (const ast::Operand& operand : instruction.operands) {
      place(operand);
    }
    if (instruction.callee != nullptr) {
      visit(*instruction.callee);
    }
  }
}

void SharedLayout::place(const ast::Operand& operand) {
  for (const ast::Operand& element : operand.elements) {
    place(element);
  }
  const ast::Variable* const variable = operand.symbol;
  if (variable == nullptr || variable->space != Space::kShared) {
    return;
  }
  if (variable->bytes == 0) {
    uses_dynamic_ = true;
    dynamic_alignment_ = std::max(dynamic_alignment_, variable->alignment);
  } else if (offsets_.count(variable) == 0) {
    const std::uint64_t offset = align_up(static_bytes_, variable->alignment);
    offsets_.emplace(variable, offset);
    static_bytes_ = offset + variable->bytes;
  }
}

std::uint64_t SharedLayout::offset_of(const ast::Variable& variable) const {
  const auto found = offsets_.find(&variable);
  return found == offsets_.end() ? static_bytes_ : found->second;
}

}  // namespace heddle::ptx
