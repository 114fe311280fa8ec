#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "top/profile/profile_counts.h"
#include "workloads/launch/kernel_launch.h"

namespace heddle {

/// The texts of the kernels that have run, which outlive their launches. On any thread.
class KernelBook {
 public:
  /// Of the launch's kernel; stays where it is.
  const KernelText& text_of(const KernelLaunch& launch);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<KernelText>> kernels_;
};

}  // namespace heddle
