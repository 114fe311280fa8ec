#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "base/observe.h"
#include "hw/pricing/inventory.h"
#include "modules/config/gpu_config.h"
#include "modules/global_memory/put_off_steps.h"
#include "modules/interconnect/interconnect.h"
#include "modules/memory_partition/address_map.h"
#include "modules/memory_partition/memory_partition.h"
#include "modules/sm/sm.h"
#include "modules/tb_dispatcher/tb_dispatcher.h"
#include "tlm/block_list.h"
#include "tlm/clock_domain.h"
#include "tlm/hop_binder.h"

namespace heddle {

/// How the GPU is built. But for `external_memory` none of it changes a result.
struct GpuBuild {
  bool sleeping = true;               ///< blocks with nothing to do are not ticked
  bool reverse_construction = false;  ///< blocks are constructed in reverse order
  /// Threads that tick blocks, >= 1. More than one is for runs in which no listener of an SM's probes keeps
  /// state of several SMs.
  unsigned threads = 1;
  bool processes = false;  ///< each block ticks in a SystemC process of its own; with one thread only
  /// With a value there are no DRAM channels: a memory of another maker is bound to each Gpu::memory().
  std::optional<ExternalMemory> external_memory = std::nullopt;
  /// Binds every memory hop, from the LD/ST units to the DRAM channels: HopCheckers puts a checker into each.
  /// Must live until the GPU is gone.
  HopBinder* hops = &HopBinder::direct();
};

/// The whole machine: clock domains, thread-block dispatcher, SMs, interconnect and memory partitions, bound.
class Gpu : public sc_core::sc_module {
 public:
  /// Keeps a copy of `config`. Throws std::invalid_argument for sizes that a block can't work with, and for a
  /// time resolution in whose steps a clock's period is off by more than 1% (a SystemC warning tells of more
  /// than 0.01%).
  Gpu(const sc_core::sc_module_name& name, const GpuConfig& config, const GpuBuild& build = {});

  const GpuConfig& config() const { return config_; }
  ClockTree& clock_tree() { return clock_tree_; }
  ClockDomain& core_clock() { return *core_clock_; }
  const ClockDomain& core_clock() const { return *core_clock_; }
  TbDispatcher& dispatcher() { return *dispatcher_; }
  Sm& sm(unsigned index) { return *sms_[index]; }
  /// The socket for the external memory of `channel` < dram.channels: TLM-2.0 base protocol, approximately
  /// timed, channel-local addresses; see ExternalChannel. Its width is 64 bits, other widths take a
  /// SocketWidth. Throws std::logic_error without GpuBuild::external_memory, std::out_of_range.
  MemoryInitiatorSocket& memory(unsigned channel);

  /// Of a launch: the LaunchCounts that LaunchTerms::counts must have.
  std::size_t count_sets() const { return sm_clocks_.size(); }
  /// Gives a kernel to the dispatcher and owns it until release(); see TbDispatcher::launch.
  void launch(std::unique_ptr<KernelLaunch> kernel, std::uint64_t launch_id, const LaunchTerms& terms = {});
  /// The launch has ended, and nothing of it is in flight in an SM.
  void release(std::uint64_t launch_id) { kernels_.erase(launch_id); }

  /// Puts the lines of [address, address + bytes) into the L2, as a copy from the host does.
  void install(std::uint64_t address, std::uint64_t bytes);
  /// Leaves the L2 as an access of these sectors of 32 bytes does, of the 128 bytes at `address`, a multiple
  /// of that; a read brings in whole lines.
  void warm(std::uint64_t address, unsigned sectors, bool writes);

  /// Called by who launches its kernels, and numbers the launches: a Host. Throws std::logic_error when it
  /// has one.
  void take_host();

