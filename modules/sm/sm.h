#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "modules/execution_unit/execution_unit.h"
#include "modules/fetch/fetch_unit.h"
#include "modules/l1d/l1d.h"
#include "modules/ldst_unit/ldst_unit.h"
#include "modules/messages/launch_events.h"
#include "modules/mshr/mshr.h"
#include "modules/operand_collector/operand_collector.h"
#include "modules/sm/issue_stage.h"
#include "modules/sm/load_statistics.h"
#include "modules/sm/memory_port_arbiter.h"
#include "modules/texture/texture_cache.h"
#include "tlm/block_list.h"
#include "tlm/hop_binder.h"

namespace heddle {

/// A streaming multiprocessor: the blocks of its pipeline, bound together. It has no process of its own.
class Sm : public sc_core::sc_module, public IssueCount, private StoreCounts, private StoreAckListener {
  /// Its blocks tick as one pipeline of the domain.
  struct Pipeline {
    Pipeline(ClockDomain& domain, unsigned number) { domain.begin_pipeline(number); }
  };
  Pipeline pipeline_;
  // The payloads of the LD/ST unit must outlive every block that may hold one.
  PayloadPool payloads_;

 public:
  /// `domain` is the core clock; `config` is kept; 0 <= index < config.core.sms. Throws std::invalid_argument
  /// when a part of the configuration is out of a block's range. `board`: see IssueStage. `hops` binds the
  /// memory hops inside the SM.
  Sm(const sc_core::sc_module_name& name, ClockDomain& domain, const GpuConfig& config, unsigned index,
     PolicyBoard* board = nullptr, HopBinder& hops = HopBinder::direct());

  FetchUnit fetch;
  IssueStage issue;
  OperandCollector collector;

 private:
  ResultBus result_bus_;

 public:
  std::vector<std::unique_ptr<ExecutionUnit>> sp;
  std::vector<std::unique_ptr<ExecutionUnit>> sfu;
  LdstUnit ldst;
  L1d l1d;
  Mshr mshr;
  TextureCache texture;
  MemoryPortArbiter memory_port;

  /// From the TB dispatcher.
  TbTargetSocket& tb() { return issue.tb; }
  /// Tells the scheduling policies that hear it of the kernels launched on the GPU.
  void follow_launches(LaunchEvents& launches);
  /// To the interconnect.
  MemoryInitiatorSocket& network() { return memory_port.network.socket; }

  unsigned index() const { return index_; }
  std::uint64_t warp_instructions() const override { return issue.statistics().warp_instructions; }
  /// A thread block is resident.
  bool busy() const { return !issue.idle(); }
  /// Nothing is resident, in flight or expected from memory.
  bool idle() const { return blocks_.idle(); }
  /// For a deadlock report; see IssueStage.
  std::string describe_waiting() const { return issue.describe_waiting(); }
  std::string describe_held_back() const { return issue.issuer.describe_held_back(); }
  Cycle last_progress() const { return issue.issuer.last_progress(); }

  /// See Clocked::settle(): for all blocks of the SM.
  void settle() { blocks_.settle(); }
  void report(StatSink& sink) const;
  using sc_module::trace;
  void trace(WaveSink& sink) { blocks_.trace(sink); }
  /// What the scheduling policies show of their state; see SharedPolicy.
  void trace_state(WaveSink& sink) { issue.trace_state(sink); }
  /// The blocks in whose ticks the waves of `scope`, a block's name or one inside it, change; those of the
  /// issue stage, which comes first then, have none.
  std::vector<const Clocked*> changers(std::string_view scope) const;

 private:
  unsigned outstanding_stores(unsigned warp) const override { return ldst.outstanding_stores(warp); }
  void stores_done(unsigned warp, unsigned /*count*/) override { issue.issuer.stores_done(warp); }

  void list_blocks();
  void bind_pipeline();
  void bind_memory(HopBinder& hops);
  /// Hands the scheduling policies what they want to know of the memory side.
  void connect_policies(const GpuConfig& config);
  void connect_load_statistics();
  void publish_coalesced(const WarpInstruction& instruction, const AccessList& accesses, Cycle cycle);

  unsigned index_;
  bool replays_misses_ = false;
  BlockList blocks_;
  std::unique_ptr<LoadStatistics> load_statistics_;
  std::vector<CacheLine> coalesced_;  ///< lines of the load being published
};

}  // namespace heddle
