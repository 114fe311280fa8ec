#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/observe.h"
#include "modules/config/gpu_config.h"
#include "modules/messages/instruction_queue.h"
#include "modules/messages/warp_instruction.h"
#include "modules/operand_collector/due_results.h"
#include "modules/operand_collector/register_read_queues.h"
#include "tlm/clocked.h"

namespace heddle {

/// Collects the operands of issued instructions from the banked register file, dispatches them to the units
/// and writes their results back (gtx480.md, "SM pipeline").
///
/// An instruction issued at edge t enters the input registers of its unit's kind at t, a collector unit (CU)
/// at t + 1 when one of its kind is free, has its bank reads granted from t + 2 on and is dispatched at the
/// edge after its last grant (t + 3 at the earliest; without register sources t + 2), when a unit of its kind
/// takes it. A result handed back by a unit at t is written at t + 1, and BEGIN_RESP goes to the scheduler at
/// that edge; a dependent may issue at t + 2. Execution units cannot be held up: their results are written in
/// their cycle, also several of one bank. Those of the LD/ST unit wait for banks that nothing else writes.
/// Within an edge: writes take their banks (results of SPs and SFUs, then the LD/ST unit's, oldest first),
/// ready CUs are dispatched (per kind round robin, at most as many as its slots, to the first unit that can
/// start at the next edge and has its result port free then, otherwise to the one that is free first), each
/// bank not written grants its oldest read, CUs are allocated (oldest instruction first, lowest free CU). A
/// bank is (register + warp) mod banks; predicates need none.
class OperandCollector : public sc_core::sc_module, public Clocked, public IssueReady {
  /// What the issue sockets are bound to.
  class Input : public IssueTarget {
   public:
    explicit Input(OperandCollector& owner) : IssueTarget(owner), owner_(owner) {}
    tlm::tlm_sync_enum nb_transport_fw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;

   private:
    friend class OperandCollector;
    OperandCollector& owner_;
  };

  /// What the units' sockets are bound to.
  class Output : public IssueInitiator {
   public:
    explicit Output(OperandCollector& owner) : IssueInitiator(owner), owner_(owner) {}
    tlm::tlm_sync_enum nb_transport_bw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;

   private:
    friend class OperandCollector;
    OperandCollector& owner_;
  };

  struct UnitPort {
    IssueForward* unit = nullptr;        ///< what the socket is bound to
    WarpInstruction* offered = nullptr;  ///< acceptance withheld
    Cycle next_start = 0;                ///< earliest start of the next instruction, as far as known here
    Cycle used_at = 0;                   ///< last cycle in which something was offered
    std::uint8_t result_port = 0;        ///< in due_
  };

  /// An input register, with what the CU needs that takes the instruction over.
  struct InputRegister {
    WarpInstruction* instruction = nullptr;
    const Instruction* decoded = nullptr;
    unsigned warp = 0;
    Cycle arrived = 0;
  };

  /// CUs, input registers and units of one kind.
  struct Kind {
    unsigned slots = 0;  ///< input registers, and dispatches per cycle
    unsigned queued = 0;
    unsigned first = 0;  ///< of inputs, which are used in turn
    unsigned num_cus = 0;
    unsigned last_cu = 0;   ///< last one dispatched
    std::uint64_t cus = 0;  ///< mask of its CUs
    std::vector<InputRegister> inputs;
    std::vector<UnitPort> ports;
    std::uint64_t dispatched = 0;
    std::uint64_t collecting_cycles = 0;  ///< of the CUs already dispatched
    std::uint64_t waiting_cycles = 0;     ///< likewise
    /// Cycles that instructions waited in input registers: an arrival subtracts its cycle, a departure adds
    /// the last cycle of the wait (modulo 2^64); settle() adds the present cycle for each that still waits.
    std::uint64_t input_wait_balance = 0;
  };

  /// A kind's statistics as of the last settle().
  struct Settled {
    std::uint64_t input_wait = 0;
    std::uint64_t collecting = 0;
    std::uint64_t waiting = 0;
    std::uint64_t free = 0;
  };

  struct CollectorUnit {
    WarpInstruction* instruction = nullptr;
    unsigned reads_left = 0;
    Cycle allocated_at = 0;
    Cycle ready_at = 0;  ///< cycle of the last grant
  };

