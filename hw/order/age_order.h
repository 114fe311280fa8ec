#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "hw/logic/priority_selector.h"
#include "hw/pricing/part.h"

namespace heddle::hw {

enum class AgeForm : std::uint8_t {
  kMatrix,  ///< a bit per pair: who is older; fast selection
  kList,    ///< a shift register of indices, oldest first; selection as in PrioritySelector::kOrdered
};

struct AgeOrderShape {
  unsigned entries = 48;  ///< 1 to 64
  AgeForm form = AgeForm::kMatrix;
  unsigned select_ports = 1;  ///< selections per cycle (one per warp scheduler that uses the order)
  unsigned rank_ports = 0;    ///< ranks per cycle: "how many are older" is a population count
  bool first_n = false;       ///< matrix: the n oldest of a mask at once; a count and a comparison per entry
  bool passes_over = false;   ///< matrix: who is older than the selected one, a gate per entry
  bool clear = false;         ///< a line that empties the order
  unsigned first = 0;         ///< entry i is called first + i x stride, below 64: how masks are wired
  unsigned stride = 1;        ///< at least 1
};

/// Keeps the order in which entries came: an entry is appended as the youngest and removed anywhere, and the
/// oldest of a mask can be picked. Any entries may leave in a cycle. A list takes one append per cycle; a
/// matrix any number at the cost of one, since each bit's next value follows from the append lines of its two
/// entries. In hardware timing the lower index of entries appended in one cycle counts as the older.
class AgeOrder final : public Part {
 public:
  /// Throws std::invalid_argument for sizes outside the ranges of the shape.
  AgeOrder(const Owner& owner, std::string_view name, const AgeOrderShape& shape,
           PaperCount paper = PaperCount::kNot);

  /// Makes `index` the youngest; when it is present already it leaves its old place.
  void append(Cycle cycle, unsigned index);
  /// Removes `index` if it is present.
  void remove(unsigned index);
  /// Removes all; counts one write. Throws std::logic_error without AgeOrderShape::clear.
  void clear();

  // Several operations of one cycle at once. For ideal timing; they throw std::logic_error in hardware
  // timing, whose ports take them one by one.

  /// The present entries of `leave` go behind those of `queue`, the oldest first, and the oldest of `queue`
  /// behind those that stay, until these are `capacity`, at least size(), or the queue is empty: as remove(),
  /// append() and oldest() of each. False when nothing moves.
  bool exchange(AgeOrder& queue, std::uint64_t leave, unsigned capacity);
  /// As append() of each of the `count` oldest, at most size(): they go behind the others.
  void rotate(unsigned count);

  /// Sets the order to `count` entries, all different, the oldest first: what `writes` appends and removals
  /// come to, between which the oldest was picked `selects` times.
  void rearrange(const std::uint8_t* entries, unsigned count, std::uint64_t writes, std::uint64_t selects);

  std::uint64_t present() const { return present_; }
  unsigned size() const { return size_; }
  /// The entry in `place` of the order, 0 the oldest; below size(). For inspection.
  unsigned at(unsigned place) const { return order_[place]; }
  /// All of them, the oldest first.
  const std::uint8_t* order() const { return order_.data(); }

  /// The oldest present entry of `mask`, or kNoInput; the same selection is made in `cycles` cycles.
  unsigned oldest(Cycle cycle, std::uint64_t mask, Cycle cycles = 1) {
    use(select_ports_, cycle, "select ports");
    activity_.selects += cycles;
    return first_of(mask);
  }
  /// The oldest of what is left in `mask`, when the entry that oldest() found in this cycle is passed over:
  /// hardware selects with that condition at once, so that this costs no second selection. Throws
  /// std::logic_error without AgeOrderShape::passes_over.
  unsigned next_oldest(std::uint64_t mask) {
    if (!shape_.passes_over) misuse("found next_oldest(), expected a shape with passes_over");
    return first_of(mask);
  }
  /// The number of present entries older than `index`, which is present. A declared rank port is used.
  unsigned rank(Cycle cycle, unsigned index);

  /// The `count` oldest present entries of `mask`, in any number of calls a cycle for the same mask and
  /// count.
  std::uint64_t oldest_n(std::uint64_t mask, unsigned count);

  /// From the name of an entry to its rank; a matrix's.
  TimingPath rank_path() const;

  Structure structure() const override;
  /// The present entries as a mask, and who stands in each place, the oldest in place 0; places beyond the
  /// present ones show 0.
  void trace(WaveSink& sink) const override;
  /// Of its signals who is present.
  void trace_present(WaveSink& sink) const;

 private:
  static constexpr unsigned kMaxEntries = 64;
  static constexpr unsigned kWordBytes = 8;

  unsigned names() const;
  void expect_ideal(const char* operation) const;
  unsigned first_of(std::uint64_t mask) const {
    const std::uint64_t among = mask & present_;
    if (among == 0) return kNoInput;
    if ((among & (among - 1)) == 0) return static_cast<unsigned>(__builtin_ctzll(among));
    unsigned i = 0;
    while ((among >> order_[i] & 1U) == 0) ++i;
    return at(i);
  }

  void show_order() const;

  // What a selection needs, together.
  std::uint64_t present_ = 0;
  Ports select_ports_;
  /// The first size_ count; whole words of eight are moved, which may reach beyond the last entry.
  std::array<std::uint8_t, kMaxEntries + kWordBytes> order_{};
  unsigned size_ = 0;
  std::uint64_t nameable_ = 0;  ///< entries, by their names
  AgeOrderShape shape_;
  struct Wave {
    std::array<std::uint64_t, kMaxEntries> place{};  ///< order_
    std::uint64_t version = 0;                       ///< counts its changes
  };
  mutable std::unique_ptr<Wave> wave_;  ///< only when it is traced
  Cycle appended_at_ = ~Cycle{0};       ///< matrix in hardware timing: of the last appends
  std::uint64_t appended_ = 0;          ///< that are in the order, likewise
  Ports append_port_;
  Ports rank_ports_;
};

}  // namespace heddle::hw
