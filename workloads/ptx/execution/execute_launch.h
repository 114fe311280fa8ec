#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "workloads/launch/device_memory.h"
#include "workloads/launch/kernel_launch.h"
#include "workloads/ptx/execution/execute.h"
#include "workloads/ptx/execution/execute_bind.h"
#include "workloads/ptx/execution/warp_storage.h"

namespace heddle::ptx {

class BlockState;

/// A kernel with its launch parameters: what all its thread blocks share. Thread blocks must be destroyed
/// before it; their storage is kept here and used again.
class PtxLaunch final : public KernelLaunch {
 public:
  /// `code_base`: where timing sees the kernel's first instruction.
  PtxLaunch(const Code& code, const LoadedModule::LaunchSpec& spec, DeviceMemory& memory,
            const LaneBuild& build, std::uint64_t code_base);
  ~PtxLaunch() override;
  PtxLaunch(const PtxLaunch&) = delete;
  PtxLaunch& operator=(const PtxLaunch&) = delete;

  const Program& program() const override { return code_.program; }
  Dim3 grid() const override { return spec_.grid; }
  Dim3 block() const override { return spec_.block; }
  unsigned registers_per_thread() const override;
  unsigned shared_bytes() const override { return shared_bytes_; }
  std::uint64_t code_base() const override { return code_base_; }
  std::uint64_t param_base() const override;
  std::uint64_t local_base() const override;
  std::unique_ptr<ThreadBlock> start(std::uint64_t tb) override;

  const Code& code() const { return code_; }
  DeviceMemory& memory() { return memory_; }
  BoundCode& bound() { return bound_; }
  std::vector<std::uint8_t>& params() { return spec_.params; }
  /// nullptr when `handle` is of no texture; one that is unbound has Texture::address 0.
  const Texture* texture(std::uint64_t handle) const;
  /// The lanes of warp `warp` that have a thread.
  LaneMask lanes_of(unsigned warp) const;
  /// Rows of thread ids of warp `warp`; see RowBase::kWarpRows.
  std::uint8_t* warp_rows(unsigned warp) { return warp_rows_.data() + std::size_t{warp} * kWarpRowBytes; }

  /// Takes back the storage of a thread block that has ended. On any thread.
  void recycle(BlockState& state) {
    const std::lock_guard<std::mutex> lock(free_mutex_);
    free_.push_back(&state);
  }

 private:
  void fill_warp_rows();
  BlockState& free_state();

  const Code& code_;
  LoadedModule::LaunchSpec spec_;
  DeviceMemory& memory_;
  std::uint64_t code_base_;
  unsigned shared_bytes_;
  BoundCode bound_;
  AlignedBytes warp_rows_;
  std::vector<std::unique_ptr<BlockState>> states_;
  std::mutex free_mutex_;
  std::vector<BlockState*> free_;  ///< with free_mutex_
};

}  // namespace heddle::ptx
