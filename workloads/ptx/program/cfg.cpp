#include "workloads/ptx/program/cfg.h"

#include <algorithm>

namespace heddle::ptx {

namespace {

constexpr std::uint32_t kUnknown = 0xFFFFFFFFU;

}  // namespace

ControlFlowGraph::ControlFlowGraph(const std::vector<Flow>& flow)
    : num_operations_(static_cast<std::uint32_t>(flow.size())) {
  find_blocks(flow);
  find_post_dominators(flow);
}

void ControlFlowGraph::find_blocks(const std::vector<Flow>& flow) {
  std::vector<bool> leads(flow.size() + 1, false);
  leads[0] = true;
  for (std::size_t i = 0; i < flow.size(); ++i) {
    if (flow[i].kind == Flow::Kind::kNext) {
      continue;
    }
    leads[i + 1] = true;
    if (flow[i].kind == Flow::Kind::kJump || flow[i].kind == Flow::Kind::kBranch) {
      leads[flow[i].target] = true;
    }
  }
  block_of_.resize(flow.size());
  for (std::uint32_t i = 0; i < num_operations_; ++i) {
    if (leads[i]) {
      blocks_.push_back({i, i, {}, {}});
    }
    blocks_.back().end = i + 1;
    block_of_[i] = static_cast<std::uint32_t>(blocks_.size() - 1);
  }
  for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
    const std::uint32_t last = blocks_[block].end - 1;
    const Flow& leave = flow[last];
    if (leave.kind == Flow::Kind::kNext || leave.kind == Flow::Kind::kBranch) {
      link(block, last + 1);
    }
    if (leave.kind == Flow::Kind::kJump || leave.kind == Flow::Kind::kBranch) {
      link(block, leave.target);
    }
  }
}

void ControlFlowGraph::link(std::uint32_t from, std::uint32_t operation) {
  if (operation >= num_operations_) {
    return;
  }
  const std::uint32_t to = block_of_[operation];
  std::vector<std::uint32_t>& successors = blocks_[from].successors;
  if (std::find(successors.begin(), successors.end(), to) == successors.end()) {
    successors.push_back(to);
    blocks_[to].predecessors.push_back(from);
  }
}

void ControlFlowGraph::mark_backwards(std::uint32_t block, std::vector<bool>& marked) const {
  std::vector<std::uint32_t> work = {block};
  marked[block] = true;
  while (!work.empty()) {
    const std::uint32_t at = work.back();
    work.pop_back();
    for (const std::uint32_t predecessor : blocks_[at].predecessors) {
      if (!marked[predecessor]) {
        marked[predecessor] = true;
        work.push_back(predecessor);
      }
    }
  }
}

/// The blocks that have an edge to the exit, invented ones of endless loops included.
std::vector<std::uint32_t> ControlFlowGraph::leaving_blocks(const std::vector<Flow>& flow) const {
  std::vector<std::uint32_t> leaving;
  std::vector<bool> reaches(blocks_.size(), false);
  std::vector<bool> reaches_trap(blocks_.size(), false);
  for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
    const std::uint32_t last = blocks_[block].end - 1;
    const Flow& leave = flow[last];
    const bool falls_off =
        last + 1 == num_operations_ && (leave.kind == Flow::Kind::kNext || leave.kind == Flow::Kind::kBranch);
    const bool jumps_off = (leave.kind == Flow::Kind::kJump || leave.kind == Flow::Kind::kBranch) &&
                           leave.target >= num_operations_;
    if (leave.kind == Flow::Kind::kExit || falls_off || jumps_off) {
      leaving.push_back(block);
      mark_backwards(block, reaches);
    } else if (leave.kind == Flow::Kind::kTrap) {
      mark_backwards(block, reaches_trap);
    }
  }
  for (const bool wants_back_edge : {true, false}) {
    for (auto block = static_cast<std::uint32_t>(blocks_.size()); block-- > 0;) {
      const std::vector<std::uint32_t>& next = blocks_[block].successors;
      const bool goes_back =
          std::any_of(next.begin(), next.end(), [&](std::uint32_t to) { return to <= block; });
      if (!reaches[block] && !reaches_trap[block] && (goes_back || !wants_back_edge)) {
        leaving.push_back(block);
        mark_backwards(block, reaches);
      }
    }
  }
  return leaving;
}

/// Depth-first post-order of the reversed graph from the exit.
std::vector<std::uint32_t> ControlFlowGraph::post_order(const std::vector<std::uint32_t>& leaving) const {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(blocks_.size(), false);
  struct Visit {
    std::uint32_t block;
    std::size_t next;
  };
  std::vector<Visit> stack;
  for (const std::uint32_t root : leaving) {
    if (seen[root]) {
      continue;
    }
    seen[root] = true;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      Visit& top = stack.back();
      const std::vector<std::uint32_t>& predecessors = blocks_[top.block].predecessors;
      if (top.next == predecessors.size()) {
        order.push_back(top.block);
        stack.pop_back();
        continue;
      }
      const std::uint32_t predecessor = predecessors[top.next++];
      if (!seen[predecessor]) {
        seen[predecessor] = true;
        stack.push_back({predecessor, 0});
      }
    }
  }
  return order;
}

/// Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm", on the reversed graph.
void ControlFlowGraph::find_post_dominators(const std::vector<Flow>& flow) {
  const auto exit = static_cast<std::uint32_t>(blocks_.size());
  const std::vector<std::uint32_t> leaving = leaving_blocks(flow);
  const std::vector<std::uint32_t> order = post_order(leaving);
  std::vector<std::uint32_t> number(blocks_.size() + 1, 0);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    number[order[i]] = i;
  }
  number[exit] = static_cast<std::uint32_t>(order.size());
  std::vector<bool> leaves(blocks_.size(), false);
  for (const std::uint32_t block : leaving) {
    leaves[block] = true;
  }
  post_dominator_.assign(blocks_.size() + 1, kUnknown);
  post_dominator_[exit] = exit;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (number[a] < number[b]) {
        a = post_dominator_[a];
      }
      while (number[b] < number[a]) {
        b = post_dominator_[b];
      }
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      std::uint32_t found = leaves[*at] ? exit : kUnknown;
      for (const std::uint32_t successor : blocks_[*at].successors) {
        if (post_dominator_[successor] != kUnknown) {
          found = found == kUnknown ? successor : meet(found, successor);
        }
      }
      if (post_dominator_[*at] != found) {
        post_dominator_[*at] = found;
        changed = true;
      }
    }
  }
}

std::vector<std::uint32_t> ControlFlowGraph::reachable() const {
  std::vector<std::uint32_t> found;
  if (blocks_.empty()) {
    return found;
  }
  std::vector<bool> seen(blocks_.size(), false);
  seen[0] = true;
  found.push_back(0);
  for (std::size_t next = 0; next < found.size(); ++next) {
    for (const std::uint32_t successor : blocks_[found[next]].successors) {
      if (!seen[successor]) {
        seen[successor] = true;
        found.push_back(successor);
      }
    }
  }
  return found;
}

std::uint32_t ControlFlowGraph::reconvergence(std::uint32_t operation) const {
  const std::uint32_t block = post_dominator_[block_of_[operation]];
  return block >= blocks_.size() ? num_operations_ : blocks_[block].first;
}

}  // namespace heddle::ptx
