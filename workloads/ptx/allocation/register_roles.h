#pragma once

#include <cstdint>
#include <vector>

#include "workloads/ptx/program/cfg.h"
#include "workloads/ptx/program/virtual_code.h"

namespace heddle::ptx {

/// What the machine needs a virtual register for.
class RegisterRoles {
 public:
  enum class Role : std::uint8_t {
    kValue,     ///< it is a register
    kConstant,  ///< an immediate
    kBank,      ///< a word of the constant bank: kernel parameters, sizes of grid and block
    kCopy,  ///< another virtual register, as it is or extended by zeros: the zero register is its upper half
    kProduct,  ///< a product that is only ever added to something
  };

  RegisterRoles(const VirtualCode& code, const ControlFlowGraph& graph);

  Role role(std::uint32_t i) const { return role_[i]; }
  /// Of a copy: the original.
  std::uint32_t original(std::uint32_t i) const { return original_[i]; }
  /// Of a product: the operation that makes it.
  const VirtualOperation& product(std::uint32_t i) const { return code_.operations[definition_[i]]; }
  /// 32-bit registers that it takes as a value: none for a predicate, one for 64 bits of which only the lower
  /// half is looked at.
  std::uint8_t slots(std::uint32_t i) const;

 private:
  void add_use(std::uint32_t i, std::uint32_t at);
  void find_definitions(const ControlFlowGraph& graph);
  bool has_one_definition(std::uint32_t i) const;
  bool is_reloaded(std::uint32_t i) const;
  bool is_unchanged(std::uint32_t i, std::uint32_t from, std::uint32_t to) const;
  void find_operands();
  std::uint32_t copied_by(std::uint32_t i);
  void find_operand(const VirtualOperation& made, std::uint32_t written);
  void find_narrow();
  bool looks_at_half(const VirtualOperation& at, std::uint32_t i) const;
  void find_products();
  bool is_product(std::uint32_t i) const;

  const VirtualCode& code_;
  std::vector<std::uint32_t> block_of_;             ///< by operation
  std::vector<std::vector<std::uint32_t>> writes_;  ///< operations, by register
  std::vector<std::vector<std::uint32_t>> uses_;
  std::vector<std::uint32_t> definition_;  ///< the last write
  std::vector<Role> role_;
  std::vector<std::uint32_t> original_;
  std::vector<bool> narrow_;
};

}  // namespace heddle::ptx
