#pragma once

#include <exception>
#include <systemc>
#include <vector>

#include "modules/messages/tick_order.h"
#include "tlm/clocked.h"
#include "workloads/launch/kernel_launch.h"

namespace heddle {

/// What the SMs have put off at an edge (ExecutionSite::put_off): stores and atomics to global memory, which
/// are seen by loads of later edges. They are done after all SMs have ticked, in the order of the SMs, those
/// of one SM in the order of issue, whichever SM ticks first and on whichever thread. The block is woken for
/// the edge by them, or, when they tick on several threads, finish() is called.
class PutOffSteps : public sc_core::sc_module, public Clocked {
 public:
  PutOffSteps(const sc_core::sc_module_name& name, ClockDomain& domain, std::size_t strands)
      : sc_module(name),
        Clocked(domain, tick_order::kGlobalMemory, this->name(), &tick_of<PutOffSteps>),
        of_strand_(strands) {}

  bool tick() override {
    finish();
    return false;
  }

  /// Where the SMs of a strand (ClockTree), or all of them, enter theirs.
  std::vector<PutOffStep>& of_strand(std::size_t strand) { return of_strand_[strand].steps; }

  /// Does all. After a fault the other SMs' steps are done too; then it throws that of the lowest SM.
  void finish() {
    for (const Strand& strand : of_strand_) {
      if (!strand.steps.empty()) return finish_all();
    }
  }

 private:
  struct alignas(64) Strand {
    std::vector<PutOffStep> steps;
    std::size_t next = 0;
  };
  void finish_all();
  /// Into the order of the SMs.
  static void sort(std::vector<PutOffStep>& steps);
  /// The strand that has the next step; nullptr when all are done.
  Strand* next();

  std::vector<Strand> of_strand_;
};

}  // namespace heddle
