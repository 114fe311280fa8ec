#include "modules/memory_partition/memory_partition.h"

#include <fmt/format.h>

#include <stdexcept>

namespace heddle {

MemoryPartition::MemoryPartition(const sc_core::sc_module_name& name, ClockDomain& l2_domain,
                                 ClockDomain& dram_domain, const L2Config& l2, const DramConfig& dram_config,
                                 const AddressMap& map, unsigned channel, const sc_core::sc_time& core_period,
                                 BackingStore* store, const std::optional<ExternalMemory>& external,
                                 HopBinder& hops)
    : sc_module(name), map_(map), channel_(channel) {
  if (channel >= map.channels()) {
    throw std::invalid_argument(
        fmt::format("{}: expected a channel below {}, found {}", this->name(), map.channels(), channel));
  }
  const unsigned count = map.slices_per_channel();
  if (external) {
    memory = std::make_unique<ExternalChannel>("memory", l2_domain, *external, map, channel, count, l2.queue);
  } else {
    dram = std::make_unique<DramChannel>("dram", dram_domain, dram_config, map, count, l2.queue, core_period,
                                         store);
  }
  PortList<TargetPort>& channel_ports = external ? memory->ports : dram->ports;
  for (unsigned i = 0; i < count; ++i) {
    L2Slice& slice = slices.emplace_back(fmt::format("slice{}", i).c_str(), l2_domain, l2, map);
    hops.bind(slice.dram.socket, channel_ports[i].socket);
    sockets.emplace_back(fmt::format("socket{}", i).c_str()).bind(slice.port.socket);
    blocks_.add(slice);
  }
  if (dram) {
    blocks_.add(*dram);
  } else {
    blocks_.add(*memory);
  }
}

void MemoryPartition::install(std::uint64_t address) {
  slices[map_.slice_of(address) % map_.slices_per_channel()].install(address);
}

void MemoryPartition::warm(std::uint64_t address, SectorMask sectors, bool writes) {
  slices[map_.slice_of(address) % map_.slices_per_channel()].warm(address, sectors, writes);
}

std::vector<const Clocked*> MemoryPartition::changers(std::string_view scope) const {
  if (dram != nullptr && scope == dram->basename()) return {dram.get()};
  for (const L2Slice& slice : slices) {
    if (scope == slice.basename()) return {&slice};
  }
  return {};
}

}  // namespace heddle
