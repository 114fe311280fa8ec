#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// What a warp slot does in a cycle, as its scheduler finds it. A resident warp has exactly one state in
/// every cycle; the states of all warps add up to the resident warp cycles. kEnded is of a slot whose warp
/// has retired and which its thread block keeps.
enum class WarpState : std::uint8_t {
  kSelected,      ///< the scheduler issued its instruction
  kNotSelected,   ///< it could issue, and another one did
  kHeldByPolicy,  ///< it could issue, and qualifier or prioritizer do not let it, or have not chosen yet
  kScoreboardMemory,
  kScoreboardShared,
  kScoreboardSfu,
  kScoreboardAlu,
  kPipelineSp,  ///< the operand collector has no free input register for the SP units
  kPipelineSfu,
  kPipelineGlobal,    ///< of the LD/ST unit: for a global, local or generic access, or a fence
  kPipelineShared,    ///< likewise: for an access to shared memory
  kPipelineConstant,  ///< likewise: for a read of constants or parameters
  kPipelineTexture,   ///< likewise: for a texture fetch
  kFetch,
  kFlush,
  kBarrier,
  kMembar,
  kDrain,
  kEnded,
};
constexpr unsigned kNumWarpStates = 19;
/// Of these, those of a resident warp: all but the last.
constexpr unsigned kNumResidentStates = kNumWarpStates - 1;

struct WarpStateInfo {
  const char* name;    ///< as in files
  const char* label;   ///< for readers
  const char* nsight;  ///< the nearest state of Nsight Compute; "" when there is none
  const char* description;
};
const WarpStateInfo& info(WarpState state);
/// Names in the order of the values.
std::vector<std::string> warp_state_names();

/// By WarpState.
using StateCycles = std::array<std::uint64_t, kNumWarpStates>;
/// Cycles of resident warps.
std::uint64_t resident_cycles(const StateCycles& cycles);

constexpr bool is_eligible(WarpState state) { return state <= WarpState::kHeldByPolicy; }

}  // namespace heddle
