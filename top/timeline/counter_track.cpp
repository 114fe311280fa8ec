#include "top/timeline/counter_track.h"

#include <algorithm>

namespace heddle {

void CounterTrack::add(Cycle from, Cycle to, std::uint64_t level) {
  from = std::max<Cycle>(from, window_.from);
  to = std::min<Cycle>(to, window_.to);
  if (level == 0) return;
  while (from < to) {
    const std::size_t index = (from - window_.from) >> shift_;
    const Cycle end = std::min<Cycle>(to, window_.from + ((index + 1) << shift_));
    at(index) += level * (end - from);
    from = end;
  }
}

void CounterTrack::widen() {
  ++shift_;
  const std::size_t pairs = (sums_.size() + 1) / 2;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::size_t second = 2 * i + 1;
    sums_[i] = sums_[2 * i] + (second < sums_.size() ? sums_[second] : 0);
  }
  sums_.resize(pairs);
}

}  // namespace heddle
