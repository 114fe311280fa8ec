#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workloads/ptx/isa/operation.h"
#include "workloads/ptx/text/lexer.h"

namespace heddle::ptx {

constexpr std::uint32_t kNoVirtual = 0xFFFFFFFFU;

/// An operation before register allocation: its operands are complete but for Operand::slot,
/// Address::base_slot and Operation::guard, for which virtual registers stand here.
struct VirtualOperation {
  Operation operation;
  std::array<std::uint32_t, 4> dst = {kNoVirtual, kNoVirtual, kNoVirtual, kNoVirtual};
  std::array<std::uint32_t, 5> src = {kNoVirtual, kNoVirtual, kNoVirtual, kNoVirtual, kNoVirtual};
  std::uint32_t base = kNoVirtual;
  std::uint32_t guard = kNoVirtual;
  CacheOp cache = CacheOp::kAll;
  Position position;
  const std::string* text = nullptr;  ///< of the AST's instruction, or one of VirtualCode::texts
};

/// A kernel with everything inlined, in the order of its PCs.
struct VirtualCode {
  std::vector<VirtualOperation> operations;
  std::vector<Relocation> relocations;
  /// Operations at which loops begin that a compiler is told not to unroll, in order.
  std::vector<std::uint32_t> kept_loops;
  /// Width of each virtual register in bits: 1 (predicate), 8, 16, 32 or 64.
  std::vector<std::uint8_t> registers;
  unsigned static_shared_bytes = 0;
  unsigned local_bytes = 0;
  unsigned spilled_bytes = 0;  ///< of these, what is kept there for want of registers
  /// Of operations that the PTX does not have.
  std::vector<std::shared_ptr<const std::string>> texts;
  bool uses_dynamic_shared = false;
};

}  // namespace heddle::ptx
