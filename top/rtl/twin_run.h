#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "top/machine/gpu.h"
#include "top/rtl/sm_twin.h"
#include "top/rtl/twin_host.h"
#include "top/rtl/twin_library.h"
#include "top/rtl/twin_prioritizer.h"
#include "top/rtl/twin_qualifier.h"

namespace heddle {

/// Those of the warp schedulers.
class TwinRun final : public TwinHost {
 public:
  TwinRun(Gpu& gpu, TwinDesign design, std::unique_ptr<TwinLibrary> library, const Options& options);

  void finish() override;
  bool mismatched() const override { return mismatched_; }

  std::uint64_t edges() const;
  std::uint64_t grants() const;
  const GoldenVectors* vectors() const override { return vectors_.get(); }
  std::string json() const override;

 private:
  TwinDesign design_;
  std::unique_ptr<TwinLibrary> library_;
  bool decides_;
  std::unique_ptr<GoldenVectors> vectors_;
  std::atomic<bool> mismatched_{false};
  std::vector<std::unique_ptr<SmTwin>> sms_;
  std::vector<std::unique_ptr<TwinPrioritizer>> prioritizers_;
  std::vector<std::unique_ptr<TwinQualifier>> qualifiers_;
};

}  // namespace heddle
