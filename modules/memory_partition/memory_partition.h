#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "modules/memory_partition/dram_channel.h"
#include "modules/memory_partition/external_channel.h"
#include "modules/memory_partition/l2_slice.h"
#include "tlm/block_list.h"
#include "tlm/hop_binder.h"

namespace heddle {

/// A DRAM channel, or the socket of a memory in its place, and the L2 slices in front of it.
class MemoryPartition : public sc_core::sc_module {
 public:
  /// `channel` < map.channels(); `core_period` is the unit of dram.fixed_latency_core_cycles. `store`, when
  /// given, holds the data that standard initiators see. With `external` there is no DRAM channel but an
  /// ExternalChannel. `hops` binds the slices to either. `map` and `store` must outlive the partition. Throws
  /// std::invalid_argument for another channel, and naming the key for sizes that do not work.
  MemoryPartition(const sc_core::sc_module_name& name, ClockDomain& l2_domain, ClockDomain& dram_domain,
                  const L2Config& l2, const DramConfig& dram, const AddressMap& map, unsigned channel,
                  const sc_core::sc_time& core_period, BackingStore* store = nullptr,
                  const std::optional<ExternalMemory>& external = {}, HopBinder& hops = HopBinder::direct());

  /// One socket per slice; socket i takes the requests for slice channel * slices_per_channel + i of the map.
  std::deque<MemoryTargetSocket> sockets;

  std::deque<L2Slice> slices;
  /// One of them is there.
  std::unique_ptr<DramChannel> dram;
  std::unique_ptr<ExternalChannel> memory;

  unsigned channel() const { return channel_; }
  /// Puts the line of `address`, which belongs to this channel, into its slice.
  void install(std::uint64_t address);
  void warm(std::uint64_t address, SectorMask sectors, bool writes);
  bool idle() const { return blocks_.idle(); }
  /// Charges the slept cycles of its blocks; see Clocked::settle.
  void settle() { blocks_.settle(); }
  void report(StatSink& sink) const { blocks_.report(sink); }
  using sc_module::trace;
  void trace(WaveSink& sink) { blocks_.trace(sink); }
  /// The blocks in whose ticks the waves of its block `scope` change; none: it may be any.
  std::vector<const Clocked*> changers(std::string_view scope) const;

 private:
  const AddressMap& map_;
  unsigned channel_;
  BlockList blocks_;
};

}  // namespace heddle
