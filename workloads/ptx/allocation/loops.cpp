#include "workloads/ptx/allocation/loops.h"

#include <algorithm>

namespace heddle::ptx {

namespace {

constexpr unsigned kRounds = 4;
constexpr unsigned kMostOperations = 64;
constexpr std::uint32_t kNotFound = 0xFFFFFFFFU;

bool is_among(const std::vector<std::uint32_t>& list, std::uint32_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// The block's successor, past a block that does nothing but jump.
std::uint32_t past_jump(const ControlFlowGraph& graph, const MachineCode& machine, std::uint32_t number) {
  const ControlFlowGraph::Block& block = graph.blocks()[number];
  const bool only_jumps = block.end - block.first == 1 && machine.operations[block.first].is_branch &&
                          block.successors.size() == 1;
  return only_jumps ? block.successors.front() : number;
}

bool goes_back(const ControlFlowGraph& graph, const MachineCode& machine, std::uint32_t number) {
  const std::vector<std::uint32_t>& next = graph.blocks()[number].successors;
  return std::any_of(next.begin(), next.end(), [&](std::uint32_t successor) {
    return successor == number || past_jump(graph, machine, successor) == number;
  });
}

/// The last operation of the block that writes the register.
std::uint32_t writer(const MachineCode& machine, const ControlFlowGraph::Block& block, std::uint32_t wanted) {
  for (std::uint32_t i = block.end; i-- > block.first;) {
    if (is_among(machine.operations[i].writes, wanted)) return i;
  }
  return kNotFound;
}

/// The loop ends by a comparison of a register to which each round adds a constant.
bool is_counted(const MachineCode& machine, const ControlFlowGraph::Block& block) {
  const MachineOperation& branch = machine.operations[block.end - 1];
  if (!branch.is_branch || branch.reads.size() != 1) return false;
  const std::uint32_t comparison = writer(machine, block, branch.reads.front());
  if (comparison == kNotFound) return false;
  const std::vector<std::uint32_t>& compared = machine.operations[comparison].reads;
  return std::any_of(compared.begin(), compared.end(), [&](std::uint32_t i) {
    const std::uint32_t step = writer(machine, block, i);
    return step != kNotFound && machine.operations[step].is_step;
  });
}

bool is_kept(const VirtualCode& code, std::uint32_t first) {
  return std::binary_search(code.kept_loops.begin(), code.kept_loops.end(), first);
}

}  // namespace

unsigned rounds_at_once(const VirtualCode& code, const MachineCode& machine, const ControlFlowGraph& graph,
                        std::uint32_t number) {
  const ControlFlowGraph::Block& block = graph.blocks()[number];
  if (block.end - block.first > kMostOperations || is_kept(code, block.first)) return 1;
  const bool calls =
      std::any_of(machine.operations.begin() + block.first, machine.operations.begin() + block.end,
                  [](const MachineOperation& operation) { return operation.is_call; });
  return !calls && goes_back(graph, machine, number) && is_counted(machine, block) ? kRounds : 1;
}

}  // namespace heddle::ptx
