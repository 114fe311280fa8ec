#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "workloads/ptx/allocation/machine_code.h"

namespace heddle::ptx {

/// A block of a kernel, for itself.
struct MachineBlock {
  std::uint32_t first = 0;  ///< operations [first, end)
  std::uint32_t end = 0;
  std::vector<std::uint32_t> live_in;
  std::vector<std::uint32_t> live_out;
};

/// What the operations of a block make and read, as values: what a register holds from one write to the next.
class ValueGraph {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  struct Value {
    std::uint32_t register_number = 0;
    unsigned slots = 0;
    std::uint32_t made_by = kNone;       ///< node; kNone: the block starts with it
    std::uint32_t root = 0;              ///< this value is that one plus a constant; itself when it is not
    std::vector<std::uint32_t> readers;  ///< nodes, in order
    bool leaves = false;                 ///< is there at the block's end
  };

  struct Node {
    const MachineOperation* operation = nullptr;
    std::vector<std::uint32_t> reads;   ///< values, each once
    std::vector<std::uint32_t> writes;  ///< values
    std::vector<std::uint32_t> after;   ///< other nodes that come first
  };

  /// `copies` of the block one after the other, the rounds of a loop that are taken at once: only the last
  /// branches. What nobody reads is left out.
  ValueGraph(const MachineCode& machine, const MachineBlock& block, unsigned copies);

  const std::vector<Value>& values() const { return values_; }
  /// In the order of the PTX.
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  static constexpr unsigned kMemories = 3;  ///< shared, local, global

  std::uint32_t add_value(std::uint32_t register_number, std::uint32_t made_by);
  std::uint32_t value_of(std::uint32_t register_number);
  void add_node(const MachineOperation& operation);
  void order(Node& node, std::uint32_t number);
  void drop_unread();
  void find_readers();

  const MachineCode& machine_;
  std::vector<Value> values_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint32_t, std::uint32_t> current_;  ///< values by register
  std::array<std::vector<std::uint32_t>, kMemories> loads_;   ///< since the last store
  std::array<std::uint32_t, kMemories> last_store_{kNone, kNone, kNone};
  std::uint32_t last_call_ = kNone;
};

}  // namespace heddle::ptx
