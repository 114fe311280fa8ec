#pragma once

#include <cstdint>
#include <vector>

#include "workloads/ptx/text/parse_context.h"

namespace heddle::ptx {

/// Parses the instructions of one function body.
class InstructionParser {
 public:
  InstructionParser(ParseContext& context, ast::Function& function)
      : context_(context), function_(function) {}

  /// Parses `[@[!]%p] mnemonic operands ;`.
  void parse();

  /// Gives every branch its target. Throws PtxError for a label that is nowhere.
  void resolve_labels();

 private:
  struct LabelUse {
    std::size_t instruction;
    std::size_t operand;
    std::size_t scope;
  };

  void parse_guard(ast::Instruction& instruction);
  Mnemonic parse_mnemonic(const Token& name);
  void parse_operands(ast::Instruction& instruction);
  void parse_call(ast::Instruction& instruction);
  std::vector<ast::Operand> parse_call_list();

  ast::Operand parse_operand();
  ast::Operand parse_name();
  ast::Operand parse_address();
  ast::Operand parse_vector();
  ast::Operand parse_constant_operand();
  ast::Operand parse_label(std::size_t instruction, std::size_t operand);
  [[noreturn]] void fail_unknown(const Token& name) const;

  ParseContext& context_;
  ast::Function& function_;
  std::vector<LabelUse> label_uses_;
};

}  // namespace heddle::ptx
