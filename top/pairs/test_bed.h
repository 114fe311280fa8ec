#pragma once

#include <memory>
#include <string>
#include <vector>

#include "modules/tb_dispatcher/tb_dispatcher.h"
#include "top/pairs/timed_sm.h"
#include "workloads/timed/timed_launch.h"

namespace heddle {

/// A GPU for thread-block scheduling alone: the real dispatcher, its policy, and the resources of real SMs,
/// whose thread blocks last drawn times. Nothing interferes: a TB lasts as long as it was drawn, whatever
/// runs beside it.
class TestBed {
 public:
  /// References are kept. Throws as TbDispatcher does. `name` is that of its SystemC modules.
  TestBed(const std::string& name, const CoreConfig& core, const TbDispatcherConfig& dispatch,
          const sc_core::sc_time& period);

  /// The kernel arrives `after` cycles from now. Launches are numbered from 0; each is a program of its own,
  /// that takes `alone_cycles` alone.
  void launch(const TimedKernel& kernel, Cycle after, std::uint64_t alone_cycles);
  /// As a part of program `program`.
  void launch(const TimedKernel& kernel, Cycle after, const AloneTimes& alone, unsigned program);

  TbDispatcher& dispatcher() { return *dispatcher_; }
  /// Throws what a block threw.
  void rethrow_fault() const { clock_->rethrow_fault(); }
  /// All launches have ended.
  bool done() const { return turnarounds_.size() == launches_.size() && ended_ == launches_.size(); }
  /// Core cycles from arrival to end, by launch.
  const std::vector<std::uint64_t>& turnarounds() const { return turnarounds_; }

 private:
  std::unique_ptr<ClockDomain> clock_;
  std::unique_ptr<TbDispatcher> dispatcher_;
  std::vector<std::unique_ptr<TimedSm>> sms_;
  std::vector<std::unique_ptr<TimedLaunch>> launches_;
  std::vector<std::uint64_t> turnarounds_;
  std::size_t ended_ = 0;
};

}  // namespace heddle
