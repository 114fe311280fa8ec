#include "workloads/ptx/allocation/value_graph.h"

#include <algorithm>

namespace heddle::ptx {

namespace {

/// Memory whose accesses keep their order among each other.
unsigned memory_of(Space space) { return space == Space::kShared ? 0 : space == Space::kLocal ? 1 : 2; }

bool has_effect(const MachineOperation& operation) {
  return operation.is_store || operation.is_barrier || operation.is_branch || operation.writes.empty();
}

bool contains(const std::vector<std::uint32_t>& list, std::uint32_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

ValueGraph::ValueGraph(const MachineCode& machine, const MachineBlock& block, unsigned copies)
    : machine_(machine) {
  for (const std::uint32_t i : block.live_in) value_of(i);
  for (unsigned copy = 1; copy <= copies; ++copy) {
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      const MachineOperation& operation = machine.operations[i];
      if (!operation.is_dead && (copy == copies || !operation.is_branch)) add_node(operation);
    }
  }
  for (const std::uint32_t i : block.live_out) values_[value_of(i)].leaves = true;
  drop_unread();
  find_readers();
}

std::uint32_t ValueGraph::add_value(std::uint32_t register_number, std::uint32_t made_by) {
  const auto number = static_cast<std::uint32_t>(values_.size());
  Value value;
  value.register_number = register_number;
  value.slots = machine_.slots[register_number];
  value.made_by = made_by;
  value.root = number;
  values_.push_back(std::move(value));
  return number;
}

std::uint32_t ValueGraph::value_of(std::uint32_t register_number) {
  const auto found = current_.find(register_number);
  if (found != current_.end()) return found->second;
  return current_[register_number] = add_value(register_number, kNone);
}

void ValueGraph::add_node(const MachineOperation& operation) {
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  Node node;
  node.operation = &operation;
  for (const std::uint32_t i : operation.reads) {
    std::uint32_t value = value_of(i);
    // Constants that are added go into the offset of an address, and into one another.
    if (operation.is_step || contains(operation.address, i)) value = values_[value].root;
    if (!contains(node.reads, value)) node.reads.push_back(value);
  }
  for (const std::uint32_t i : operation.writes) {
    const std::uint32_t value = add_value(i, number);
    if (operation.is_step && values_[node.reads[0]].slots == values_[value].slots)
      values_[value].root = node.reads[0];
    current_[i] = value;
    node.writes.push_back(value);
  }
  order(node, number);
  nodes_.push_back(std::move(node));
}

void ValueGraph::order(Node& node, std::uint32_t number) {
  const MachineOperation& operation = *node.operation;
  const auto follow_all = [&](std::vector<std::uint32_t>& list) {
    node.after.insert(node.after.end(), list.begin(), list.end());
    list.clear();
  };
  const auto follow = [&](std::uint32_t store) {
    if (store != kNone) node.after.push_back(store);
  };
  follow(last_call_);
  if (operation.is_call) {
    for (std::uint32_t i = last_call_ == kNone ? 0 : last_call_ + 1; i < number; ++i) node.after.push_back(i);
    last_call_ = number;
    return;
  }
  if (operation.is_barrier) {
    for (unsigned i = 0; i < kMemories; ++i) {
      follow_all(loads_[i]);
      follow(last_store_[i]);
      last_store_[i] = number;
    }
    return;
  }
  if (!operation.is_store && !operation.is_load) return;
  if (operation.space == Space::kParam || operation.space == Space::kConst) return;
  if (operation.space == Space::kTexture) return;
  const unsigned memory = memory_of(operation.space);
  follow(last_store_[memory]);
  if (operation.is_load) {
    loads_[memory].push_back(number);
  } else {
    follow_all(loads_[memory]);
    last_store_[memory] = number;
  }
}

void ValueGraph::drop_unread() {
  std::vector<bool> read(values_.size(), false);
  std::vector<std::uint32_t> place(nodes_.size(), kNone);
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const Node& node = nodes_[i];
    const bool needed = has_effect(*node.operation) ||
                        std::any_of(node.writes.begin(), node.writes.end(), [&](std::uint32_t value) {
                          return read[value] || values_[value].leaves;
                        });
    if (!needed) continue;
    place[i] = 0;
    for (const std::uint32_t value : node.reads) read[value] = true;
  }
  std::vector<Node> kept;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (place[i] == kNone) continue;
    place[i] = static_cast<std::uint32_t>(kept.size());
    std::vector<std::uint32_t> after;
    for (const std::uint32_t before : nodes_[i].after) {
      if (place[before] != kNone) after.push_back(place[before]);
    }
    nodes_[i].after = std::move(after);
    kept.push_back(std::move(nodes_[i]));
  }
  nodes_ = std::move(kept);
  for (Value& value : values_) {
    if (value.made_by != kNone) value.made_by = place[value.made_by];
  }
}

void ValueGraph::find_readers() {
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    for (const std::uint32_t value : nodes_[i].reads) {
      std::vector<std::uint32_t>& readers = values_[value].readers;
      if (readers.empty() || readers.back() != i) readers.push_back(i);
    }
  }
}

}  // namespace heddle::ptx
