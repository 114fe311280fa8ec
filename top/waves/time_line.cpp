#include "top/waves/time_line.h"

#include <string>

namespace heddle {

const TimeLine::Ending* TimeLine::endings() {
  static constexpr auto kTable = [] {
    std::array<Ending, kUnitsPerCycle> endings{};
    for (unsigned value = 0; value < endings.size(); ++value) {
      endings[value] = {static_cast<char>('0' + value / 100), static_cast<char>('0' + value / 10 % 10),
                        static_cast<char>('0' + value % 10), '\n'};
    }
    return endings;
  }();
  return kTable.data();
}

/// By counting, if it is the next cycle.
bool TimeLine::go_to(std::uint64_t cycle) {
  if (cycle_ == kNone || cycle != cycle_ + 1 || !text_.count(end_)) return false;
  cycle_ = cycle;
  return true;
}

void TimeLine::format(std::uint64_t units) {
  text_ = ShortText("#" + std::to_string(units) + "\n");
  const std::uint64_t cycle = units / kUnitsPerCycle;
  cycle_ = cycle == 0 ? kNone : cycle;
  end_ = cycle == 0 ? 0 : text_.size - sizeof(Ending);
}

CycleLines::CycleLines(std::uint64_t cycle, const ShortText& rise, const ShortText& fall)
    : cycle_(cycle), rise_(rise.str()), fall_(fall.str()) {
  set();
}

void CycleLines::set() {
  const std::string time = "#" + std::to_string(cycle_);
  const std::string first = time + "000\n" + rise_;
  const std::string both = first + time + "500\n" + fall_;
  end_ = time.size();
  middle_ = first.size();
  size_ = both.size();
  std::copy_n(both.data(), std::min(size_, kMost), chars_.data());
}

}  // namespace heddle
