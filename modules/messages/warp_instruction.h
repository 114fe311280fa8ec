#pragma once

#include <cstdint>
#include <tlm>

#include "tlm/clocked.h"
#include "tlm/foreign_modules.h"
#include "workloads/launch/kernel_launch.h"

namespace heddle {

struct LaunchCounts;

/// One dynamic warp instruction in flight: the payload of the typed protocol between warp scheduler, operand
/// collector, execution units and LD/ST unit. Owned by the SM's pool from issue until its completion has been
/// delivered to the issue stage.
struct alignas(64) WarpInstruction {
  const Instruction* instruction = nullptr;
  /// Link for queues and pools: an instruction is in one list at a time.
  WarpInstruction* next = nullptr;
  /// Of the launch; nullptr: not counted.
  LaunchCounts* counts = nullptr;
  Cycle issued_at = 0;
  std::uint16_t parts_awaited = 0;  ///< the LD/ST unit's: accesses, or lines of constants, not yet returned
  std::uint16_t unwritten = 0;      ///< the operand collector's: bit i: the i-th general destination
  std::uint32_t index = 0;          ///< instruction index in the program
  std::uint16_t warp = 0;           ///< warp slot in the SM, 0..47
  std::uint16_t tb_slot = 0;
  std::uint8_t scheduler = 0;
  Space space = Space::kNone;  ///< resolved space of a memory instruction
  bool direct = false;  ///< its result takes no write port of a register bank: constants that were found
  std::uint8_t result_port = 0;  ///< the operand collector's own: where its result comes from
  LaneMask access = 0;           ///< see Step
  LaneMask active = 0;
  LaneMask path = 0;
  /// Core cycles from the present edge to a result that is announced; 0 when it is not. In cycles, since the
  /// transport's sc_time would have to be divided by the clock's period.
  std::uint32_t due_in_cycles = 0;
  // Up to here one cache line: what travels through the pipeline.
  std::uint64_t id = 0;  ///< numbers the instructions that the SM has issued, from 0
  std::uint64_t pc = 0;  ///< address of the instruction: launch->code_base() + index * Instruction::kBytes
  const KernelLaunch* launch = nullptr;
  /// Written for memory instructions only; see Step and LaneAddresses.
  LaneAddresses addresses;
};

/// Typed protocol for WarpInstruction over standard TLM sockets.
///  - fw BEGIN_REQ: hands the instruction on. Returns TLM_UPDATED with END_REQ when it is accepted, or
///    TLM_ACCEPTED when the unit is busy: acceptance is withheld (a pipeline stall) until END_REQ comes on
///    the backward path. One offer may be outstanding per socket. A unit whose latency is fixed returns
///    TLM_COMPLETED: accepted, and the result comes due_in_cycles >= 1 later, without a BEGIN_RESP.
///  - bw BEGIN_RESP: the instruction is complete (from a unit: its results go to write-back; from the operand
///    collector: written back, registers may be released; passed on at once when the result is direct).
///    With due_in_cycles an execution unit announces the result that many cycles ahead, one a cycle at most.
///    Returns TLM_COMPLETED.
/// The receiver acts on what it gets at a strictly later edge; ready signals (IssueReady) are combinational.
/// Blocks at the two ends of a socket need the same clock, or the simulation does not start; a foreign module
/// may call at any time. Calls have no delay: one that is annotated is an SC_ERROR.
struct IssueProtocol {
  using tlm_payload_type = WarpInstruction;
  using tlm_phase_type = tlm::tlm_phase;
};

constexpr unsigned kIssueSocketBits = 32;
using IssueInitiatorSocket = NativeInitiatorSocket<kIssueSocketBits, IssueProtocol>;
using IssueTargetSocket = NativeTargetSocket<kIssueSocketBits, IssueProtocol>;

/// What neighbours call of each other in every cycle, by pointer: that spares the way through the socket.
using IssueForward = tlm::tlm_fw_nonblocking_transport_if<WarpInstruction>;
using IssueBackward = tlm::tlm_bw_nonblocking_transport_if<WarpInstruction>;

/// A block's end of a socket of this protocol.
class IssueEnd : public NativeInterface {
 public:
  explicit IssueEnd(const Clocked& block) : block_(block) {}
  const ClockDomain* clock() const final { return &block_.domain(); }
  bool needs_its_clock() const final { return true; }
  bool ticks() const final { return true; }
  /// The cycle in which a foreign module calls, which may do so while the block sleeps. A delay is an error.
  [[gnu::cold, gnu::noinline]] Cycle present(const sc_core::sc_time& delay) const;

 protected:
  /// SC_ERRORs with the id `/heddle/issue`, which begin with the block's name.
  [[gnu::cold, gnu::noinline]] void report_wrong(const char* what) const;
  [[gnu::cold, gnu::noinline]] void report_phase(const tlm::tlm_phase& phase) const;

 private:
  const Clocked& block_;
};

/// Forward interface with the transports that this protocol does not use answered.
class IssueTarget : public tlm::tlm_fw_transport_if<IssueProtocol>, public IssueEnd {
 public:
  using IssueEnd::IssueEnd;
  void b_transport(WarpInstruction& /*instruction*/, sc_core::sc_time& /*delay*/) final {
    report_wrong("the issue protocol has no blocking transport");
  }
  bool get_direct_mem_ptr(WarpInstruction& /*instruction*/, tlm::tlm_dmi& dmi) final {
    dmi.init();
    return false;
  }
  unsigned transport_dbg(WarpInstruction& /*instruction*/) final { return 0; }
};

/// Backward interface, likewise.
class IssueInitiator : public tlm::tlm_bw_transport_if<IssueProtocol>, public IssueEnd {
 public:
  using IssueEnd::IssueEnd;
  void invalidate_direct_mem_ptr(sc_dt::uint64 /*start*/, sc_dt::uint64 /*end*/) final {}
};

/// Ready signal of the operand collector's input registers. Read by the issue stage, which ticks after it.
class IssueReady : public sc_core::sc_interface {
 public:
  /// How many instructions for `unit` it can take at this edge, counting those already handed over at it.
  virtual unsigned free_slots(Unit unit) const = 0;
  /// Bit u: it can take one for unit u.
  virtual unsigned open_units() const {
    unsigned open = 0;
    for (unsigned u = 0; u < kNumUnits; ++u) {
      if (free_slots(static_cast<Unit>(u)) != 0) open |= 1U << u;
    }
    return open;
  }
  /// Asks that `waiting` be woken, for the same edge, when a slot becomes free of a kind whose slots were all
  /// taken. Returns false when the implementation can't do this: the caller then has to ask at every edge.
  virtual bool announce_to(Clocked& /*waiting*/) { return false; }
};

}  // namespace heddle
