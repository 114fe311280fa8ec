#pragma once

#include <cstdint>
#include <unordered_map>

#include "workloads/ptx/text/ast.h"

namespace heddle::ptx {

/// Indices of the module-level variables in Module::variables, of texture references in
/// Module::texture_references.
using VariableIndex = std::unordered_map<const ast::Variable*, std::uint32_t>;

constexpr std::uint64_t align_up(std::uint64_t offset, std::uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

/// Offsets of a kernel's .shared variables in the TB's window: every variable that the kernel or a function
/// it calls names, once, in the order of use; then, at an offset that is aligned for it and at least to 16
/// bytes, the extern arrays, which all start where dynamic shared memory does.
class SharedLayout {
 public:
  explicit SharedLayout(const ast::Function& kernel);

  std::uint64_t offset_of(const ast::Variable& variable) const;
  std::uint64_t static_bytes() const { return static_bytes_; }
  bool uses_dynamic() const { return uses_dynamic_; }

 private:
  void visit(const ast::Function& function);
  void place(const ast::Operand& operand);

  std::unordered_map<const ast::Variable*, std::uint64_t> offsets_;
  std::unordered_map<const ast::Function*, bool> visited_;
  std::uint64_t static_bytes_ = 0;
  std::uint64_t dynamic_alignment_ = 16;
  bool uses_dynamic_ = false;
};

}  // namespace heddle::ptx
