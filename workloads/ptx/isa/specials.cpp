#include "workloads/ptx/isa/specials.h"

#include <utility>

namespace heddle::ptx {

namespace {

constexpr std::pair<std::string_view, Special> kNames[] = {
    {"tid.x", Special::kTidX},
    {"tid.y", Special::kTidY},
    {"tid.z", Special::kTidZ},
    {"ntid.x", Special::kNtidX},
    {"ntid.y", Special::kNtidY},
    {"ntid.z", Special::kNtidZ},
    {"ctaid.x", Special::kCtaidX},
    {"ctaid.y", Special::kCtaidY},
    {"ctaid.z", Special::kCtaidZ},
    {"nctaid.x", Special::kNctaidX},
    {"nctaid.y", Special::kNctaidY},
    {"nctaid.z", Special::kNctaidZ},
    {"laneid", Special::kLaneid},
    {"warpid", Special::kWarpid},
    {"nwarpid", Special::kNwarpid},
    {"smid", Special::kSmid},
    {"nsmid", Special::kNsmid},
    {"gridid", Special::kGridid},
    {"clock", Special::kClock},
    {"clock_hi", Special::kClockHi},
    {"clock64", Special::kClock64},
    {"globaltimer", Special::kGlobaltimer},
    {"lanemask_eq", Special::kLanemaskEq},
    {"lanemask_le", Special::kLanemaskLe},
    {"lanemask_lt", Special::kLanemaskLt},
    {"lanemask_ge", Special::kLanemaskGe},
    {"lanemask_gt", Special::kLanemaskGt},
    {"dynamic_smem_size", Special::kDynamicSmemSize},
    {"total_smem_size", Special::kTotalSmemSize},
};

}  // namespace

std::optional<Special> special_named(std::string_view name) {
  for (const auto& [known, special] : kNames) {
    if (known == name) {
      return special;
    }
  }
  return std::nullopt;
}

}  // namespace heddle::ptx
