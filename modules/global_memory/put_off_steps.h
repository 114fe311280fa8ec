#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "modules/messages/tick_order.h"
#include "tlm/clocked.h"
#include "workloads/launch/kernel_launch.h"

namespace heddle {

/// What the SMs have put off at an edge (ExecutionSite::put_off): stores and atomics to global memory, which
/// are seen by loads of later edges. They are done behind all SMs, in the order of the SMs, those of one SM
/// in the order of issue, whichever thread the SMs tick on. The block is woken for the edge by them, or, when
/// they tick on several threads, finish() is called.
class PutOffSteps : public Clocked {
 public:
  PutOffSteps(ClockDomain& domain, std::string name, unsigned threads)
      : Clocked(domain, tick_order::kGlobalMemory, std::move(name)), of_thread_(threads) {}

  bool tick() override {
    finish();
    return false;
  }

  /// Where the SMs of a thread enter theirs, each in its turn, in ascending order.
  std::vector<PutOffStep>& of_thread(unsigned thread) { return of_thread_[thread].steps; }

  /// Does all. After a fault the other SMs' steps are done too; then it throws that of the lowest SM.
  void finish();

 private:
  struct alignas(64) Thread {
    std::vector<PutOffStep> steps;
    std::size_t next = 0;
  };
  /// The thread that has the next step; nullptr when all are done.
  Thread* next();

  std::vector<Thread> of_thread_;
};

}  // namespace heddle