  struct Wave {
    std::uint64_t busy_cus = 0;
    std::uint64_t ready_cus = 0;
    std::uint64_t bank_reads = 0;
    std::uint64_t bank_writes = 0;
  };

  // What each tick and hop needs: together, in front of the sockets.
  Input input_;
  Output output_;
  unsigned bank_mask_;
  unsigned open_units_ = (1U << kNumUnits) - 1;  ///< bit u: an input register of unit u's kind is free
  std::uint64_t free_cus_ = 0;
  std::uint64_t ready_cus_ = 0;
  Clocked* slot_listener_ = nullptr;
  bool foreign_ = false;  ///< a neighbour is a foreign module
  std::unique_ptr<Wave> wave_;
  /// Results handed back in cycle arrived_at_, those announced for a later one, then those handed back before
  /// that are still to be written. The registers still to be written are the bits of
  /// WarpInstruction::outstanding.
  InstructionQueue arrived_;
  Cycle arrived_at_ = 0;
  DueResults due_;
  InstructionQueue writing_;
  InstructionQueue still_writing_;
  /// What the issue sockets are bound to.
  std::array<IssueBackward*, kMaxSchedulers> schedulers_{};
  std::uint64_t reads_granted_ = 0;
  std::uint64_t reads_delayed_ = 0;
  std::uint64_t read_wait_cycles_ = 0;
  std::uint64_t writes_ = 0;
  std::uint64_t write_wait_cycles_ = 0;
  std::array<std::uint16_t, kNumOpClasses> latency_{};
  std::array<std::uint16_t, kNumOpClasses> initiation_{};
  std::array<Kind, kNumUnits> kinds_;
  RegisterReadQueues reads_;
  std::vector<CollectorUnit> cus_;

 public:
  /// `schedulers` issue sockets; one socket per unit of `execution`. Throws
  /// std::invalid_argument when a count is 0, the number of banks is no power of two up to 64, or there are
  /// more than 64 CUs together.
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
  unsigned open_units() const override { return open_units_; }
  bool announce_to(Clocked& waiting) override {
    slot_listener_ = &waiting;
    return true;
  }

  bool tick() override;
  void settle() override;
  void report(StatSink& sink) const;
  using sc_module::trace;
  void trace(WaveSink& sink);

  /// Nothing is queued, collected, announced or being written back (what the LD/ST unit holds not included).
  bool idle() const;

 private:
  void end_of_elaboration() override;
  void build_kind(Unit unit, unsigned cus, unsigned slots);
  void connect(Unit unit, IssueInitiatorSocket& socket);
  unsigned bank_of(unsigned reg, unsigned warp) const { return (reg + warp) & bank_mask_; }

  void take_issue(WarpInstruction& instruction, Cycle now);
  void take_result(WarpInstruction& instruction, Cycle now);
  /// False when the result is there already. A unit's own answer mostly announces it, and is not to cost a
  /// call.
  bool take_announced(WarpInstruction& instruction, Cycle now);
  void take_acceptance(WarpInstruction& instruction, Cycle now);
  /// An error when not.
  [[gnu::cold]] bool may_announce(Cycle now, Cycle ahead, unsigned port) const;
  /// Neighbours of ours call in their ticks; a foreign one may do so while this sleeps.
  Cycle present(const IssueEnd& called, const sc_core::sc_time& delay) const {
    return foreign_ ? called.present(delay) : domain().cycle();
  }

  /// write_back() and write_free() return the masks of the banks that they use.
  std::uint64_t write_back(Cycle now);
  std::uint64_t write_all(WarpInstruction& instruction);
  /// What is outstanding, but for the banks that are `taken`.
  std::uint64_t write_free(WarpInstruction& instruction, std::uint64_t taken);
  std::uint64_t grant_reads(Cycle now, std::uint64_t written);
  void respond(WarpInstruction& instruction);
  void dispatch_ready(Kind& kind, Cycle now);
  /// Where to offer an instruction: nullptr when each unit has an offer already.
  UnitPort* port_for(Kind& kind, OpClass operation, Cycle now);
  void dispatch(Kind& kind, unsigned cu, UnitPort& port, Cycle now);
  void allocate(Kind& kind, Cycle now);
  void slot_opened(Unit unit);
  /// Whether the next edge can change anything without a message before it.
  bool can_advance() const;

  std::array<Settled, kNumUnits> settled_{};
};

}  // namespace heddle
