#pragma once

#include <cstdint>
#include <vector>

#include "modules/cache/read_only_cache.h"
#include "modules/gpu_config.h"
#include "modules/warp_instruction.h"
#include "tlm/clocked.h"
#include "tlm/memory_port.h"
#include "tlm/observe.h"

namespace heddle {

/// Told when stores of a warp have been acknowledged by the memory system. Called in the LD/ST unit's tick.
class StoreAckListener {
 public:
  virtual ~StoreAckListener() = default;
  virtual void stores_done(unsigned warp, unsigned count) = 0;
};

/// The load/store unit of an SM (gtx480.md, "Memory instructions, coalescing").
class LdstUnit : public sc_core::sc_module,
                 public Clocked,
                 private IssueTarget,
                 private ReadOnlyCache::Listener {
 public:
  /// `sm` is the SM's number, 0 <= sm < config.core.sms. `pool` makes the payloads of the L1D's accesses.
  LdstUnit(const sc_core::sc_module_name& name, ClockDomain& domain, const GpuConfig& config, unsigned sm,
           PayloadPool& pool);

  /// From the operand collector.
  IssueTargetSocket dispatch;
  /// Global and local accesses, one coalesced access a payload.
  InitiatorPort l1d;
  /// Params and constants; its `memory` port goes to the SM's memory port.
  ReadOnlyCache constant_cache;

  /// Stores (and reductions) of the warp that were handed to the L1D and not yet acknowledged. A store that
  /// is not complete yet (no BEGIN_RESP) may still add to it: a warp has no store left when none of its
  /// instructions is in flight and this is 0.
  unsigned outstanding_stores(unsigned warp) const { return outstanding_stores_[warp]; }
  void set_store_ack_listener(StoreAckListener* listener) { store_ack_listener_ = listener; }

  bool tick() override;
  void settle() override;
  void report(StatSink& sink) const;
  void trace(WaveSink& sink);

  /// Nothing is offered, processed, in the pipelines, or expected from memory (store acks included).
  bool idle() const;

  /// An access was sent to the L1D, at the given cycle.
  Probe<const tlm::tlm_generic_payload&, Cycle> access_issued;
  /// A load or atomic handed its result to write-back, at the given cycle.
  Probe<const WarpInstruction&, Cycle> load_completed;

 private:
  tlm::tlm_sync_enum nb_transport_fw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void filled(std::uint64_t line_address) override;

  std::vector<std::uint32_t> outstanding_stores_;
  StoreAckListener* store_ack_listener_ = nullptr;
};

}  // namespace heddle
