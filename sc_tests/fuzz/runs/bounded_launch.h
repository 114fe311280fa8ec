#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "workloads/launch/kernel_launch.h"

namespace heddle::fuzz {

/// The kernel has done all the steps that it may.
class StepsUsedUp : public ExecutionFault {
 public:
  using ExecutionFault::ExecutionFault;
};

/// A launch that ends, by StepsUsedUp, after so many warp instructions and started blocks: for kernels that
/// may run without end. References are kept; several launches may share `steps_left`.
class BoundedLaunch final : public KernelLaunch {
 public:
  BoundedLaunch(KernelLaunch& inner, std::uint64_t& steps_left) : inner_(inner), steps_left_(steps_left) {}

  const Program& program() const override { return inner_.program(); }
  Dim3 grid() const override { return inner_.grid(); }
  Dim3 block() const override { return inner_.block(); }
  unsigned registers_per_thread() const override { return inner_.registers_per_thread(); }
  unsigned shared_bytes() const override { return inner_.shared_bytes(); }
  std::uint64_t code_base() const override { return inner_.code_base(); }
  std::uint64_t param_base() const override { return inner_.param_base(); }
  std::uint64_t local_base() const override { return inner_.local_base(); }
  std::unique_ptr<ThreadBlock> start(std::uint64_t tb) override {
    take(kStepsOfStart);
    return std::make_unique<Block>(*this, inner_.start(tb));
  }

 private:
  static constexpr std::uint64_t kStepsOfStart = 16;

  class Block final : public ThreadBlock {
   public:
    Block(BoundedLaunch& launch, std::unique_ptr<ThreadBlock> inner)
        : launch_(launch), inner_(std::move(inner)) {}
    std::uint32_t next_index(unsigned warp) const override { return inner_->next_index(warp); }
    LaneMask next_path(unsigned warp) const override { return inner_->next_path(warp); }
    void step(unsigned warp, const ExecutionSite& site, Step& out, LaneAddresses& addresses) override {
      launch_.take(1);
      inner_->step(warp, site, out, addresses);
    }
    void finish(const PutOffStep& step) override { inner_->finish(step); }
    void barrier_released(unsigned barrier) override { inner_->barrier_released(barrier); }
    std::string describe_warp(unsigned warp) const override { return inner_->describe_warp(warp); }

   private:
    BoundedLaunch& launch_;
    std::unique_ptr<ThreadBlock> inner_;
  };

  void take(std::uint64_t steps) {
    if (steps_left_ < steps) throw StepsUsedUp("the kernel has done all its steps");
    steps_left_ -= steps;
  }

  KernelLaunch& inner_;
  std::uint64_t& steps_left_;
};

}  // namespace heddle::fuzz
