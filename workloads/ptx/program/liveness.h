#pragma once

#include <cstdint>
#include <vector>

#include "workloads/ptx/program/cfg.h"
#include "workloads/ptx/program/registers.h"

namespace heddle::ptx {

/// Registers whose value is still needed at the end of each basic block, for one thread in program order:
/// divergence does not matter, since every lane has registers of its own. Blocks that are never reached need
/// none. Empty when some block needs more than `most`, or all together more than `most_in_all`.
std::vector<std::vector<std::uint32_t>> live_out(std::size_t num_registers,
                                                 const std::vector<RegisterUse>& uses,
                                                 const ControlFlowGraph& graph,
                                                 std::size_t most = ~std::size_t{0},
                                                 std::size_t most_in_all = ~std::size_t{0});

/// A set of registers whose insertion, removal and step of iteration take constant time.
class LiveSet {
 public:
  explicit LiveSet(std::size_t num_registers) : position_(num_registers, kAbsent) {}

  bool contains(std::uint32_t i) const { return position_[i] != kAbsent; }
  void insert(std::uint32_t i) {
    if (!contains(i)) {
      position_[i] = static_cast<std::uint32_t>(members_.size());
      members_.push_back(i);
    }
  }
  void erase(std::uint32_t i) {
    if (contains(i)) {
      const std::uint32_t last = members_.back();
      members_[position_[i]] = last;
      position_[last] = position_[i];
      position_[i] = kAbsent;
      members_.pop_back();
    }
  }
  void clear() {
    for (const std::uint32_t member : members_) {
      position_[member] = kAbsent;
    }
    members_.clear();
  }
  const std::vector<std::uint32_t>& members() const { return members_; }

 private:
  static constexpr std::uint32_t kAbsent = 0xFFFFFFFFU;
  std::vector<std::uint32_t> members_;
  std::vector<std::uint32_t> position_;
};

}  // namespace heddle::ptx
