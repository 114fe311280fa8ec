#include "modules/sm/scoreboard.h"

#include <algorithm>

namespace heddle {

namespace {
constexpr unsigned word_of(std::uint16_t reg) { return reg / 64U; }
constexpr std::uint64_t bit_of(std::uint16_t reg) { return std::uint64_t{1} << (reg % 64U); }
}  // namespace

Scoreboard::Check Scoreboard::check(unsigned warp, const Instruction& instruction) const {
  const Pending& pending = warps_[warp];
  Check result;
  const auto meet = [&](std::uint16_t reg) {
    const unsigned word = word_of(reg);
    const std::uint64_t bit = bit_of(reg);
    if ((pending.any[word] & bit) == 0) return;
    result.blocked = true;
    for (unsigned p = kNumProducers - 1; p > 0; --p) {
      if ((pending.by[p][word] & bit) == 0) continue;
      result.waits_for = std::max(result.waits_for, static_cast<Producer>(p));
      return;
    }
  };
  for (unsigned i = 0; i < instruction.num_sources; ++i) meet(instruction.sources[i]);
  for (unsigned i = 0; i < instruction.num_destinations; ++i) meet(instruction.destinations[i]);
  return result;
}

void Scoreboard::reserve(unsigned warp, const Instruction& instruction, Producer producer) {
  Pending& pending = warps_[warp];
  auto& by = pending.by[static_cast<unsigned>(producer)];
  for (unsigned i = 0; i < instruction.num_destinations; ++i) {
    const std::uint16_t reg = instruction.destinations[i];
    pending.any[word_of(reg)] |= bit_of(reg);
    by[word_of(reg)] |= bit_of(reg);
  }
}

void Scoreboard::release(unsigned warp, const Instruction& instruction) {
  Pending& pending = warps_[warp];
  for (unsigned i = 0; i < instruction.num_destinations; ++i) {
    const std::uint16_t reg = instruction.destinations[i];
    pending.any[word_of(reg)] &= ~bit_of(reg);
    for (auto& by : pending.by) by[word_of(reg)] &= ~bit_of(reg);
  }
}

bool Scoreboard::any_pending(unsigned warp) const {
  const auto& any = warps_[warp].any;
  return std::any_of(any.begin(), any.end(), [](std::uint64_t word) { return word != 0; });
}

}  // namespace heddle
