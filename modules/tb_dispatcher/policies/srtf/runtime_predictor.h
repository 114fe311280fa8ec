#pragma once

#include <cstdint>
#include <vector>

#include "modules/tb_dispatcher/dispatch_policy.h"

namespace heddle {

class SlicingMachines;

/// Says how long kernels will still run, per SM. Cycles are of the core clock.
class RuntimePredictor {
 public:
  RuntimePredictor() = default;
  virtual ~RuntimePredictor() = default;
  RuntimePredictor(const RuntimePredictor&) = delete;
  RuntimePredictor& operator=(const RuntimePredictor&) = delete;

  /// True when a prediction can be made. The other functions require it.
  virtual bool known(const LaunchRecord& launch, unsigned sm) const = 0;
  /// Cycles from now to its end if it went on alone.
  virtual std::uint64_t remaining_cycles(const LaunchRecord& launch, unsigned sm) const = 0;
  /// `a` has less left than `b` on `sm`. Both are known.
  virtual bool ends_before(const DispatchView& view, const LaunchRecord& a, const LaunchRecord& b,
                           unsigned sm) = 0;
  /// Its run time alone, from its first TB to its last.
  virtual std::uint64_t total_cycles(const LaunchRecord& launch, unsigned sm) const = 0;
  /// Duration of one of its TBs.
  virtual std::uint64_t tb_cycles(const LaunchRecord& launch, unsigned sm) const = 0;
  /// TBs left to the SM, if all SMs get equally many.
  virtual std::uint64_t tbs_left(const LaunchRecord& launch, unsigned sm) const = 0;

  /// The one of these kernel slots that ends first on `sm`, of those of which it is known; kAsksForEach: it
  /// is to be asked for each pair of them. kNone: nothing is known of any.
  static constexpr unsigned kNone = ~0U;
  static constexpr unsigned kAsksForEach = ~0U - 1;
  virtual unsigned first(std::uint64_t /*cycle*/, std::uint64_t /*kernels*/, unsigned /*sm*/) {
    return kAsksForEach;
  }
  /// The present cycle is this one. Appends to `known` the launches of which there has come to be a
  /// prediction, those that are there with the event that they follow from left out.
  virtual void advance(std::uint64_t /*cycle*/, std::vector<std::uint64_t>& /*known*/) {}
  /// The next cycle of which what is known may be otherwise without an event; kNever.
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  virtual std::uint64_t next_change() const { return kNever; }
  /// Those of hardware timing; nullptr: there are none.
  virtual SlicingMachines* machines() { return nullptr; }

  virtual void on_launch(std::uint64_t /*cycle*/, const LaunchRecord& /*launch*/) {}
  virtual void on_end(std::uint64_t /*cycle*/, const LaunchRecord& /*launch*/) {}
  virtual void on_tb_start(const DispatchEvent& /*event*/) {}
  virtual void on_tb_end(const DispatchEvent& /*event*/) {}
  virtual void report(StatSink& /*sink*/) const {}
  virtual void trace(WaveSink& /*sink*/) {}
};

}  // namespace heddle
