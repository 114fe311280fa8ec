#include "modules/ldst_unit/shared_banks.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/power_of_two.h"
#include "modules/config/setting_error.h"

namespace heddle {

SharedBanks::SharedBanks(const LdstConfig& config)
    : banks_(config.shared_banks), atomic_turns_(config.shared_atomic_turns) {
  if (!power_of_two(banks_) || banks_ > kMaxBanks) {
    throw SettingError("ldst.shared_banks",
                       "expected a power of two up to 64, found " + std::to_string(banks_));
  }
  if (!power_of_two(config.shared_bank_bytes)) {
    throw SettingError("ldst.shared_bank_bytes",
                       "expected a power of two, found " + std::to_string(config.shared_bank_bytes));
  }
  word_shift_ = static_cast<unsigned>(__builtin_ctz(config.shared_bank_bytes));
}

bool SharedBanks::one_word_per_bank(const LaneAddresses& offsets, LaneMask lanes, unsigned bytes) const {
  // Words within a window of one word per bank never meet in a bank.
  std::uint64_t low = ~std::uint64_t{0};
  std::uint64_t high = 0;
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const std::uint64_t offset = offsets.lane[static_cast<unsigned>(__builtin_ctz(left))];
    low = std::min(low, offset >> word_shift_);
    high = std::max(high, (offset + bytes - 1) >> word_shift_);
  }
  return high - low < banks_;
}

unsigned SharedBanks::cycles(const LaneAddresses& offsets, LaneMask lanes,
                             const Instruction& instruction) const {
  if (lanes == 0) return 1;
  const bool turns =
      atomic_turns_ && (instruction.mem == MemOp::kAtomic || instruction.mem == MemOp::kReduction);
  const unsigned bytes = instruction.bytes_per_lane;
  if (!turns && one_word_per_bank(offsets, lanes, bytes)) return 1;

  struct Word {
    std::uint64_t number;
    std::uint16_t next;  ///< the bank's next word, plus 1
  };
  constexpr unsigned kMaxWords = kWarpSize * 17;  // of one byte each, one more when misaligned
  std::array<Word, kMaxWords> words;
  std::array<std::uint16_t, kMaxBanks> head{};
  std::array<std::uint16_t, kMaxBanks> depth{};
  std::uint16_t used = 0;
  unsigned deepest = 1;
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const std::uint64_t offset = offsets.lane[static_cast<unsigned>(__builtin_ctz(left))];
    const std::uint64_t last = (offset + bytes - 1) >> word_shift_;
    for (std::uint64_t number = offset >> word_shift_; number <= last; ++number) {
      const unsigned bank = static_cast<unsigned>(number) & (banks_ - 1);
      std::uint16_t found = turns ? std::uint16_t{0} : head[bank];
      while (found != 0 && words[found - 1U].number != number) found = words[found - 1U].next;
      if (found != 0) continue;
      words[used] = {number, head[bank]};
      head[bank] = ++used;
      deepest = std::max<unsigned>(deepest, ++depth[bank]);
    }
  }
  return deepest;
}

}  // namespace heddle
