#include "top/waves/time_line.h"

#include <string>

namespace heddle {

const std::array<TimeLine::Digits, TimeLine::kThousand> TimeLine::kDigits = [] {
  std::array<Digits, kThousand> digits{};
  for (unsigned value = 0; value < kThousand; ++value) {
    digits[value] = {static_cast<char>('0' + value / 100), static_cast<char>('0' + value / 10 % 10),
                     static_cast<char>('0' + value % 10), '\n'};
  }
  return digits;
}();

char* TimeLine::put_other(char* at, std::uint64_t units) {
  high_ = units < kMillion ? kNone : units / kMillion;
  const std::string line = "#" + std::to_string(units) + "\n";
  if (high_ != kNone) begin_ = ShortText<16>(line.substr(0, line.size() - 7));
  return at + line.copy(at, line.size());
}

}  // namespace heddle
