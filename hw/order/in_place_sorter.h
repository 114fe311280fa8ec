#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>

#include "hw/order/odd_even_sort.h"
#include "hw/pricing/part.h"

namespace heddle::hw {

enum class SortKeys : std::uint8_t {
  kLive,     ///< compares the owner's registers as they are at each comparison: no copy; they may change
             ///< meanwhile
  kLatched,  ///< copies all keys at the start: entries x key_bits more flip-flops
};

enum class SortDirection : std::uint8_t { kAscending, kDescending };

struct InPlaceSorterShape {
  unsigned entries = 48;            ///< 1 to 64
  unsigned key_bits = 32;           ///< 1 to 64
  unsigned comparators = 1;         ///< 1 to entries / 2: comparisons at once, each reads two keys
  unsigned cycles_per_compare = 0;  ///< in hardware timing; 0: from the depth and the clock
  SortKeys keys = SortKeys::kLive;
  bool buffered =
      true;  ///< the last completed order stays in force during a sort; false: the working order shows
  bool dynamic = true;    ///< members come and go; false: all entries are members, in index order
  unsigned removals = 1;  ///< members that leave in a cycle, 1 to 16; one comes
};

/// Keeps an array of indices sorted by keys that the owner holds, equal keys by lower index: a sequential
/// sort in place (PRO III.D and III.E). Adjacent pairs are compared and swapped, even and odd pairs in turn
/// (odd-even transposition), so that any number of comparators can share the work; two turns without a swap
/// end it. n members take n - 1 comparisons when they are in order already and n (n - 1) / 2 at most.
///
/// In ideal timing a sort is done when it starts. In hardware timing each step makes up to `comparators`
/// comparisons and takes cycles_per_compare; the order changes at the cycle at which the last step ends.
/// Nothing runs in between: steps are made up when the owner calls advance().
class InPlaceSorter final : public Part {
 public:
  static constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

  /// Throws std::invalid_argument for sizes outside the ranges of the shape.
  InPlaceSorter(const Owner& owner, std::string_view name, const InPlaceSorterShape& shape,
                PaperCount paper = PaperCount::kNot);

  /// Members: appended at the end of the order, one a cycle, removed anywhere, as many a cycle as the shape
  /// says. A sort under way starts anew with them.
  /// Throws std::logic_error without InPlaceSorterShape::dynamic, or for an index beyond the entries.
  void append(Cycle cycle, unsigned index);
  void remove(Cycle cycle, unsigned index);
  void clear(Cycle cycle);
  std::uint64_t members() const { return members_; }

  /// Begins to sort by keys[index] (cut to key_bits); a sort under way is given up, its working order kept.
  /// Live keys must stay where they are until the sort is done, and the owner must call advance(cycle) before
  /// it changes one of them.
  void start(Cycle cycle, const std::uint64_t* keys, SortDirection direction);
  /// Makes up the comparisons whose cycles are over at `cycle`. Any number of calls, at any cycles, give the
  /// same.
  void advance(Cycle cycle) {
    while (next_step_ <= cycle) step();
  }

  bool busy() const { return next_step_ != kNever; }
  /// The cycle from which the new order is in force: exact when keys are latched, otherwise the earliest
  /// possible one (call advance() then, and ask again if still busy()). kNever when not busy.
  Cycle done_at_cycle() const;
  /// Cycles of one comparison: 0 in ideal timing.
  unsigned cycles_per_compare() const { return cycles(); }

  /// The order in force as of the last advance(), first to last: size() indices.
  const std::uint8_t* order() const { return shape_.buffered ? in_force_.data() : sort_.order.data(); }
  unsigned size() const { return sort_.size; }

  Structure structure() const override;
  /// Members, busy, direction, the cycle at which the comparison under way ends (0 when not busy), and who
  /// stands in each place of the order in force; as of the last advance().
  void trace(WaveSink& sink) const override;

 private:
  bool swap_needed(unsigned first, unsigned second) const;
  void begin(Cycle cycle);
  void step();
  void finish();
  void show() const;
  void expect_dynamic(unsigned index) const;
  TimingPath compare_swap() const;

  InPlaceSorterShape shape_;
  Ports append_port_;
  Ports removal_ports_;
  OddEvenSort sort_;
  OddEvenSort::Order in_force_{};
  std::uint64_t members_ = 0;

  const std::uint64_t* keys_ = nullptr;
  std::array<std::uint64_t, 64> latched_{};
  std::uint64_t key_mask_;
  SortDirection direction_ = SortDirection::kAscending;
  Cycle next_step_ = kNever;  ///< when the step under way ends
  Cycle done_at_ = kNever;    ///< latched keys in hardware timing: known from the start
  struct Wave {
    std::uint64_t busy = 0;
    std::uint64_t descending = 0;
    std::uint64_t step_ends = 0;
    std::array<std::uint64_t, 64> place{};
    std::uint64_t version = 0;  ///< counts the changes
  };
  mutable std::unique_ptr<Wave> wave_;  ///< only when it is traced
};

}  // namespace heddle::hw
