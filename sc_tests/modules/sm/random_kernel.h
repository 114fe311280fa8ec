#pragma once

#include <cstdint>
#include <memory>
#include <random>

#include "sc_tests/support/fake_kernel.h"

namespace heddle::testing {

/// Straight code with loops, loads, barriers, a warp that skips a part and one that leaves early.
inline std::unique_ptr<FakeKernel> random_kernel(std::uint32_t seed) {
  std::mt19937 engine(seed);
  const auto draw = [&engine](unsigned below) { return static_cast<unsigned>(engine()) % below; };
  const auto reg = [&draw] { return static_cast<std::uint16_t>(draw(8)); };
  auto kernel = std::make_unique<FakeKernel>(3 + draw(12), 32 * (1 + draw(8)));
  const unsigned parts = 2 + draw(3);
  for (unsigned part = 0; part < parts; ++part) {
    const std::uint32_t start = kernel->size();
    if (draw(3) == 0) kernel->branch_of_warp(draw(4), start + 4);
    for (unsigned i = 0; i < 6; ++i) {
      const unsigned what = draw(8);
      if (what < 4) {
        kernel->fma({reg()}, {reg(), reg()});
      } else if (what == 4) {
        kernel->sfu({reg()}, {reg()});
      } else if (what == 7) {
        FakeKernel::Op& store = kernel->store({reg()});
        store.address = 0x100000 + 128 * draw(64);
      } else {
        FakeKernel::Op& load = kernel->load({reg()}, {reg()});
        load.address = 0x100000 + 128 * draw(64);
        load.stride = draw(2) == 0 ? 4 : 128;
      }
    }
    if (draw(4) == 0) kernel->membar();
    if (draw(4) != 0) kernel->barrier(static_cast<std::uint8_t>(draw(2)));
    kernel->branch(start, draw(4));
  }
  if (draw(2) == 0) {
    const std::uint32_t at = kernel->size();
    kernel->branch_of_warp(0, at + 4);  // past the barrier, to its end
    kernel->fma({1}, {2});
    kernel->barrier();
    kernel->fma({2}, {1});
  }
  kernel->exit();
  return kernel;
}

}  // namespace heddle::testing
