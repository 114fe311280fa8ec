#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "hw/order/odd_even_sort.h"
#include "hw/pricing/part.h"

namespace heddle::hw {

/// What a GroupSorter sorts by, as the owner's registers are at each comparison.
class SortRule {
 public:
  virtual ~SortRule() = default;
  /// True when `second`, which follows `first`, has to go before it. A rule that says false for both orders
  /// of a pair leaves the two as they are.
  virtual bool swap_needed(unsigned group, unsigned first, unsigned second) const = 0;
  /// The order that was asked for is in force from `cycle` on, or no member is left of it. `again`: another
  /// one was asked for meanwhile and is being worked on.
  virtual void sorted(unsigned /*group*/, Cycle /*cycle*/, bool /*again*/) {}
};

struct GroupSorterShape {
  unsigned entries = 48;   ///< 1 to 64
  unsigned groups = 8;     ///< 1 to 64
  unsigned key_bits = 32;  ///< that the comparator sees of each of the two; 1 to 64
  unsigned tie_bits =
      0;  ///< and of what equal keys go by, to 64; 0: by the lower index, which the entry knows
  unsigned class_bits =
      0;  ///< first bits of a key, by whose equality a rule may leave a pair as it is; to key_bits
  unsigned key_banks = 1;           ///< registers whose sum `banked_bits` of a key are, 1 to 16
  unsigned banked_bits = 0;         ///< to key_bits
  unsigned comparators = 1;         ///< per group: comparisons at once; 1 to entries / 2
  unsigned cycles_per_compare = 0;  ///< in hardware timing; 0: from the depth and the clock
  unsigned removals = 1;  ///< members that leave alone in a cycle, to 16; whole groups leave beside them
};

/// Sorts indices that groups divide among themselves, each group in place and with comparators of its own, by
/// odd-even transposition as InPlaceSorter does (PRO III.E: one comparator per TB sorts its warps). Every
/// entry keeps its rank in its group: that of the order in force, and that of the order which is worked on.
/// Which of two members goes first is a rule over live registers, which may leave pairs as they are.
///
/// In ideal timing a sort is done when it is asked for. In hardware timing it begins in the next cycle, and
/// the last completed order of a group stays in force until all comparisons are over. A step reads what it
/// compares once, read_cycles() after its beginning, into registers when it takes more than a cycle; ranks
/// change at its end. Nothing runs in between: the owner calls advance().
class GroupSorter final : public Part {
 public:
  static constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

  struct Use {
    std::uint64_t sorts = 0;           ///< completed; not those of which all members have left
    std::uint64_t waited = 0;          ///< asked for while the comparator worked on an earlier one
    std::uint64_t swaps = 0;           ///< pairs exchanged
    std::uint64_t busy_cycles = 0;     ///< from start to order in force, summed over completed sorts
    std::uint64_t longest_cycles = 0;  ///< of one sort
  };

  /// `rule` is kept. Throws std::invalid_argument for sizes outside the ranges of the shape.
  GroupSorter(const Owner& owner, std::string_view name, const GroupSorterShape& shape, SortRule& rule,
              PaperCount paper = PaperCount::kNot);

  /// Members of a group: appended at the end of its order, one a cycle of all groups, removed anywhere, or
  /// all of them at once. A sort under way starts anew in the next cycle. An index is in one group at most,
  /// and not appended twice. What comes in a cycle is to be told behind what leaves and what is asked for in
  /// it.
  void append(Cycle cycle, unsigned group, unsigned index);
  void remove(Cycle cycle, unsigned group, unsigned index);
  void clear(Cycle cycle, unsigned group);

  /// Has the group sorted: from the next cycle on, or again as soon as the sort under way is done. One that
  /// begins in the next cycle anyway sees all that changes in this one.
  void request(Cycle cycle, unsigned group);
  /// As request(), but gives up a sort under way, whose rule holds no more. The working order is kept.
  void restart(Cycle cycle, unsigned group);

