#pragma once

#include <memory>
#include <vector>

#include "top/machine/gpu.h"
#include "top/profile/sm_profile.h"

namespace heddle {

/// What the warps of a run do, cycle by cycle and instruction by instruction (docs/profile.md). Listens to
/// the SMs; a run without it pays nothing.
class Profile {
 public:
  /// Before the simulation starts. `gpu` is kept.
  explicit Profile(Gpu& gpu);

  /// Up to and including the present cycle.
  ProfileCounts counts();

 private:
  Gpu& gpu_;
  KernelBook book_;
  std::vector<std::unique_ptr<SmProfile>> sms_;
};

}  // namespace heddle
