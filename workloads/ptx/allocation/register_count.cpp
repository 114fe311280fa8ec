#include "workloads/ptx/allocation/register_count.h"

#include <algorithm>
#include <utility>

#include "workloads/ptx/allocation/colouring.h"
#include "workloads/ptx/allocation/loops.h"
#include "workloads/ptx/allocation/machine_code.h"
#include "workloads/ptx/program/liveness.h"
#include "workloads/ptx/program/register_uses.h"

namespace heddle::ptx {

namespace {

constexpr std::uint32_t kNone = ValueGraph::kNone;

std::vector<RegisterUse> uses_of(const MachineCode& machine) {
  std::vector<RegisterUse> uses;
  uses.reserve(machine.operations.size());
  for (const MachineOperation& operation : machine.operations)
    uses.push_back({operation.reads, operation.writes, false});
  return uses;
}

std::vector<std::uint32_t> live_in(const ControlFlowGraph::Block& block, const std::vector<RegisterUse>& uses,
                                   const std::vector<std::uint32_t>& out, LiveSet& live) {
  live.clear();
  for (const std::uint32_t i : out) live.insert(i);
  for (std::uint32_t i = block.end; i-- > block.first;) {
    for (const std::uint32_t written : uses[i].writes) live.erase(written);
    for (const std::uint32_t read : uses[i].reads) live.insert(read);
  }
  return live.members();
}

/// What all blocks share: the largest number of registers taken so far, and which values are there at the
/// same time.
struct Pressure {
  Colouring colouring;
  std::vector<std::uint32_t> numbers;  ///< in the colouring, of registers that hold a value between blocks
  unsigned most = 0;
  std::vector<std::uint32_t> at_most;
};

/// Goes through a block in the order in which it is issued.
class Walk {
 public:
  Walk(const ValueGraph& graph, Pressure& pressure)
      : values_(graph.values()),
        nodes_(graph.nodes()),
        pressure_(pressure),
        live_(values_.size()),
        number_(values_.size(), kNone) {
    for (const ValueGraph::Value& value : values_) unread_.push_back(value.readers.size());
  }

  void run(const std::vector<std::uint32_t>& order) {
    for (std::uint32_t value = 0; value < values_.size(); ++value) {
      if (values_[value].made_by == kNone && (values_[value].leaves || unread_[value] != 0)) enter(value);
    }
    look(0);
    for (const std::uint32_t node : order) issue(nodes_[node]);
  }

 private:
  void issue(const ValueGraph::Node& node) {
    take_temporaries(node.operation->temporaries);
    std::vector<std::uint32_t> ends;
    for (const std::uint32_t value : node.reads) {
      if (unread_[value] != 0 && --unread_[value] == 0 && !values_[value].leaves) ends.push_back(value);
    }
    const auto has_slots = [&](unsigned slots) {
      return [this, slots](std::uint32_t value) { return values_[value].slots == slots; };
    };
    // The lower half of a wide result is written before the operation for the upper half reads.
    const bool writes_early = !node.operation->is_load &&
                              std::any_of(ends.begin(), ends.end(), has_slots(1)) &&
                              std::any_of(node.writes.begin(), node.writes.end(), has_slots(2));
    if (!writes_early) leave(ends);
    for (const std::uint32_t value : node.writes) enter(value);
    look(0);
    if (writes_early) leave(ends);
    for (const std::uint32_t value : node.writes) {
      if (unread_[value] == 0 && !values_[value].leaves) leave({value});
    }
  }

  void take_temporaries(unsigned count) {
    look(count);
    std::vector<std::uint32_t> numbers;
    for (unsigned i = 0; i < count; ++i) {
      const std::uint32_t own = pressure_.colouring.add(1);
      for (const std::uint32_t value : live_.members()) connect(own, value);
      for (const std::uint32_t other : numbers) pressure_.colouring.connect(own, other);
      numbers.push_back(own);
    }
  }

  void connect(std::uint32_t number, std::uint32_t value) {
    if (values_[value].slots != 0 && number_[value] != number)
      pressure_.colouring.connect(number, number_[value]);
  }

  void enter(std::uint32_t value) {
    if (live_.contains(value)) return;
    if (values_[value].slots != 0) {
      number_[value] = number_of(value);
      for (const std::uint32_t other : live_.members()) connect(number_[value], other);
    }
    live_.insert(value);
    slots_ += values_[value].slots;
  }

  void leave(const std::vector<std::uint32_t>& ended) {
    for (const std::uint32_t value : ended) {
      if (!live_.contains(value)) continue;
      live_.erase(value);
      slots_ -= values_[value].slots;
    }
  }

  /// Values that come into the block or leave it have the number of their register, unless that one's old
  /// value is still there: then the new one is moved at the end.
  std::uint32_t number_of(std::uint32_t value) {
    const ValueGraph::Value& made = values_[value];
    const auto is_old_one = [&](std::uint32_t other) {
      return values_[other].made_by == kNone && values_[other].register_number == made.register_number;
    };
    const std::vector<std::uint32_t>& live = live_.members();
    const bool is_shared =
        made.made_by == kNone || (made.leaves && std::none_of(live.begin(), live.end(), is_old_one));
    if (!is_shared) return pressure_.colouring.add(made.slots);
    std::uint32_t& number = pressure_.numbers[made.register_number];
    if (number == kNone) number = pressure_.colouring.add(made.slots);
    return number;
  }

  void look(unsigned temporaries) {
    if (slots_ + temporaries <= pressure_.most) return;
    pressure_.most = slots_ + temporaries;
    pressure_.at_most.clear();
    for (const std::uint32_t value : live_.members()) {
      if (values_[value].slots != 0) pressure_.at_most.push_back(values_[value].register_number);
    }
  }

  const std::vector<ValueGraph::Value>& values_;
  const std::vector<ValueGraph::Node>& nodes_;
  Pressure& pressure_;
  LiveSet live_;
  std::vector<std::uint32_t> number_;  ///< in the colouring
  std::vector<std::size_t> unread_;    ///< readers to come
  unsigned slots_ = 0;
};

}  // namespace

RegisterCount count_registers(const VirtualCode& code, Effort effort) {
  const ControlFlowGraph graph(flow_of(code));
  const MachineCode machine = select_machine_code(code, graph);
  const std::vector<RegisterUse> uses = uses_of(machine);
  const auto out = live_out(machine.slots.size(), uses, graph);
  LiveSet live(machine.slots.size());
  Pressure pressure;
  pressure.numbers.assign(machine.slots.size(), kNone);
  std::vector<std::uint32_t> order = graph.reachable();
  std::sort(order.begin(), order.end());  // in the program's order, as registers are given
  for (const std::uint32_t number : order) {
    const ControlFlowGraph::Block& block = graph.blocks()[number];
    const unsigned rounds = effort == Effort::kFast ? rounds_at_once(code, machine, graph, number) : 1;
    const ValueGraph values(
        machine, {block.first, block.end, live_in(block, uses, out[number], live), out[number]}, rounds);
    Walk(values, pressure).run(schedule(values, effort));
  }
  const unsigned registers = effort == Effort::kFast ? pressure.colouring.run() : pressure.most + 1;
  return {registers, std::move(pressure.at_most)};
}

}  // namespace heddle::ptx
