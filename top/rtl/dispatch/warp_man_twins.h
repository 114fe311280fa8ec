#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "top/machine/gpu.h"
#include "top/rtl/dispatch/warp_man_twin.h"
#include "top/rtl/twin_host.h"
#include "top/rtl/twin_library.h"

namespace heddle {

/// The twins of all SMs' dispatch checks and workload buffers.
class WarpManTwins final : public TwinHost {
 public:
  WarpManTwins(Gpu& gpu, TwinDesign design, std::unique_ptr<TwinLibrary> library, const Options& options);

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
  std::vector<std::unique_ptr<WarpManTwin>> sms_;
};

}  // namespace heddle
