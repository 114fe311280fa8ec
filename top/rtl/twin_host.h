#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "top/rtl/golden_vectors.h"
#include "top/rtl/twin_design.h"

namespace heddle {

/// The verilated twins of all SMs of a GPU in a run, in step with the model or in its place.
class TwinHost {
 public:
  struct Options {
    bool decides = false;             ///< the twins choose
    std::string waves;                ///< file for a mismatch
    std::uint64_t vector_cycles = 0;  ///< golden vectors: so many clock cycles at most; 0: none
    unsigned vectors_sm = 0;          ///< of this SM
  };

  TwinHost() = default;
  virtual ~TwinHost() = default;
  TwinHost(const TwinHost&) = delete;
  TwinHost& operator=(const TwinHost&) = delete;

  /// After the run: looks at the last cycles, unless there was a mismatch. Throws TwinMismatch.
  virtual void finish() = 0;
  /// Some SM's twin and model have differed.
  virtual bool mismatched() const = 0;
  /// nullptr: none were wanted.
  virtual const GoldenVectors* vectors() const = 0;
  /// What was compared, or decided, for lockstep.json.
  virtual std::string json() const = 0;
};

/// Throws RtlError for an SM that there is not.
void check_vectors_sm(unsigned sm, unsigned sms);
/// Golden vectors that the options want; nullptr: none. Throws as check_vectors_sm() does.
std::unique_ptr<GoldenVectors> wanted_vectors(const TwinDesign& design, unsigned sms,
                                              const TwinHost::Options& options);

}  // namespace heddle
