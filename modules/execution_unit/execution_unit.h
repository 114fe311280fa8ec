#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "base/observe.h"
#include "modules/config/gpu_config.h"
#include "modules/execution_unit/result_bus.h"
#include "modules/messages/warp_instruction.h"
#include "tlm/clocked.h"

namespace heddle {

/// One pipelined execution unit, SP or SFU (gtx480.md, "FUs"): latency and initiation interval of each
/// instruction by its OpClass.
///
/// An instruction offered at edge t starts at t + 1, unless the unit is still within the initiation interval
/// of the last one, or its own result port or the shared result bus is taken at start + latency; then it
/// waits in the dispatch register, acceptance withheld, and starts at the first edge at which it can. END_REQ
/// comes with the offer when the start at t + 1 is certain, otherwise at the start. The result is due at
/// start + latency, and is announced with the acceptance: the unit need not tick for it. An instruction
/// competes for the bus when it is offered, an edge before its start; one that waits, at its start.
class ExecutionUnit : public sc_core::sc_module, public Clocked, private IssueTarget {
  struct Wave {
    std::uint64_t state = 0;
    std::uint64_t warp = 0;
    std::uint64_t in_flight = 0;
    std::uint64_t started =
        0;  ///< results not yet due, with those of instructions that start at the next edge
  };
  /// What belongs to one class of operations; the timing as in OpTiming, small.
  struct Operation {
    std::uint64_t instructions = 0;
    std::uint16_t latency_cycles = 0;
    std::uint16_t initiation_cycles = 0;
  };

  // What each tick and start needs: together, in front of the socket.
  WarpInstruction* offered_ = nullptr;  ///< waits in the dispatch register
  Cycle free_at_ = 0;                   ///< first cycle at which the next instruction may start
  ResultBus& bus_;
  const unsigned port_;                 ///< of the result bus
  bool foreign_ = false;                ///< the collector is a foreign module
  IssueBackward* collector_ = nullptr;  ///< what the socket is bound to
  std::uint64_t initiated_cycles_ = 0;  ///< initiation intervals of everything started, to their ends
  std::unique_ptr<Wave> wave_;
  std::array<Operation, kNumOpClasses> operations_{};

 public:
  /// Ticks in `domain`. Has the result port `port` of `bus`; of units that want
  /// the last slot of a cycle that of the lower port gets it. Throws std::invalid_argument when a latency or
  /// an initiation interval is 0 or more than 65,535, or the port can't be had.
  ExecutionUnit(const sc_core::sc_module_name& name, ClockDomain& domain, const ExecutionConfig& config,
                ResultBus& bus, unsigned port);

  /// From the operand collector.
  IssueTargetSocket dispatch;

  bool tick() override;
  void settle() override;
  void report(StatSink& sink) const;
  using sc_module::trace;
  void trace(WaveSink& sink);

  /// Nothing waits. What is under way is known to the operand collector.
  bool idle() const { return offered_ == nullptr; }

 private:
  enum class State : std::uint8_t { kIdle, kBusy, kBlocked };

  tlm::tlm_sync_enum nb_transport_fw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  /// Starts `instruction` at cycle `start` if its result finds a place; `now` is the present edge.
  [[gnu::always_inline]] ResultBus::Reservation try_start(WarpInstruction& instruction, Cycle start,
                                                          Cycle now);
  void end_of_elaboration() override;
  /// Returns false when the waiting instruction could not start for want of a place for its result.
  bool start_waiting(Cycle now);
  [[gnu::cold]] void update_wave(Cycle now, bool blocked);

  Cycle started_at_ = 0;  ///< the last start; kept for waves only
  std::uint16_t started_warp_ = 0;
  std::uint64_t bus_blocked_cycles_ = 0;
  std::uint64_t port_blocked_cycles_ = 0;
  std::uint64_t withheld_cycles_ = 0;
  std::uint64_t busy_cycles_ = 0;  ///< as of the last settle()
  std::uint64_t idle_cycles_ = 0;  ///< as of the last settle()
};

}  // namespace heddle
