#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace heddle::hw {

/// The state of a sort by odd-even transposition: adjacent pairs are compared and swapped, those at even
/// positions in one phase, those at odd positions in the next. It ends after two phases without a swap, or
/// after as many phases as there are members. The pairs of a phase do not touch each other, so that any
/// number of comparators can work on them in one step. A copy can run ahead.
class OddEvenSort {
 public:
  using Order = std::array<std::uint8_t, 64>;

  struct Step {
    unsigned compares = 0;
    unsigned swaps = 0;
  };

  /// The working order: members in `order[0 .. size)`. To be changed only before begin().
  Order order{};
  unsigned size = 0;

  void begin() {
    phase_ = pair_ = clean_phases_ = 0;
    swapped_ = false;
    done_ = false;
    skip_finished_phases();
  }
  void stop() { done_ = true; }
  bool done() const { return done_; }

  /// Compares up to `comparators` pairs of the present phase; swap_needed(first, second) is asked about
  /// members.
  template <class SwapNeeded>
  Step step(unsigned comparators, SwapNeeded swap_needed) {
    Step result;
    for (; result.compares < comparators && pair_ < pairs_of(phase_); ++pair_) {
      const unsigned i = 2 * pair_ + phase_ % 2;
      ++result.compares;
      if (!swap_needed(order[i], order[i + 1])) continue;
      std::swap(order[i], order[i + 1]);
      ++result.swaps;
      swapped_ = true;
    }
    skip_finished_phases();
    return result;
  }

  /// Makes all phases, from the first on; the same as step() does. A pair is looked at again when the phase
  /// before has changed it.
  template <class SwapNeeded>
  Step make_all(SwapNeeded swap_needed) {
    constexpr std::uint64_t kEvenPlaces = 0x5555555555555555;
    Step result;
    std::uint64_t wrong = 0;  // bit i: those in places i and i + 1 are to be swapped
    const auto look = [&](unsigned i) {
      const std::uint64_t bit = std::uint64_t{1} << i;
      wrong = swap_needed(order[i], order[i + 1]) ? wrong | bit : wrong & ~bit;
    };
    for (unsigned i = 0; i + 1 < size; ++i) look(i);
    while (!done_) {
      result.compares += pairs_of(phase_);
      for (std::uint64_t left = wrong & kEvenPlaces << phase_ % 2; left != 0; left &= left - 1) {
        const auto i = static_cast<unsigned>(__builtin_ctzll(left));
        std::swap(order[i], order[i + 1]);
        ++result.swaps;
        swapped_ = true;
        wrong &= ~(std::uint64_t{1} << i);
        if (i != 0) look(i - 1);
        if (i + 2 < size) look(i + 1);
      }
      pair_ = pairs_of(phase_);
      skip_finished_phases();
    }
    return result;
  }

  /// Steps until done if nothing more has to be swapped; at least 1 unless done.
  unsigned fewest_steps_left(unsigned comparators) const {
    if (done_) return 0;
    unsigned steps = steps_of(pairs_of(phase_) - pair_, comparators);
    const unsigned clean_after = swapped_ ? 0 : clean_phases_ + 1;
    for (unsigned more = 1; clean_after + more <= 2 && phase_ + more < size; ++more) {
      steps += steps_of(pairs_of(phase_ + more), comparators);
    }
    return steps;
  }

 private:
  unsigned pairs_of(unsigned phase) const { return size == 0 ? 0 : (size - phase % 2) / 2; }
  static unsigned steps_of(unsigned pairs, unsigned comparators) {
    return (pairs + comparators - 1) / comparators;
  }
  void skip_finished_phases() {
    while (!done_ && pair_ >= pairs_of(phase_)) {
      clean_phases_ = swapped_ ? 0 : clean_phases_ + 1;
      swapped_ = false;
      pair_ = 0;
      ++phase_;
      done_ = clean_phases_ == 2 || phase_ >= size;
    }
  }

  unsigned phase_ = 0;
  unsigned pair_ = 0;          ///< next pair of the phase
  unsigned clean_phases_ = 0;  ///< finished phases without a swap since the last swap
  bool swapped_ = false;       ///< in the present phase
  bool done_ = true;
};

}  // namespace heddle::hw
