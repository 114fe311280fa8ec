#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "modules/gpu_config.h"
#include "tlm/observe.h"

namespace heddle {

/// Decides in the TB dispatcher whether an SM may be given partial TBs, when more warps may be in each
/// other's way (WarpMan 6.1). Plain C++; created by name.
class ContentionControl {
 public:
  ContentionControl() = default;
  virtual ~ContentionControl() = default;
  ContentionControl(const ContentionControl&) = delete;
  ContentionControl& operator=(const ContentionControl&) = delete;

  virtual bool may_split(unsigned /*sm*/) const { return true; }
  /// A warp has ended on `sm`, which has issued `instructions` warp instructions so far.
  virtual void on_warp_end(unsigned /*sm*/, std::uint64_t /*instructions*/, std::uint64_t /*cycle*/) {}
  virtual void report(StatSink& /*sink*/) const {}
};

/// A contention control that users can name.
struct ContentionControlEntry {
  const char* name;
  const char* description;
  bool limits_warps;  ///< core.resources.contention_warps holds
  std::unique_ptr<ContentionControl> (*create)(const CoreConfig&);
};
const std::vector<const ContentionControlEntry*>& contention_controls();

/// Creates what core.resources.contention names. Throws std::invalid_argument naming what was found and what
/// was expected.
std::unique_ptr<ContentionControl> make_contention_control(const CoreConfig& core);
/// Concurrent warps of an SM at which nothing more is given warp by warp; core.warps when there is no limit.
unsigned contention_warp_limit(const CoreConfig& core);

}  // namespace heddle
