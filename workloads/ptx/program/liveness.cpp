#include "workloads/ptx/program/liveness.h"

namespace heddle::ptx {

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;

/// A register that some block reads before it writes it: others never live across blocks.
struct Exposed {
  std::uint32_t register_number = 0;
  std::vector<std::uint32_t> read_in;  ///< blocks, before they write it
  std::vector<std::uint32_t> written_in;
};

void add_last(std::vector<std::uint32_t>& list, std::uint32_t value) {
  if (list.empty() || list.back() != value) list.push_back(value);
}

std::vector<Exposed> find_exposed(std::size_t num_registers, const std::vector<RegisterUse>& uses,
                                  const ControlFlowGraph& graph) {
  std::vector<Exposed> found;
  std::vector<std::uint32_t> number(num_registers, kNone);
  std::vector<std::uint32_t> written_in(num_registers, kNone);
  for (std::uint32_t block = 0; block < graph.blocks().size(); ++block) {
    for (std::uint32_t i = graph.blocks()[block].first; i < graph.blocks()[block].end; ++i) {
      for (const std::uint32_t read : uses[i].reads) {
        if (written_in[read] == block) continue;
        if (number[read] == kNone) {
          number[read] = static_cast<std::uint32_t>(found.size());
          found.push_back({read, {}, {}});
        }
        add_last(found[number[read]].read_in, block);
      }
      for (const std::uint32_t written : uses[i].writes) written_in[written] = block;
    }
  }
  for (std::uint32_t block = 0; block < graph.blocks().size(); ++block) {
    for (std::uint32_t i = graph.blocks()[block].first; i < graph.blocks()[block].end; ++i) {
      for (const std::uint32_t written : uses[i].writes) {
        if (number[written] != kNone) add_last(found[number[written]].written_in, block);
      }
    }
  }
  return found;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> live_out(std::size_t num_registers,
                                                 const std::vector<RegisterUse>& uses,
                                                 const ControlFlowGraph& graph, std::size_t most,
                                                 std::size_t most_in_all) {
  const auto& blocks = graph.blocks();
  std::vector<bool> reached(blocks.size(), false);
  for (const std::uint32_t block : graph.reachable()) reached[block] = true;
  std::vector<std::vector<std::uint32_t>> out(blocks.size());
  std::vector<std::uint32_t> writes(blocks.size(), kNone);  ///< the last register found to be written there
  std::vector<std::uint32_t> needs(blocks.size(), kNone);   ///< likewise, to be alive at its beginning
  std::vector<std::uint32_t> work;
  std::size_t in_all = 0;
  // One register after the other, backwards from where it is read to where it is written.
  for (const Exposed& exposed : find_exposed(num_registers, uses, graph)) {
    const std::uint32_t wanted = exposed.register_number;
    for (const std::uint32_t block : exposed.written_in) writes[block] = wanted;
    for (const std::uint32_t block : exposed.read_in) {
      needs[block] = wanted;
      if (reached[block]) work.push_back(block);
    }
    while (!work.empty()) {
      const std::uint32_t block = work.back();
      work.pop_back();
      for (const std::uint32_t before : blocks[block].predecessors) {
        if (!reached[before]) continue;
        if (out[before].empty() || out[before].back() != wanted) {
          out[before].push_back(wanted);
          if (out[before].size() > most || ++in_all > most_in_all) return {};
        }
        if (writes[before] == wanted || needs[before] == wanted) continue;
        needs[before] = wanted;
        work.push_back(before);
      }
    }
  }
  return out;
}

}  // namespace heddle::ptx
