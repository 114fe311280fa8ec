#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "modules/gpu_config.h"
#include "modules/warp_instruction.h"
#include "tlm/clocked.h"
#include "tlm/observe.h"

namespace heddle {

/// Collects the operands of issued instructions from the banked register file, dispatches them to the units
/// and writes their results back (gtx480.md, "Operand collector").
///
/// An instruction issued at edge t enters the input registers of its unit's kind at t, a collector unit (CU)
/// at t + 1 when one of its kind is free, has its bank reads granted from t + 2 on and is dispatched at the
/// edge after its last grant (t + 3 at the earliest; without register sources t + 2), when a unit of its kind
/// takes it. A result handed back by a unit at t is written at t + 1, when its banks are free, and BEGIN_RESP
/// goes to the scheduler at that edge; a dependent may issue at t + 2.
/// Within an edge: writes take their banks, ready CUs are dispatched (per kind round robin, at most as many
/// as its slots), each bank not written grants its oldest read, CUs are allocated (oldest instruction first,
/// lowest free CU). A bank is (register + warp) mod banks; predicates need none.
class OperandCollector : public sc_core::sc_module, public Clocked, public IssueReady {
 public:
  /// `schedulers` issue sockets; one socket per unit of `execution`. Throws std::invalid_argument when a
  /// count is 0, there are more than 64 banks, or more than 64 CUs together.
  OperandCollector(const sc_core::sc_module_name& name, ClockDomain& domain,
                   const OperandCollectorConfig& config, const ExecutionConfig& execution,
                   unsigned schedulers);

  /// One per scheduler: instruction.scheduler is the index on which BEGIN_RESP returns. An issue without a
  /// free slot is an error (SC_REPORT): the issue stage reads free_slots() first.
  sc_core::sc_vector<IssueTargetSocket> issue;
  sc_core::sc_vector<IssueInitiatorSocket> sp;
  sc_core::sc_vector<IssueInitiatorSocket> sfu;
  IssueInitiatorSocket mem;

  unsigned free_slots(Unit unit) const override {
    const Kind& kind = kinds_[static_cast<unsigned>(unit)];
    return kind.slots - kind.queued;
  }

  bool tick() override;
  void settle() override;
  void report(StatSink& sink) const;
  void trace(WaveSink& sink);

  /// Nothing is queued, collected or being written back.
  bool idle() const;

 private:
  /// What the issue sockets are bound to.
  class Input : public IssueTarget {
   public:
    explicit Input(OperandCollector& owner) : owner_(owner) {}
    tlm::tlm_sync_enum nb_transport_fw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;

   private:
    OperandCollector& owner_;
  };

  /// CUs, input registers and unit sockets of one kind of unit.
  struct Kind {
    unsigned slots = 0;   ///< input registers, and dispatches per cycle
    unsigned queued = 0;  ///< instructions in the input registers
  };

  Input input_;
  std::array<Kind, kNumUnits> kinds_;
};

}  // namespace heddle
