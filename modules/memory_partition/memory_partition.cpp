#include "modules/memory_partition/memory_partition.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

MemoryPartition::MemoryPartition(const sc_core::sc_module_name& name, ClockDomain& l2_domain,
                                 ClockDomain& dram_domain, const L2Config& l2, const DramConfig& dram_config,
                                 const AddressMap& map, unsigned channel, const sc_core::sc_time& core_period,
                                 BackingStore* store)
    : sc_module(name),
      dram("dram", dram_domain, dram_config, map, map.slices_per_channel(), l2.queue, core_period, store),
      map_(map),
      channel_(channel) {
  for (unsigned i = 0; i < map.slices_per_channel(); ++i) {
    L2Slice& slice = slices.emplace_back(fmt::format("slice{}", i).c_str(), l2_domain, l2, map);
    slice.dram.socket.bind(dram.ports[i].socket);
    sockets.emplace_back(fmt::format("socket{}", i).c_str()).bind(slice.port.socket);
  }
}

void MemoryPartition::install(std::uint64_t address) {
  slices[map_.slice_of(address) % map_.slices_per_channel()].install(address);
}

bool MemoryPartition::idle() const {
  return dram.idle() &&
         std::all_of(slices.begin(), slices.end(), [](const L2Slice& slice) { return slice.idle(); });
}

void MemoryPartition::settle() {
  for (L2Slice& slice : slices) slice.settle();
  dram.settle();
}

void MemoryPartition::report(StatSink& sink) const {
  for (const L2Slice& slice : slices) {
    const StatScope scope(sink, slice.basename());
    slice.report(sink);
  }
  const StatScope scope(sink, "dram");
  dram.report(sink);
}

void MemoryPartition::trace(WaveSink& sink) {
  for (L2Slice& slice : slices) {
    const WaveScope scope(sink, slice.basename());
    slice.trace(sink);
  }
  const WaveScope scope(sink, "dram");
  dram.trace(sink);
}

}  // namespace heddle
