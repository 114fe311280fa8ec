#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "top/machine/gpu.h"
#include "top/rtl/sm_twin.h"
#include "top/rtl/twin_prioritizer.h"
#include "top/rtl/twin_qualifier.h"

namespace heddle {

/// The verilated twins of all SMs of a GPU in a run, in step with the model or in its place.
class TwinRun {
 public:
  struct Options {
    bool decides = false;             ///< the twins choose
    std::string waves;                ///< file for a mismatch
    std::uint64_t vector_cycles = 0;  ///< golden vectors: so many clock cycles at most; 0: none
    unsigned vectors_sm = 0;          ///< of this SM
  };
  /// Before anything runs. Throws RtlError for an SM that there is not.
  TwinRun(Gpu& gpu, TwinDesign design, std::unique_ptr<TwinLibrary> library, const Options& options);

  /// After the run: looks at the last cycles, unless there was a mismatch. Throws TwinMismatch.
  void finish();
  /// Some SM's twin and model have differed.
  bool mismatched() const { return mismatched_; }

  std::uint64_t edges() const;
  std::uint64_t grants() const;
  /// nullptr: none were wanted.
  const GoldenVectors* vectors() const { return vectors_ ? &*vectors_ : nullptr; }
  /// What was compared, or decided, for lockstep.json.
  std::string json() const;

 private:
  TwinDesign design_;
  std::unique_ptr<TwinLibrary> library_;
  bool decides_;
  std::optional<GoldenVectors> vectors_;
  std::atomic<bool> mismatched_{false};
  std::vector<std::unique_ptr<SmTwin>> sms_;
  std::vector<std::unique_ptr<TwinPrioritizer>> prioritizers_;
  std::vector<std::unique_ptr<TwinQualifier>> qualifiers_;
};

}  // namespace heddle
