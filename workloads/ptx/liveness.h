#pragma once

#include <cstdint>
#include <vector>

#include "workloads/ptx/cfg.h"
#include "workloads/ptx/registers.h"

namespace heddle::ptx {

/// A set of virtual registers.
class RegisterSet {
 public:
  explicit RegisterSet(std::size_t size = 0) : words_((size + 63) / 64, 0) {}

  bool contains(std::uint32_t i) const { return ((words_[i / 64] >> (i % 64)) & 1U) != 0; }
  void insert(std::uint32_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void erase(std::uint32_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  /// Adds `other`; true when this changed.
  bool unite(const RegisterSet& other);
  /// Becomes used + (out - killed); true when this changed.
  bool become(const RegisterSet& used, const RegisterSet& out, const RegisterSet& killed);

  template <typename Visitor>
  void for_each(Visitor visit) const {
    for (std::size_t word = 0; word < words_.size(); ++word) {
      for (std::uint64_t bits = words_[word]; bits != 0; bits &= bits - 1) {
        visit(static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits))));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// Registers whose value is still needed at the end of each basic block, for one thread in program order:
/// divergence does not matter, since every lane has registers of its own.
std::vector<RegisterSet> live_out(std::size_t num_registers, const std::vector<RegisterUse>& uses,
                                  const ControlFlowGraph& graph);

}  // namespace heddle::ptx
