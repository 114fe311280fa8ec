#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/observe.h"
#include "hw/pricing/owner.h"
#include "modules/config/gpu_config.h"

namespace heddle {

/// Decides in the TB dispatcher whether an SM may use fragmented room (ResourceManager::room()), when more
/// warps may be in each other's way (WarpMan 6.1). Plain C++; created by name.
class ContentionControl {
 public:
  ContentionControl() = default;
  virtual ~ContentionControl() = default;
  ContentionControl(const ContentionControl&) = delete;
  ContentionControl& operator=(const ContentionControl&) = delete;

  virtual bool may_use_fragments(unsigned /*sm*/) const { return true; }
  /// Cycles after which it looks at what SMs have issued, again and again while kernels run; 0: never.
  virtual std::uint64_t period_cycles() const { return 0; }
  /// It looks at the SMs below this; `issued[s]` are the warp instructions that SM s has issued so far.
  virtual unsigned watched_sms() const { return 0; }
  /// A kernel arrives while none runs.
  virtual void begin(const std::uint64_t* /*issued*/, std::uint64_t /*cycle*/) {}
  virtual void end_period(const std::uint64_t* /*issued*/, std::uint64_t /*cycle*/) {}
  virtual void report(StatSink& /*sink*/) const {}
  virtual void trace(WaveSink& /*sink*/) {}
};

/// A contention control that users can name.
struct ContentionControlEntry {
  const char* name;
  const char* description;
  bool limits_warps;  ///< core.resources.contention_warps holds
  std::unique_ptr<ContentionControl> (*create)(const CoreConfig&, const hw::Owner&);
};
const std::vector<const ContentionControlEntry*>& contention_controls();

/// Creates what core.resources.contention names, built of parts of `hardware`. Throws std::invalid_argument
/// naming what was found and what was expected.
std::unique_ptr<ContentionControl> make_contention_control(const CoreConfig& core,
                                                           const hw::Owner& hardware = {});
/// core.resources.contention_warps holds (see WarpLimit).
bool limits_warps(const CoreConfig& core);

}  // namespace heddle