  /// Makes up the comparisons whose cycles are over at `cycle`. Call it before a register that the rule reads
  /// changes. Any number of calls, at any cycles, give the same.
  void advance(Cycle cycle) {
    if (earliest_ <= cycle) make_up(cycle);
  }
  /// The earliest cycle at which that is something; kNever when nothing is sorted.
  Cycle next_event() const { return earliest_; }
  bool busy() const { return busy_ != 0; }
  bool busy(unsigned group) const { return (busy_ >> group & 1U) != 0; }
  /// Hardware timing: some group is sorted in `cycle`, a past one included, or may be. In other cycles
  /// nothing changes but by what is told.
  bool restless(Cycle cycle) const { return busy() || cycle < last_done_; }
  /// The earliest cycle at which an order can come into force; ask again then. kNever when nothing is sorted.
  Cycle next_done() const;

  /// The order in force as of the last advance(): size(group) indices, first to last.
  const std::uint8_t* order(unsigned group) const { return groups_[group].in_force.data(); }
  unsigned size(unsigned group) const { return groups_[group].sort.size; }
  /// By entry, of members: its place in the order of its group that is in force.
  const std::uint64_t* ranks() const { return ranks_.data(); }
  const Use& use() const { return use_; }
  /// Of a step's cycles those until what it compares has been read; 0 in ideal timing.
  unsigned read_cycles() const { return hardware() ? read_cycles_ : 0; }

  Structure structure() const override;
  /// Busy groups, those that are sorted again, members of any group, the rank of every member, which is its
  /// place in the order of its group, and per group the cycle at which its comparison under way ends (0 when
  /// it is not busy). Of a single group also who stands in each place. Orders are those in force, as of the
  /// last advance().
  void trace(WaveSink& sink) const override;
  /// Of a single group: who stands in each place.
  void trace_order(WaveSink& sink) const;

 private:
  struct Group {
    OddEvenSort sort;
    OddEvenSort next;  ///< `sort` after the step under way, when its operands have been read
    OddEvenSort::Order in_force{};
    Cycle started = 0;
    Cycle asked = kNever;  ///< in hardware timing, for fewer members than two
    Cycle first_step = 0;  ///< when the sort under way began to compare
    Cycle step_ends = kNever;
    bool read = false;
    bool again = false;
  };

  void begin(Cycle cycle, Cycle first_step, unsigned group);
  void begin(Cycle cycle, unsigned group) { begin(cycle, hardware() ? cycle + 1 : cycle, group); }
  void make_up(Cycle cycle);
  Cycle next_event(const Group& own) const;
  void do_next(unsigned group);
  void compare(OddEvenSort& sort, unsigned group);
  void sort_the_rest(Cycle cycle, unsigned group);
  void end(Cycle cycle, unsigned group);
  void finish(Cycle cycle, unsigned group);
  void rank_from(const Group& own, unsigned place);
  void look_ahead();
  void show() const;
  void trace_places(WaveSink& sink) const;
  unsigned compared_bits() const;
  unsigned read_bits() const;
  void set_step(const Owner& owner);
  TimingPath read_path() const;
  TimingPath swap_path() const;

  GroupSorterShape shape_;
  SortRule& rule_;
  std::vector<Group> groups_;
  std::array<std::uint64_t, 64> ranks_{};
  Ports append_port_;
  std::uint64_t busy_ = 0;
  Cycle earliest_ = kNever;   ///< of what steps under way do next
  Cycle last_done_ = 0;       ///< from when on the latest order has been in force
  unsigned step_cycles_ = 1;  ///< in hardware timing
  unsigned read_cycles_ = 1;
  Use use_;
  struct Wave {
    std::uint64_t again = 0;
    std::uint64_t members = 0;
    std::array<std::uint64_t, 64> rank{};
    std::array<std::uint64_t, 64> step_ends{};
    std::array<std::uint64_t, 64> place{};
    std::uint64_t version = 0;  ///< counts the changes
  };
  mutable std::unique_ptr<Wave> wave_;  ///< only when it is traced
};

}  // namespace heddle::hw
