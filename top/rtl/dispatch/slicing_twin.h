#pragma once

#include <cstdint>
#include <string>

#include "modules/tb_dispatcher/policies/srtf/slicing_machine.h"
#include "top/rtl/dispatch/port_twin.h"

namespace heddle {

/// The twin of an SM's Simple Slicing predictor, in step with the model's or in its place.
class SlicingTwin final : public SlicingWatcher {
 public:
  /// Watches `machine`. With `decides` the twin says which kernel is first.
  SlicingTwin(unsigned sm, SlicingMachine& machine, bool decides, const PortTwin::Setup& setup);

  void on_cycle(std::uint64_t cycle, const SlicingInputs& in, unsigned first) override;
  unsigned choose(std::uint64_t cycle, std::uint64_t waiting, unsigned first) override;

  std::uint64_t edges() const { return twin_.edges(); }
  /// Times that it was asked which kernel is first, and knew one.
  std::uint64_t choices() const { return choices_; }

 private:
  void go_on_to(std::uint64_t cycle);
  void set_outputs(unsigned first);
  void set_idle_inputs(std::uint64_t cycle);

  SlicingMachine& machine_;
  const bool decides_;
  PortTwin twin_;
  unsigned kernel_bits_;
  unsigned slot_bits_;
  std::uint64_t now_ = 0;     ///< the first cycle that the twin has not ended
  unsigned read_kernel_ = 0;  ///< whose Pred_Cycles is looked at, in turn
  std::uint64_t choices_ = 0;
};

}  // namespace heddle
