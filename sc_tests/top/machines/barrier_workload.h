#pragma once

#include <string>

namespace heddle::test {

/// Writes `turns.ptx`, a workload NAME.yaml and the outputs that a CPU finds into `folder`, and returns the
/// workload's path. Its kernel has what schedulers can stumble over: a gather that diverges, nested
/// divergence with loops of unequal length, barriers between and after them, warps that end before the
/// others' barriers, a barrier of two warps only, and a last warp that is not full unless `block` is a
/// multiple of 32. `block` is at most 256.
std::string write_barrier_workload(const std::string& folder, const std::string& name, unsigned grid,
                                   unsigned block);

}  // namespace heddle::test
