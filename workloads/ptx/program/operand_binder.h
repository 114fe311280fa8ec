#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "workloads/ptx/program/virtual_code.h"
#include "workloads/ptx/text/ast.h"
#include "workloads/ptx/text/storage.h"

namespace heddle::ptx {

/// One inlined copy of a function (or the kernel itself) while it is lowered.
struct Frame {
  const ast::Function* function = nullptr;
  std::uint32_t register_base = 0;  ///< virtual register of the function's register 0
  /// Offsets of what lies in the frame's memory: .local variables and the .param variables that are accessed
  /// by address, in local memory; in a kernel its parameters, in the parameter block.
  std::unordered_map<const ast::Variable*, std::uint64_t> offsets;
};

/// Binds the operands of instructions to virtual registers and immediates and checks them against the
/// mnemonic's signature, one letter an operand:
///
///   d  destination of the type              a  source of the type
///   D  the same, twice as wide with .wide   w  source, twice as wide with .wide
///   U  32-bit destination                   u  source of type u32;  n  32-bit source, signed or not
///   r  destination of cvt: may be wider     s  source of source_type;  R  the same, may be wider
///   P  predicate destination                c  source predicate
///   p  predicate or pair p|q                g  source address of 32 or 64 bits
///   o  destination or pair d|p              O  32-bit destination or pair d|p
///   V  destinations of a load               v  sources of a store;  m  address
///   k  destination of atom: may be _        i  8-bit immediate (lut)
///   t  texture and coordinates: [name or register, {x, y}]
///   l  label (lowering resolves it)         x  anything, not looked at
///   ?  after a letter: may be left out
class OperandBinder {
 public:
  OperandBinder(const std::string& file, const SharedLayout& shared, const VariableIndex& variables,
                VirtualCode& code)
      : file_(file), shared_(shared), variables_(variables), code_(code) {}

  /// Binds every operand of `instruction` into `operation`, by its signature.
  void bind(const Frame& frame, const ast::Instruction& instruction, VirtualOperation& operation);
  /// Binds `mov`, which may pack, unpack, read a special register or take an address.
  void bind_mov(const Frame& frame, const ast::Instruction& instruction, VirtualOperation& operation);

  void add_source(const Frame& frame, const ast::Operand& operand, Type type, VirtualOperation& operation);
  void add_destination(const Frame& frame, const ast::Operand& operand, Type type,
                       VirtualOperation& operation);
  static void add_register_source(std::uint32_t virtual_register, unsigned bits, VirtualOperation& operation);
  static void add_register_destination(std::uint32_t virtual_register, unsigned bits,
                                       VirtualOperation& operation);

  [[noreturn]] void fail(const ast::Instruction& instruction, Position position,
                         const std::string& message) const;
  /// The instruction whose operands are bound, for the messages of add_source and add_destination.
  void set_instruction(const ast::Instruction& instruction) { instruction_ = &instruction; }

 private:
  enum class Width : std::uint8_t { kExact, kAtLeast };

  void bind_one(char letter, const Frame& frame, const ast::Operand& operand, VirtualOperation& operation);
  void bind_destination(const Frame& frame, const ast::Operand& operand, Type type, Width width,
                        VirtualOperation& operation);
  void bind_source(const Frame& frame, const ast::Operand& operand, Type type, Width width,
                   VirtualOperation& operation);
  void bind_pair(const Frame& frame, const ast::Operand& operand, Type first, VirtualOperation& operation);
  void bind_vector(const Frame& frame, const ast::Operand& operand, bool is_destination,
                   VirtualOperation& operation);
  /// Fails when the last destination is not `bits` wide; 0: sets `bits`.
  void check_width(const ast::Operand& element, const Operation& operation, unsigned& bits) const;
  void bind_address(const Frame& frame, const ast::Operand& operand, VirtualOperation& operation);
  /// Of tex: the texture's handle becomes the address, the coordinates sources.
  void bind_texture(const Frame& frame, const ast::Operand& operand, VirtualOperation& operation);
  /// The handle of the texture reference that the operand names.
  std::uint64_t handle_of(const ast::Operand& operand) const;
  void bind_symbol(const Frame& frame, const ast::Operand& operand, Type type, VirtualOperation& operation);

  /// The symbol's offset in its window; for .global and .const a relocation, recorded for source `source`.
  std::uint64_t place(const Frame& frame, const ast::Operand& operand, std::int8_t source);
  Operand register_operand(const Frame& frame, const ast::Operand& operand, Type type, Width width) const;
  void check_count(const ast::Instruction& instruction, std::string_view signature, std::size_t found) const;
  [[noreturn]] void fail_operand(const ast::Operand& operand, const std::string& message) const;

  const std::string& file_;
  const SharedLayout& shared_;
  const VariableIndex& variables_;
  VirtualCode& code_;
  const ast::Instruction* instruction_ = nullptr;
};

}  // namespace heddle::ptx
