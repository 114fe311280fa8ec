#pragma once

#include <memory>
#include <string>
#include <vector>

#include "modules/tb_dispatcher/tb_dispatcher.h"
#include "top/pairs/timed_sm.h"
#include "workloads/timed/timed_launch.h"

namespace heddle {

/// A GPU for thread-block scheduling alone: the real dispatcher, its policy, and the resources of real SMs,
/// whose thread blocks last drawn times. Unless TBs interfere (TimedSm), a TB lasts as long as it was drawn,
/// whatever runs beside it.
class TestBed {
 public:
  /// References are kept. Throws as TbDispatcher does. `name` is that of its SystemC modules. `hardware` owns
  /// the parts of the policy; its timing is that of the policy's.
  TestBed(const std::string& name, const CoreConfig& core, const TbDispatcherConfig& dispatch,
          const sc_core::sc_time& period, double interference = 0, const hw::Owner& hardware = {});

  /// The kernel arrives `after` cycles from now. Launches are numbered from 0; each is a program of its own,
  /// that takes `alone_cycles` alone.
  void launch(const TimedKernel& kernel, Cycle after, std::uint64_t alone_cycles);
  /// As a part of program `program`.
  void launch(const TimedKernel& kernel, Cycle after, const AloneTimes& alone, unsigned program);
  /// The kernel.launches launches of a program, the first `after` cycles from now, each when the one before
  /// it has ended. `alone_cycles`: of each alone, for oracles; {}: not known.
  void run_program(const TimedKernel& kernel, Cycle after, const std::vector<std::uint64_t>& alone_cycles);

  TbDispatcher& dispatcher() { return *dispatcher_; }
  /// Throws what a block threw.
  void rethrow_fault() const { clock_->rethrow_fault(); }
  /// All have ended.
  bool done() const { return ended_ == programs_.size(); }
  /// Core cycles from arrival to the end of the last launch: of each call of launch() and run_program().
  const std::vector<std::uint64_t>& turnarounds() const { return turnarounds_; }
  /// Of the launches of one of them: from arrival to end.
  const std::vector<std::uint64_t>& launch_cycles(std::size_t program) const {
    return programs_[program].launch_cycles;
  }

 private:
  struct Program {
    TimedKernel kernel;
    unsigned number;
    std::vector<AloneTimes> alone;  ///< by launch
    Cycle arrived = 0;
    std::vector<std::uint64_t> launch_cycles;
  };

  void launch_next(std::size_t program, Cycle at);
  void end_launch(const LaunchRecord& record);

  std::unique_ptr<ClockDomain> clock_;
  std::unique_ptr<TbDispatcher> dispatcher_;
  std::vector<std::unique_ptr<TimedSm>> sms_;
  std::vector<std::unique_ptr<TimedLaunch>> launches_;
  std::vector<std::size_t> program_of_launch_;
  std::vector<Program> programs_;
  std::vector<std::uint64_t> turnarounds_;
  std::size_t ended_ = 0;
};

}  // namespace heddle
