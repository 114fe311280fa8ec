#pragma once

#include <algorithm>
#include <vector>

#include "hw/pricing/bits.h"
#include "hw/pricing/part.h"

namespace heddle::hw {

struct DecayingCountersShape {
  unsigned entries = 48;     ///< 1 to 1024
  unsigned bits = 16;        ///< 1 to 63
  std::uint64_t floor = 0;   ///< where the counters start, and stop
  bool clamps = true;        ///< looks whether what is written is below the floor; otherwise the owner does
  bool tells_above = false;  ///< a flip-flop says whether some entry was above the floor a cycle ago
};

/// Counters that all count down by one in every cycle until they reach a floor, each with a decrementer and a
/// comparison of its own. One write per cycle. Nothing is simulated per cycle: an entry keeps the cycle at
/// which it reaches the floor, from which its value at any cycle follows exactly.
class DecayingCounters final : public Part {
 public:
  /// Throws std::invalid_argument for sizes outside the ranges of the shape, or a floor that does not fit.
  DecayingCounters(const Owner& owner, std::string_view name, const DecayingCountersShape& shape,
                   PaperCount paper = PaperCount::kNot);

  /// The value in `cycle`, not before the entry's last write: the written value in the cycle of the write,
  /// one less in the next.
  std::uint64_t value(Cycle cycle, unsigned index) const {
    const Cycle end = floor_at_[index];
    return shape_.floor + (end > cycle ? end - cycle : 0);
  }
  /// The first cycle in which the entry is at the floor.
  Cycle floor_at(unsigned index) const { return floor_at_[index]; }
  /// Some entry is above the floor in `cycle`, which is not before any entry's last write.
  bool any_above(Cycle cycle) const {
    if (latest_ <= cycle) return false;
    return std::any_of(floor_at_.begin(), floor_at_.end(), [cycle](Cycle end) { return end > cycle; });
  }
  /// Sets an entry to the floor, by a line of its own: any number per cycle.
  void reset(unsigned index) {
    ++activity_.writes;
    floor_at_[index] = 0;
  }
  /// Sets an entry; what does not fit saturates, what is below the floor is the floor. Returns the value set.
  std::uint64_t write(Cycle cycle, unsigned index, std::uint64_t value);

  Structure structure() const override;
  /// Every entry, as of the last show().
  void trace(WaveSink& sink) const override;
  void show(Cycle cycle);

 private:
  DecayingCountersShape shape_;
  std::vector<Cycle> floor_at_;
  Cycle latest_ = 0;  ///< no entry is above the floor from here on
  Ports write_port_;
  std::vector<std::uint64_t> shown_;  ///< for waves
};

}  // namespace heddle::hw
