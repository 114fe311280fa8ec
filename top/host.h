#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "tlm/clocked.h"
#include "top/gpu.h"
#include "top/progress.h"
#include "top/run_result.h"
#include "workloads/host_program.h"

namespace heddle {

struct HostOptions {
  std::uint64_t max_cycles = 0;  ///< 0 = no limit
  /// Called now and then in wall-clock terms, every kPollCycles in simulated ones; true = stop the run.
  std::function<bool(const ProgressState&)> poll;
};

/// The host of the GPU: gives the kernels of a program to the dispatcher one after the other, waits until
/// nothing of a kernel is in flight, takes the statistics of each, and stops the simulation. Lines that the
/// host copies to the device are installed in the L2 (gtx480.md, "Clocks, size, occupancy").
///
/// It looks at the GPU one delta cycle after a core edge, when every block of every clock domain with an edge
/// at that time has done its work, so that what it sees does not depend on their order.
class Host : public sc_core::sc_module, public Clocked {
 public:
  SC_HAS_PROCESS(Host);

  static constexpr Cycle kPollCycles = 1024;

  /// References are kept.
  Host(const sc_core::sc_module_name& name, Gpu& gpu, HostProgram& program, HostOptions options);

  /// Runs the simulation to its end. Errors of the program (a fault, a launch that does not fit, a host loop
  /// that does not end) are in the result, unless nothing had been launched: then they are thrown.
  RunResult run();

  const StatRegistry& registry() const { return registry_; }

  bool tick() override;

 private:
  void look();
  void look_at_launch();
  void start_next();
  void end_launch(bool complete);
  void poll();
  void stop(RunEnd end, std::string reason);
  StatValues snapshot();
  Cycle last_progress() const;

  Gpu& gpu_;
  HostProgram& program_;
  HostOptions options_;
  Cycle watchdog_cycles_;
  sc_core::sc_event look_event_;
  StatRegistry registry_;
  StatValues before_launch_;
  bool running_ = false;      ///< a launch has begun and not ended
  bool drained_tbs_ = false;  ///< the launch's last TB has ended
  Cycle tbs_ended_at_ = 0;
  std::uint64_t tbs_before_launch_ = 0;
  bool stopped_ = false;
  RunResult result_;
  std::exception_ptr fault_;
};

}  // namespace heddle
