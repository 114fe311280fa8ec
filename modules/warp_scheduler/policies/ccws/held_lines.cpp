#include "modules/warp_scheduler/policies/ccws/held_lines.h"

namespace heddle {

void HeldLines::put(unsigned warp, unsigned tag, std::uint64_t line) {
  drop(warp, tag);
  const std::uint16_t of_line = hash(line);
  hash_of_[warp * tags_ + tag] = of_line;
  warps_[of_line] |= warp_bit(warp);
}

void HeldLines::drop(unsigned warp, unsigned tag) {
  const std::uint16_t before = hash_of_[warp * tags_ + tag];
  if (before == kNone) return;
  hash_of_[warp * tags_ + tag] = kNone;
  if (!has(warp, before)) warps_[before] &= ~warp_bit(warp);
}

void HeldLines::clear(unsigned warp) {
  for (unsigned tag = 0; tag < tags_; ++tag) drop(warp, tag);
}

/// Some tag of the warp. All are compared, which takes fewer instructions than to stop at the first.
bool HeldLines::has(unsigned warp, std::uint16_t hash) const {
  const std::uint16_t* const own = &hash_of_[warp * tags_];
  std::uint16_t found = 0;
  for (std::size_t tag = 0; tag < tags_; ++tag) found |= static_cast<std::uint16_t>(own[tag] == hash);
  return found != 0;
}

}  // namespace heddle
