#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "workloads/ptx/text/ast.h"

namespace heddle::ptx {

/// How the .param variables of calls and device functions are accessed, callees included.
class ParamAccesses {
 public:
  /// True when every access of `variable`, which `owner` declares, is at a constant offset and no two overlap
  /// partly: then each piece can be a register. Call only when `owner` is not recursive
  /// and its calls are no deeper than limits::kCallDepth.
  bool fits_registers(const ast::Function& owner, const ast::Variable& variable);

 private:
  struct Pieces {
    std::map<std::uint64_t, std::uint64_t> bytes_at;
    bool fits = true;
    void add(std::uint64_t offset, std::uint64_t bytes);
    void merge(const Pieces& other);
  };

  const Pieces& pieces(const ast::Function& owner, const ast::Variable& variable);
  void visit(const ast::Instruction& instruction, const ast::Variable& variable, Pieces& found);

  std::unordered_map<const ast::Variable*, Pieces> known_;
};

/// `kernel`, or a function that it calls by way of others or itself, that has an error; nullptr: none.
const ast::Function* find_unreadable(const ast::Function& kernel);

/// The calls that a kernel makes, those of its callees included.
struct Calls {
  std::string recursion;    ///< a cycle of them, as "a -> b -> a"; empty when there is none
  std::uint64_t depth = 0;  ///< functions in the longest chain, the kernel included; without recursion
};
Calls look_at_calls(const ast::Function& kernel);

}  // namespace heddle::ptx
