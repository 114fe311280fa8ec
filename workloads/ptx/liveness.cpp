#include "workloads/ptx/liveness.h"

namespace heddle::ptx {

bool RegisterSet::unite(const RegisterSet& other) {
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    changed |= other.words_[i] & ~words_[i];
    words_[i] |= other.words_[i];
  }
  return changed != 0;
}

bool RegisterSet::become(const RegisterSet& used, const RegisterSet& out, const RegisterSet& killed) {
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::uint64_t word = used.words_[i] | (out.words_[i] & ~killed.words_[i]);
    changed |= word ^ words_[i];
    words_[i] = word;
  }
  return changed != 0;
}

std::vector<RegisterSet> live_out(std::size_t num_registers, const std::vector<RegisterUse>& uses,
                                  const ControlFlowGraph& graph) {
  const auto& blocks = graph.blocks();
  const std::vector<RegisterSet> empty(blocks.size(), RegisterSet(num_registers));
  std::vector<RegisterSet> used = empty;
  std::vector<RegisterSet> killed = empty;
  std::vector<RegisterSet> in = empty;
  std::vector<RegisterSet> out = empty;
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    for (std::uint32_t i = blocks[block].end; i-- > blocks[block].first;) {
      for (const std::uint32_t written : uses[i].writes) {
        used[block].erase(written);
        killed[block].insert(written);
      }
      for (const std::uint32_t read : uses[i].reads) {
        used[block].insert(read);
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t block = blocks.size(); block-- > 0;) {
      for (const std::uint32_t successor : blocks[block].successors) {
        out[block].unite(in[successor]);
      }
      changed = in[block].become(used[block], out[block], killed[block]) || changed;
    }
  }
  return out;
}

}  // namespace heddle::ptx
