#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "modules/tb_dispatcher/policies/srtf/slicing_machines.h"
#include "top/machine/gpu.h"
#include "top/rtl/dispatch/slicing_twin.h"
#include "top/rtl/twin_host.h"
#include "top/rtl/twin_library.h"

namespace heddle {

/// The twins of all SMs' Simple Slicing predictors.
class SlicingTwins final : public TwinHost {
 public:
  SlicingTwins(Gpu& gpu, TwinDesign design, std::unique_ptr<TwinLibrary> library, const Options& options);

  void finish() override;
  bool mismatched() const override { return mismatched_; }
  const GoldenVectors* vectors() const override { return vectors_.get(); }
  std::string json() const override;

 private:
  TwinDesign design_;
  std::unique_ptr<TwinLibrary> library_;
  bool decides_;
  std::unique_ptr<GoldenVectors> vectors_;
  std::atomic<bool> mismatched_{false};
  const Gpu& gpu_;
  SlicingMachines& machines_;
  std::vector<std::unique_ptr<SlicingTwin>> sms_;
};

}  // namespace heddle
