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
    const Word& word = pending[word_of(reg)];
    const std::uint64_t bit = bit_of(reg);
    if ((word.any & bit) == 0) return;
    result.blocked = true;
    for (unsigned p = kNumProducers - 1; p > 0; --p) {
      if ((word.by[p - 1] & bit) == 0) continue;
      result.waits_for = std::max(result.waits_for, static_cast<Producer>(p));
      return;
    }
  };
  for (unsigned i = 0; i < instruction.num_sources; ++i) meet(instruction.sources[i]);
  for (unsigned i = 0; i < instruction.num_destinations; ++i) meet(instruction.destinations[i]);
  return result;
}

void Scoreboard::reserve(unsigned warp, const Instruction& instruction, Producer producer) {
  for (unsigned i = 0; i < instruction.num_destinations; ++i) {
    const std::uint16_t reg = instruction.destinations[i];
    Word& word = warps_[warp][word_of(reg)];
    word.any |= bit_of(reg);
    if (producer != Producer::kAlu) word.by[static_cast<unsigned>(producer) - 1] |= bit_of(reg);
  }
}

void Scoreboard::release(unsigned warp, const Instruction& instruction) {
  for (unsigned i = 0; i < instruction.num_destinations; ++i) {
    const std::uint16_t reg = instruction.destinations[i];
    Word& word = warps_[warp][word_of(reg)];
    word.any &= ~bit_of(reg);
    for (std::uint64_t& by : word.by) by &= ~bit_of(reg);
  }
}

bool Scoreboard::any_pending(unsigned warp) const {
  const Pending& pending = warps_[warp];
  return std::any_of(pending.begin(), pending.end(), [](const Word& word) { return word.any != 0; });
}

}  // namespace heddle
