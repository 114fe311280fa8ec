#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "workloads/launch/device_memory.h"
#include "workloads/ptx/execution/execute.h"
#include "workloads/ptx/load.h"

namespace heddle::ptx::testing {

/// A kernel `k(.param .u64 p)` with the given body, run to its end without timing: warps take turns, and
/// barriers hold them back. `p` points to a buffer "data" of 32-bit words.
class KernelRun {
 public:
  static constexpr std::uint64_t kWords = 4096;

  explicit KernelRun(const std::string& body, const std::string& module_scope = "",
                     const CompileOptions& compile = {})
      : text_(
            ".version 6.0\n.target sm_70\n.address_size 64\n" + module_scope +
            "\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<32>;\n.reg .b64 %rd<16>;\n.reg .f32 %f<8>;\n"
            ".reg .f64 %fd<8>;\n.reg .b16 %rs<8>;\n.reg .pred %p<8>;\n" +
            body + "\n}\n"),
        data_(memory_.allocate("data", kWords * 4).address),
        module_(load_text(text_, "test.ptx", compile), memory_) {
    spec_.entry = "k";
    spec_.params.resize(8);
    std::memcpy(spec_.params.data(), &data_, sizeof(data_));
  }

  LoadedModule::LaunchSpec& spec() { return spec_; }
  DeviceMemory& memory() { return memory_; }
  const LoadedModule& module() const { return module_; }
  std::uint64_t data() const { return data_; }

  std::uint32_t word(std::uint64_t index) const {
    std::uint32_t value = 0;
    std::memcpy(&value, memory_.host(data_ + 4 * index), sizeof(value));
    return value;
  }
  void set_word(std::uint64_t index, std::uint32_t value) {
    std::memcpy(memory_.host(data_ + 4 * index), &value, sizeof(value));
  }

  /// Runs all thread blocks; the steps of the first memory instruction after a kernel's ld.param are kept.
  void run(Dim3 grid, Dim3 block) {
    spec_.grid = grid;
    spec_.block = block;
    const std::unique_ptr<KernelLaunch> launch = module_.launch(spec_);
    for (std::uint64_t tb = 0; tb < grid.count(); ++tb) run_block(*launch, tb);
  }

  struct Access {
    unsigned warp;
    std::uint32_t index;
    Step step;
    LaneAddresses addresses;
  };
  const std::vector<Access>& accesses() const { return accesses_; }
  std::uint64_t steps() const { return steps_; }

 private:
  struct WarpState {
    bool finished = false;
    int barrier = -1;
  };

  void run_block(KernelLaunch& launch, std::uint64_t tb) {
    const std::unique_ptr<ThreadBlock> block = launch.start(tb);
    std::vector<WarpState> warps(launch.warps_per_tb());
    for (bool progress = true; progress;) {
      progress = false;
      for (unsigned warp = 0; warp < warps.size(); ++warp) {
        if (warps[warp].finished || warps[warp].barrier >= 0) continue;
        step(*block, warp, warps[warp]);
        progress = true;
      }
      if (!progress) progress = release(*block, warps);
    }
  }

  void step(ThreadBlock& block, unsigned warp, WarpState& state) {
    ExecutionSite site;
    site.sm = 3;
    site.cycle = 1000 + steps_;
    Access access;
    access.warp = warp;
    access.index = block.next_index(warp);
    block.step(warp, site, access.step, access.addresses);
    ++steps_;
    if (access.step.space != Space::kNone) accesses_.push_back(access);
    state.finished = access.step.warp_finished;
    if (access.step.at_barrier) state.barrier = access.step.barrier;
  }

  static bool release(ThreadBlock& block, std::vector<WarpState>& warps) {
    bool released = false;
    for (unsigned barrier = 0; barrier < 16; ++barrier) {
      bool waits = false;
      for (WarpState& warp : warps) {
        if (warp.barrier != static_cast<int>(barrier)) continue;
        warp.barrier = -1;
        waits = true;
      }
      if (waits) block.barrier_released(barrier);
      released = released || waits;
    }
    return released;
  }

  DeviceMemory memory_{std::uint64_t{1} << 24U};
  std::string text_;
  std::uint64_t data_;
  LoadedModule module_;
  LoadedModule::LaunchSpec spec_;
  std::vector<Access> accesses_;
  std::uint64_t steps_ = 0;
};

/// %rd1 = p, %r1 = tid.x, %rd2 = &data[tid.x].
inline const std::string kThreadAddress =
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\n";

}  // namespace heddle::ptx::testing
