#include "workloads/ptx/execution/execute_launch.h"

#include <algorithm>
#include <cstring>

#include "workloads/ptx/execution/thread_block.h"
#include "workloads/ptx/lanes/address_windows.h"

namespace heddle::ptx {
namespace {

/// From the parameter block of a stream to the next stream's: 4 KB at most, and in other cache sets.
constexpr std::uint64_t kParamStride = 4096 + 256;

LaunchShape shape_of(const LoadedModule::LaunchSpec& spec, unsigned shared_bytes) {
  const auto threads = static_cast<unsigned>(spec.block.count());
  return {spec.grid, spec.block, (threads + kWarpSize - 1) / kWarpSize, spec.dynamic_shared_bytes,
          shared_bytes};
}

}  // namespace

PtxLaunch::PtxLaunch(const Code& code, const LoadedModule::LaunchSpec& spec, DeviceMemory& memory,
                     const LaneBuild& build, std::uint64_t code_base)
    : code_(code),
      spec_(spec),
      memory_(memory),
      code_base_(code_base),
      shared_bytes_(code.program.static_shared_bytes + spec.dynamic_shared_bytes),
      bound_(code.operations, shape_of(spec, shared_bytes_), build) {
  fill_warp_rows();
}

PtxLaunch::~PtxLaunch() = default;

unsigned PtxLaunch::registers_per_thread() const {
  return spec_.registers_per_thread != 0 ? spec_.registers_per_thread : code_.program.registers_per_thread;
}

std::uint64_t PtxLaunch::param_base() const { return kParamBase + spec_.stream * kParamStride; }
std::uint64_t PtxLaunch::local_base() const { return kLocalBase; }

const Texture* PtxLaunch::texture(std::uint64_t handle) const {
  const std::uint64_t index = handle - kTextureHandles;
  return index < spec_.textures.size() ? &spec_.textures[index] : nullptr;
}

LaneMask PtxLaunch::lanes_of(unsigned warp) const {
  const unsigned left = threads_per_tb() - warp * kWarpSize;
  return left >= kWarpSize ? kAllLanes : (1U << left) - 1;
}

void PtxLaunch::fill_warp_rows() {
  const Dim3 dim = spec_.block;
  warp_rows_.resize(std::size_t{warps_per_tb()} * kWarpRowBytes);
  for (unsigned thread = 0; thread < warps_per_tb() * kWarpSize; ++thread) {
    const std::uint32_t values[4] = {thread % dim.x, thread / dim.x % dim.y, thread / dim.x / dim.y,
                                     thread / kWarpSize};
    std::uint8_t* const lane =
        warp_rows(thread / kWarpSize) + std::size_t{thread % kWarpSize} * sizeof(std::uint32_t);
    for (unsigned i = 0; i < 4; ++i)
      std::memcpy(lane + std::size_t{i} * kRowBytes, &values[i], sizeof(std::uint32_t));
  }
}

std::unique_ptr<ThreadBlock> PtxLaunch::start(std::uint64_t tb) { return free_state().start(tb); }

BlockState& PtxLaunch::free_state() {
  const std::lock_guard<std::mutex> lock(free_mutex_);
  if (free_.empty()) {
    states_.push_back(std::make_unique<BlockState>(*this));
    return *states_.back();
  }
  BlockState* const state = free_.back();
  free_.pop_back();
  return *state;
}

}  // namespace heddle::ptx
