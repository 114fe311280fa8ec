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

namespace {

/// The forest of Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", with path
/// compression. Nodes are numbers in depth-first order.
class Forest {
 public:
  explicit Forest(std::size_t nodes) : semi_(nodes), label_(nodes), ancestor_(nodes, kUnknown) {
    for (std::uint32_t i = 0; i < nodes; ++i) semi_[i] = label_[i] = i;
  }

  std::uint32_t semi(std::uint32_t node) const { return semi_[node]; }
  void lower_semi(std::uint32_t node, std::uint32_t to) { semi_[node] = std::min(semi_[node], to); }
  void link(std::uint32_t parent, std::uint32_t node) { ancestor_[node] = parent; }

  /// The node of least semi() on the way from `node` up to its root, the root left out.
  std::uint32_t least(std::uint32_t node) {
    if (ancestor_[node] == kUnknown) return node;
    path_.clear();
    for (std::uint32_t at = node; ancestor_[ancestor_[at]] != kUnknown; at = ancestor_[at])
      path_.push_back(at);
    for (std::size_t i = path_.size(); i-- > 0;) {
      const std::uint32_t at = path_[i];
      const std::uint32_t above = ancestor_[at];
      if (semi_[label_[above]] < semi_[label_[at]]) label_[at] = label_[above];
      ancestor_[at] = ancestor_[above];
    }
    return label_[node];
  }

 private:
  std::vector<std::uint32_t> semi_;
  std::vector<std::uint32_t> label_;
  std::vector<std::uint32_t> ancestor_;
  std::vector<std::uint32_t> path_;
};

}  // namespace

/// Depth first through the reversed graph from the exit, which is node 0.
ControlFlowGraph::Preorder ControlFlowGraph::preorder(const std::vector<std::uint32_t>& leaving) const {
  Preorder order;
  order.number.assign(blocks_.size(), kUnknown);
  const auto enter = [&order](std::uint32_t block, std::uint32_t parent) {
    order.number[block] = static_cast<std::uint32_t>(order.block.size());
    order.block.push_back(block);
    order.parent.push_back(parent);
  };
  order.block.push_back(static_cast<std::uint32_t>(blocks_.size()));
  order.parent.push_back(kUnknown);
  struct Visit {
    std::uint32_t block;
    std::size_t next;
  };
  std::vector<Visit> stack;
  for (const std::uint32_t root : leaving) {
    if (order.number[root] != kUnknown) continue;
    enter(root, 0);
    stack.push_back({root, 0});
    while (!stack.empty()) {
      Visit& top = stack.back();
      const std::vector<std::uint32_t>& predecessors = blocks_[top.block].predecessors;
      if (top.next == predecessors.size()) {
        stack.pop_back();
        continue;
      }
      const std::uint32_t predecessor = predecessors[top.next++];
      if (order.number[predecessor] != kUnknown) continue;
      enter(predecessor, order.number[top.block]);
      stack.push_back({predecessor, 0});
    }
  }
  return order;
}

void ControlFlowGraph::find_post_dominators(const std::vector<Flow>& flow) {
  const std::vector<std::uint32_t> leaving = leaving_blocks(flow);
  std::vector<bool> leaves(blocks_.size(), false);
  for (const std::uint32_t block : leaving) leaves[block] = true;
  const Preorder order = preorder(leaving);
  const auto nodes = static_cast<std::uint32_t>(order.block.size());
  Forest forest(nodes);
  std::vector<std::uint32_t> dominator(nodes, 0);
  std::vector<std::vector<std::uint32_t>> bucket(nodes);  ///< nodes by their semi()
  for (std::uint32_t node = nodes; node-- > 1;) {
    const std::uint32_t block = order.block[node];
    if (leaves[block]) forest.lower_semi(node, 0);
    for (const std::uint32_t successor : blocks_[block].successors) {
      const std::uint32_t from = order.number[successor];
      if (from != kUnknown) forest.lower_semi(node, forest.semi(forest.least(from)));
    }
    bucket[forest.semi(node)].push_back(node);
    const std::uint32_t parent = order.parent[node];
    forest.link(parent, node);
    for (const std::uint32_t waiting : bucket[parent]) {
      const std::uint32_t least = forest.least(waiting);
      dominator[waiting] = forest.semi(least) < forest.semi(waiting) ? least : parent;
    }
    bucket[parent].clear();
  }
  post_dominator_.assign(blocks_.size() + 1, kUnknown);
  post_dominator_[blocks_.size()] = static_cast<std::uint32_t>(blocks_.size());
  for (std::uint32_t node = 1; node < nodes; ++node) {
    if (dominator[node] != forest.semi(node)) dominator[node] = dominator[dominator[node]];
    post_dominator_[order.block[node]] = order.block[dominator[node]];
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
