#include "workloads/ptx/program/liveness.h"

namespace heddle::ptx {

namespace {

using Words = std::vector<std::uint64_t>;

constexpr std::uint32_t kLocal = 0xFFFFFFFFU;

/// Only registers that some block reads before it writes them can live across blocks; the sets of the
/// data-flow equations number just those, which keeps long kernels small.
class Exposure {
 public:
  Exposure(std::size_t num_registers, const std::vector<RegisterUse>& uses, const ControlFlowGraph& graph)
      : number_(num_registers, kLocal) {
    std::vector<std::uint32_t> written_in(num_registers, kLocal);
    for (std::uint32_t block = 0; block < graph.blocks().size(); ++block) {
      for (std::uint32_t i = graph.blocks()[block].first; i < graph.blocks()[block].end; ++i) {
        for (const std::uint32_t read : uses[i].reads) {
          if (written_in[read] != block && number_[read] == kLocal) {
            number_[read] = static_cast<std::uint32_t>(registers_.size());
            registers_.push_back(read);
          }
        }
        for (const std::uint32_t written : uses[i].writes) {
          written_in[written] = block;
        }
      }
    }
  }

  std::size_t words() const { return (registers_.size() + 63) / 64; }

  void set(Words& words, std::uint32_t virtual_register, bool value) const {
    const std::uint32_t number = number_[virtual_register];
    if (number == kLocal) {
      return;
    }
    const std::uint64_t bit = std::uint64_t{1} << (number % 64);
    words[number / 64] = value ? words[number / 64] | bit : words[number / 64] & ~bit;
  }

  std::vector<std::uint32_t> registers_in(const Words& words) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t number = 0; number < registers_.size(); ++number) {
      if (((words[number / 64] >> (number % 64)) & 1U) != 0) {
        found.push_back(registers_[number]);
      }
    }
    return found;
  }

 private:
  std::vector<std::uint32_t> number_;  ///< of a register in the sets, or kLocal
  std::vector<std::uint32_t> registers_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> live_out(std::size_t num_registers,
                                                 const std::vector<RegisterUse>& uses,
                                                 const ControlFlowGraph& graph) {
  const auto& blocks = graph.blocks();
  const Exposure exposure(num_registers, uses, graph);
  const std::size_t words = exposure.words();
  std::vector<Words> used(blocks.size(), Words(words, 0));
  std::vector<Words> killed = used;
  std::vector<Words> in = used;
  std::vector<Words> out = used;
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    for (std::uint32_t i = blocks[block].end; i-- > blocks[block].first;) {
      for (const std::uint32_t written : uses[i].writes) {
        exposure.set(used[block], written, false);
        exposure.set(killed[block], written, true);
      }
      for (const std::uint32_t read : uses[i].reads) {
        exposure.set(used[block], read, true);
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t block = blocks.size(); block-- > 0;) {
      for (std::size_t word = 0; word < words; ++word) {
        for (const std::uint32_t successor : blocks[block].successors) {
          out[block][word] |= in[successor][word];
        }
        const std::uint64_t live = used[block][word] | (out[block][word] & ~killed[block][word]);
        changed = changed || live != in[block][word];
        in[block][word] = live;
      }
    }
  }
  std::vector<std::vector<std::uint32_t>> found;
  found.reserve(blocks.size());
  for (const Words& live : out) {
    found.push_back(exposure.registers_in(live));
  }
  return found;
}

}  // namespace heddle::ptx
