#include "modules/counts/warp_state.h"

#include <numeric>

namespace heddle {

namespace {

constexpr std::array<WarpStateInfo, kNumWarpStates> kStateInfo{{
    {"selected", "selected", "Selected", "its instruction issued"},
    {"not_selected", "not selected", "Not Selected", "it could issue, and another one did"},
    {"held_by_policy", "held back by policy", "",
     "it could issue, and qualifier or prioritizer do not let it, or have not chosen yet"},
    {"scoreboard_memory", "memory", "Long Scoreboard", "waits for a load, texture fetch or atomic"},
    {"scoreboard_shared", "shared memory", "Short Scoreboard", "waits for a shared-memory access"},
    {"scoreboard_sfu", "SFU result", "Short Scoreboard", "waits for an SFU result"},
    {"scoreboard_alu", "SP result", "Wait", "waits for an SP result"},
    {"pipeline_sp", "SP busy", "Math Pipe Throttle", "no free SP input register"},
    {"pipeline_sfu", "SFU busy", "MIO Throttle", "no free SFU input register"},
    {"pipeline_ldst_global", "LD/ST busy, global", "LG Throttle",
     "no free LD/ST input register for a global or local access"},
    {"pipeline_ldst_shared", "LD/ST busy, shared", "MIO Throttle",
     "no free LD/ST input register for a shared-memory access"},
    {"pipeline_ldst_constant", "LD/ST busy, constant", "MIO Throttle",
     "no free LD/ST input register for a read of constants or parameters"},
    {"pipeline_ldst_texture", "LD/ST busy, texture", "Tex Throttle",
     "no free LD/ST input register for a texture fetch"},
    {"fetch", "fetch", "No Instruction", "its I-buffer is empty"},
    {"flush", "taken branch", "Branch Resolving", "its I-buffer is fetched straight on after a taken branch"},
    {"barrier", "barrier", "Barrier", "waits at a barrier"},
    {"membar", "membar", "Membar", "waits at a membar"},
    {"drain", "drain", "Drain", "has exited and waits for its instructions and stores in flight"},
    {"ended", "ended", "", "has retired; its thread block keeps the slot until it ends"},
}};

}  // namespace

const WarpStateInfo& info(WarpState state) { return kStateInfo[static_cast<unsigned>(state)]; }

std::vector<std::string> warp_state_names() {
  std::vector<std::string> names;
  names.reserve(kStateInfo.size());
  for (const WarpStateInfo& entry : kStateInfo) names.emplace_back(entry.name);
  return names;
}

std::uint64_t resident_cycles(const StateCycles& cycles) {
  return std::accumulate(cycles.begin(), cycles.begin() + kNumResidentStates, std::uint64_t{0});
}

}  // namespace heddle
