#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "sc_tests/modules/sm/issue_rig.h"

namespace heddle::testing {

/// A rig that notes when TBs and warps start and end.
struct WatchedRig : IssueRig {
  struct Life {
    std::uint64_t launch;
    std::uint64_t tb;
    Cycle start;
    Cycle end = 0;
  };

  WatchedRig(const std::string& name, const GpuConfig& gpu, Options options = {})
      : IssueRig(name, gpu, options), running_in(gpu.core.warps) {
    issue->residency.tb_started.listen(
        [this](const TbTransaction&, Cycle) { peak = std::max(peak, ++resident); });
    issue->residency.tb_finished.listen([this](const TbTransaction&, Cycle) { --resident; });
    issue->residency.warp_started.listen([this](unsigned w, const TbTransaction& tb, Cycle cycle) {
      running_in[w] = lives.size();
      lives.push_back({tb.launch_id, tb.tb, cycle});
    });
    issue->residency.warp_retired.listen(
        [this](unsigned w, const TbTransaction&, Cycle cycle) { lives[running_in[w]].end = cycle; });
  }
  unsigned resident = 0;
  unsigned peak = 0;
  std::vector<Life> lives;  ///< in the order of their starts
  std::vector<std::size_t> running_in;
};

inline GpuConfig managed(const std::string& management) {
  GpuConfig config;
  config.core.resources.management = management;
  return config;
}

/// A kernel with barriers at which all, or all but some, of its warps meet.
inline std::unique_ptr<FakeKernel> random_kernel(std::mt19937& random) {
  const auto draw = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  auto kernel = std::make_unique<FakeKernel>(6 + draw(12), kWarpSize * (1 + draw(16)));
  kernel->registers = 8 + draw(40);
  kernel->shared = draw(2) == 0 ? 0 : 256 * draw(60);
  const unsigned parts = 1 + draw(4);
  for (unsigned part = 0; part < parts; ++part) {
    const std::uint32_t start = kernel->size();
    kernel->fma({1}, {2});
    if (draw(2) == 0) kernel->load({3}, {1});
    kernel->branch(start, draw(6));
    if (draw(2) == 0) kernel->op(kernel->size() - 1).only_warp = static_cast<int>(draw(4));
    if (draw(3) != 0) kernel->barrier(static_cast<std::uint8_t>(draw(3)));
  }
  kernel->exit();
  return kernel;
}

}  // namespace heddle::testing
