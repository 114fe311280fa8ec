#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "tlm/clocked.h"
#include "top/machine/host_run.h"

namespace heddle {

/// The host of the GPU: has programs run on it (HostRun). It looks at the GPU one delta cycle after a core
/// edge, when every block of every clock domain with an edge at that time has done its work, so that what it
/// sees does not depend on their order.
///
/// It has one program, which the whole simulation is for, or is given programs while a platform's simulation
/// goes on.
///
/// There is no reset, of the host, the GPU or a block: a simulation has one, at its start. A program that is
/// not wanted any more ends early by HostOptions::poll, which is asked every HostRun::kPollCycles core
/// cycles, or by HostOptions::max_cycles, and launches nothing more; the launches that run go on to their
/// ends, as on hardware without preemption, and the next program may begin when Gpu::idle(). What must not go
/// on at all takes sc_stop(), and another process for another simulation. Host, program and GPU may be
/// destroyed in the middle of a program, also by an exception that leaves sc_main: the host before the GPU,
/// the program after both.
class Host : public sc_core::sc_module, public Clocked {
 public:
  SC_HAS_PROCESS(Host);

  /// For run(): the program's launches one after the other, or its streams at the same time. References are
  /// kept.
  Host(const sc_core::sc_module_name& name, Gpu& gpu, HostProgram& program, HostOptions options);
  /// For run(): the streams at the same time.
  Host(const sc_core::sc_module_name& name, Gpu& gpu, const std::vector<HostStream>& streams,
       HostOptions options);
  /// Runs the simulation until the program has ended, which stops it; see HostRun::result().
  RunResult run();

  /// For begin(). As the others it throws std::logic_error when the GPU has a host: one host runs all its
  /// programs.
  Host(const sc_core::sc_module_name& name, Gpu& gpu);
  /// The program begins at the first edge of the core clock that is later than the present time, or at time 0
  /// when the simulation has not begun; its first launch comes a cycle later. From a process of the platform,
  /// or between two calls of sc_start(). The program must live until it has come to its end, or for as long
  /// as the GPU when that was early (RunResult::end). The L2 has what the program before has left in it, at
  /// the same addresses. Throws std::logic_error when a program runs, when the GPU holds thread blocks of one
  /// that ended early, or when this program has been begun before.
  void begin(HostProgram& program, HostOptions options = {});
  /// A program was begun and has not ended.
  bool running() const { return run_ != nullptr && !run_->over(); }
  /// Notified one delta cycle after a program has ended, however it did. Not when the program faults, which
  /// stops the simulation as everything does that a block throws.
  const sc_core::sc_event& ended() const { return ended_; }
  /// Of the program that ended last, once: see HostRun::result(). When the simulation has been stopped, of
  /// the program that runs. Throws std::logic_error when there is none.
  RunResult result();

  const StatRegistry& registry() const { return registry_; }

  bool tick() override;

 private:
  Host(const sc_core::sc_module_name& name, Gpu& gpu, bool stops_simulation);

  void give(const HostRun::Work& work, HostOptions options, HostRun::Begin begin);
  void look();

  Gpu& gpu_;
  const bool stops_simulation_;
  const Cycle look_cycles_;  ///< between two looks at whether to stop: HostRun::kPollCycles or a part of it
  sc_core::sc_event look_event_;
  sc_core::sc_event ended_;
  StatRegistry registry_;
  std::unique_ptr<HostRun> run_;
  std::uint64_t next_launch_ = 0;
};

}  // namespace heddle
