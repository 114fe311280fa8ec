#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "modules/tb_dispatcher/policies/srtf/sample_bus.h"
#include "modules/tb_dispatcher/policies/srtf/slicing_machine.h"

namespace heddle {

/// The Simple Slicing predictors of all SMs in hardware timing, stepped together, and what is between them:
/// the lines on which one SM tells all the duration of a TB, the lowest of those that have something to tell
/// first, and one launch a cycle, in the order of their arrival.
class SlicingMachines {
 public:
  /// `bus` outlives it.
  SlicingMachines(const DispatchContext& context, bool slices, SampleBus& bus);

  /// A prediction that has come to be there.
  struct Landing : SlicingMachine::Landing {
    std::uint64_t cycle = 0;
    unsigned sm = 0;
  };
  /// All cycles before `cycle`. Calls `landed(const Landing&)` for each prediction.
  template <class Landed>
  void advance(std::uint64_t cycle, const Landed& landed) {
    for (std::uint64_t next = next_step(); next < cycle; next = next_step()) step(next, landed);
    now_ = cycle;
  }
  /// The first cycle of which the predictions may be others than now, if nothing is told before.
  std::uint64_t next_change() const;

  // In the present cycle, to which they have advanced.
  void launch(unsigned kernel, unsigned residency, std::uint64_t blocks_per_sm) {
    launches_.push_back({kernel, residency, blocks_per_sm});
  }
  void kernel_end(unsigned kernel) {
    for (const auto& sm : sms_) sm->kernel_end(kernel);
  }
  SlicingMachine& sm(unsigned index) { return *sms_[index]; }
  const SlicingMachine& sm(unsigned index) const { return *sms_[index]; }
  unsigned size() const { return static_cast<unsigned>(sms_.size()); }

 private:
  struct Launch {
    unsigned kernel;
    unsigned residency;
    std::uint64_t blocks_per_sm;
  };

  std::uint64_t next_step() const;
  void tell_all(std::uint64_t cycle);
  template <class Landed>
  void step(std::uint64_t cycle, const Landed& landed) {
    tell_all(cycle);
    for (unsigned i = 0; i < size(); ++i) {
      SlicingMachine& machine = *sms_[i];
      if (!machine.told() && machine.next_event(cycle) != cycle) continue;
      const SlicingMachine::Landing landing = machine.step(cycle);
      if (landing.kernel != SlicingMachine::kNone) landed(Landing{landing, cycle, i});
    }
    now_ = cycle + 1;
  }

  std::vector<std::unique_ptr<SlicingMachine>> sms_;
  SampleBus& bus_;
  std::vector<Launch> launches_;  ///< of which the predictors have not been told
  std::uint64_t now_ = 0;
};

}  // namespace heddle
