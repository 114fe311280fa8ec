#pragma once

#include <cstdint>

#include "modules/tb_dispatcher/dispatch_policy.h"

namespace heddle {

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

  virtual void on_launch(std::uint64_t /*cycle*/, const LaunchRecord& /*launch*/) {}
  virtual void on_end(std::uint64_t /*cycle*/) {}
  virtual void on_tb_start(const DispatchEvent& /*event*/) {}
  virtual void on_tb_end(const DispatchEvent& /*event*/) {}
  virtual void report(StatSink& /*sink*/) const {}
  virtual void trace(WaveSink& /*sink*/) {}
};

}  // namespace heddle
