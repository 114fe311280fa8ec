#include "workloads/ptx/allocation/register_count.h"

#include "workloads/ptx/program/liveness.h"
#include "workloads/ptx/program/register_uses.h"

namespace heddle::ptx {

namespace {

unsigned slots_of(std::uint8_t width) { return width == 1 ? 0 : width == 64 ? 2 : 1; }

}  // namespace

RegisterCount count_registers(const VirtualCode& code) {
  const ControlFlowGraph graph(flow_of(code));
  const std::vector<RegisterUse> uses = uses_of(code);
  const auto out = live_out(code.registers.size(), uses, graph);
  RegisterCount count;
  LiveSet live(code.registers.size());
  unsigned slots = 0;
  const auto enter = [&](std::uint32_t i) {
    if (!live.contains(i)) slots += slots_of(code.registers[i]);
    live.insert(i);
  };
  const auto leave = [&](std::uint32_t i) {
    if (live.contains(i)) slots -= slots_of(code.registers[i]);
    live.erase(i);
  };
  const auto look = [&] {
    if (slots <= count.registers) return;
    count.registers = slots;
    count.at_most = live.members();
  };
  for (const std::uint32_t block : graph.reachable()) {
    live.clear();
    slots = 0;
    for (const std::uint32_t i : out[block]) enter(i);
    look();
    for (std::uint32_t i = graph.blocks()[block].end; i-- > graph.blocks()[block].first;) {
      for (const std::uint32_t written : uses[i].writes) enter(written);
      look();
      for (const std::uint32_t written : uses[i].writes) leave(written);
      for (const std::uint32_t read : uses[i].reads) enter(read);
      look();
    }
  }
  return count;
}

}  // namespace heddle::ptx
