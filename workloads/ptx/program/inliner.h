#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "workloads/ptx/program/call_graph.h"
#include "workloads/ptx/program/operand_binder.h"
#include "workloads/ptx/program/param_storage.h"
#include "workloads/ptx/program/virtual_code.h"

namespace heddle::ptx {

/// Lowers one kernel; used once. A call becomes a branch into a copy of the callee's body with registers of
/// its own, its ret a branch to the instruction after the call.
class Inliner {
 public:
  Inliner(const std::string& file, const ast::Function& kernel, const VariableIndex& variables,
          ParamAccesses& accesses);

  VirtualCode run(const std::unordered_map<const ast::Variable*, std::uint64_t>& params);

 private:
  /// A copy of a function under way.
  struct Copy {
    Frame frame;
    bool is_kernel = false;
    std::unordered_map<const ast::Variable*, ParamStorage*> params;
    struct Jump {
      std::size_t operation;
      std::uint32_t target;  ///< index into the function's body
    };
    std::vector<Jump> jumps;
    std::vector<std::uint32_t> starts;  ///< first operation of each instruction of the body
  };

  Copy make_copy(const ast::Function& function);
  void lower_body(Copy& copy);
  void lower(Copy& copy, const ast::Instruction& instruction);
  void lower_branch(Copy& copy, const ast::Instruction& instruction);
  void lower_return(Copy& copy, const ast::Instruction& instruction);
  void lower_param_access(Copy& copy, const ast::Instruction& instruction);
  void check_bounds(const ast::Instruction& instruction, const ast::Operand& address) const;
  void lower_param_pieces(Copy& copy, const ast::Instruction& instruction, ParamStorage& storage);
  void lower_call(Copy& copy, const ast::Instruction& instruction);
  void lower_printf(Copy& copy, const ast::Instruction& instruction);
  void lower_assertion(Copy& copy, const ast::Instruction& instruction);
  void pass_argument(Copy& caller, const ast::Instruction& call, const ast::Operand& actual,
                     const ast::Formal& formal, Copy& callee);
  void bind_result(Copy& caller, const ast::Instruction& call, const ast::Operand& actual,
                   const ast::Formal& formal, Copy& callee);
  void return_result(Copy& caller, const ast::Instruction& call, const ast::Operand& actual,
                     const ast::Formal& formal, Copy& callee);
  void check_lists(const ast::Instruction& call) const;

  /// Adds the value of a call's argument as the next source of `operation`.
  void add_argument(Copy& copy, const ast::Instruction& call, std::size_t index, Type type,
                    VirtualOperation& operation);

  ParamStorage& storage_of(Copy& copy, const ast::Variable& variable);
  ParamStorage& make_storage(const ast::Function& owner, const ast::Variable& variable);
  /// The register that holds a piece: at least 16 bits wide. Fails when it is not of `type`'s width.
  std::uint32_t piece(ParamStorage& storage, std::uint64_t offset, Type type,
                      const ast::Instruction& instruction);
  void check_same_size(const ast::Instruction& call, const ast::Operand& actual,
                       const ast::Formal& formal) const;

  VirtualOperation start(const Copy& copy, const ast::Instruction& instruction) const;
  /// start() for an operation that the instruction becomes instead of its own: only the guard is kept.
  VirtualOperation start_move(const Copy& copy, const ast::Instruction& instruction) const;
  void emit(const ast::Instruction& instruction, const VirtualOperation& operation);
  /// Emits `operation`, whose operands are bound, as mov when the registers are as wide as `type`, otherwise
  /// as cvt that extends a value of `type` to the destination.
  void emit_copy(const ast::Instruction& instruction, VirtualOperation operation, Type type);
  std::uint32_t new_register(unsigned bits);
  void check_most(std::uint64_t found, std::uint64_t most, const std::string& what) const;
  std::uint64_t allocate_local(const ast::Variable& variable);
  std::uint32_t next() const { return static_cast<std::uint32_t>(code_.operations.size()); }

  const std::string& file_;
  const ast::Function& kernel_;
  ParamAccesses& accesses_;
  SharedLayout shared_;
  VirtualCode code_;
  OperandBinder binder_;
  std::vector<std::unique_ptr<ParamStorage>> storages_;
  std::uint64_t local_bytes_ = 0;
  std::uint64_t calls_ = 0;
};

}  // namespace heddle::ptx
