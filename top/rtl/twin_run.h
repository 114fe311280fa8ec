#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "top/machine/gpu.h"
#include "top/rtl/sm_twin.h"
#include "top/rtl/twin_prioritizer.h"

namespace heddle {

/// The verilated twins of all SMs of a GPU in a run, in step with the model or in its place.
class TwinRun {
 public:
  /// Before anything runs. `decides`: the twins choose. `waves`: file for a mismatch.
  TwinRun(Gpu& gpu, TwinDesign design, std::unique_ptr<TwinLibrary> library, bool decides, std::string waves);

  /// After the run: looks at the last cycles, unless there was a mismatch. Throws TwinMismatch.
  void finish();
  /// Some SM's twin and model have differed.
  bool mismatched() const { return mismatched_; }

  std::uint64_t edges() const;
  std::uint64_t grants() const;
  /// What was compared, or decided, for lockstep.json.
  std::string json() const;

 private:
  TwinDesign design_;
  std::unique_ptr<TwinLibrary> library_;
  bool decides_;
  std::atomic<bool> mismatched_{false};
  std::vector<std::unique_ptr<SmTwin>> sms_;
  std::vector<std::unique_ptr<TwinPrioritizer>> prioritizers_;
};

}  // namespace heddle