  /// Nothing is running, queued or moving anywhere.
  bool idle() const { return blocks_.idle(); }
  /// The last core cycle at which some SM issued an instruction or had one completed.
  Cycle last_progress() const;
  std::uint64_t tbs_ended() const;
  std::uint64_t warp_instructions() const;
  /// One line per resident warp: what it waits for.
  std::string describe_waiting() const;
  /// One line per scheduler that has warps which could issue now and chooses none of them; without any, one
  /// per launch that the dispatch policy withholds from SMs that are empty.
  std::string describe_held_back() const;
  /// To be called every now and then: looks at which warps could issue, for describe_starved().
  void look_for_starved();
  /// Warps that could issue at each look for `cycles` at least, up to the last, and have not: how many, and
  /// for the first SM that has some a line per scheduler. "" when there are none.
  std::string describe_starved(Cycle cycles) const;
  /// Block ticks executed in all clock domains.
  std::uint64_t ticks_executed() const;

  /// Brings per-cycle statistics up to the present time.
  void settle() { blocks_.settle(); }
  void report(StatSink& sink) const { blocks_.report(sink); }
  /// The priced parts of each SM, those of the dispatch policy, whose owners name their SM, and those that
  /// the schedulers need in the L2.
  std::vector<const hw::Inventory*> inventories() const;
  using sc_module::trace;
  void trace(WaveSink& sink) { blocks_.trace(sink); }
  /// What the scheduling policies of each SM show of their state, in the scopes that trace() has for them;
  /// see SharedPolicy.
  void trace_state(WaveSink& sink);
  /// The clocks by the names of the configuration ("core" of clock.core_mhz), the core's first. Those of one
  /// frequency share a domain.
  struct NamedClock {
    const char* name;
    const ClockDomain* domain;
  };
  std::vector<NamedClock> clocks() const;
  /// The name of the clock at whose edges the waves of the block `scope` change.
  static std::string_view clock_of(std::string_view scope);
  /// The blocks in whose ticks they change; none: it may be any.
  std::vector<const Clocked*> changers(std::string_view scope) const;

  /// Rethrows what a block threw in a tick, if anything.
  void rethrow_fault() const { clock_tree_.rethrow_fault(); }

 private:
  /// The domain of that frequency, created as `name` when none of the others has the same period.
  ClockDomain* clock(const char* name, double mhz, bool sleeping);
  /// The first domain of the same period; nullptr: there is none.
  ClockDomain* domain_of(double mhz) const;
  /// A domain of that frequency, whatever others have.
  ClockDomain* own_clock(const std::string& name, double mhz, bool sleeping);
  void build_clocks(const GpuBuild& build);
  void build_blocks(const GpuBuild& build);
  void list_blocks();
  void bind(HopBinder& hops);
  void keep_l2_owners();
  std::size_t strand_of(unsigned sm) const { return sm * sm_clocks_.size() / config_.core.sms; }

  const GpuConfig config_;
  bool has_host_ = false;
  AddressMap map_;
  /// By launch id; destroyed after the SMs, which may still hold TBs of them.
  std::map<std::uint64_t, std::unique_ptr<KernelLaunch>> kernels_;
  ClockTree clock_tree_;
  std::vector<std::unique_ptr<ClockDomain>> clocks_;  ///< one per period, and the strands
  std::vector<ClockDomain*> sm_clocks_;               ///< strands; the core clock when there is one thread
  ClockDomain* core_clock_;
  ClockDomain* interconnect_clock_;
  ClockDomain* l2_clock_;
  ClockDomain* dram_clock_;
  std::unique_ptr<PutOffSteps> put_off_;
  hw::Inventory dispatch_inventory_;  ///< of all SMs
  hw::Inventory memory_inventory_;
  std::unique_ptr<TbDispatcher> dispatcher_;
  std::unique_ptr<Interconnect> interconnect_;
  PolicyBoard policy_board_;
  std::vector<std::unique_ptr<Sm>> sms_;
  std::vector<std::unique_ptr<MemoryPartition>> partitions_;
  BlockList blocks_;
};

/// The owner, in `inventory`, of what schedulers need in an L2 slice.
hw::Owner l2_slice_hardware(hw::Inventory& inventory, const GpuConfig& config, unsigned slice);

}  // namespace heddle
