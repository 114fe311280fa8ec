// What a sorter of groups is made of: area and depth.
#include <algorithm>

#include "hw/order/group_sorter.h"
#include "hw/pricing/bits.h"
#include "hw/pricing/gates.h"

namespace heddle::hw {

/// A step that does not fit into a cycle keeps what it compares in registers in the middle: it is read from
/// live registers, which would change under the comparator.
void GroupSorter::set_step(const Owner& owner) {
  const TimingPath whole = read_path().then(swap_path());
  read_cycles_ = 1;
  step_cycles_ = shape_.cycles_per_compare;
  if (step_cycles_ == 0) {
    step_cycles_ = whole.cycles(owner.clock_fo4);
    if (step_cycles_ > 1) {
      read_cycles_ = read_path().cycles(owner.clock_fo4);
      step_cycles_ = read_cycles_ + swap_path().cycles(owner.clock_fo4);
    }
  }
  set_cycles(hardware() ? step_cycles_ : 0);
}

unsigned GroupSorter::compared_bits() const {
  return shape_.key_bits + (shape_.tie_bits != 0 ? shape_.tie_bits : index_bits(shape_.entries));
}

/// Of an entry: the key, what breaks ties, and whether its class is being sorted.
unsigned GroupSorter::read_bits() const {
  return shape_.key_bits + shape_.tie_bits + (shape_.class_bits != 0 ? 1 : 0);
}

TimingPath GroupSorter::read_path() const {
  TimingPath path;
  if (shape_.groups > 1) path.through("place in its group", gates::one_hot_mux_fo4(shape_.groups));
  path.through("rank", gates::equality_fo4(index_bits(shape_.entries)))
      .through("keys", gates::one_hot_mux_fo4(shape_.entries));
  for (unsigned banks = shape_.key_banks; banks > 1; banks = (banks + 1) / 2) {
    path.through("banks added", gates::adder_fo4(shape_.banked_bits, shape_.banked_bits));
  }
  return path;
}

TimingPath GroupSorter::swap_path() const {
  TimingPath path;
  path.through("comparator", gates::comparator_fo4(compared_bits()));
  if (shape_.groups > 1) path.through("own group's", gates::one_hot_mux_fo4(shape_.groups));
  // A rank that moves, or is loaded: at a sort's end, of one that comes, of those behind one that leaves.
  constexpr unsigned kLoads = 4;
  return path.through("swap",
                      gates::late_write_fo4(shape_.entries) + sized_only(gates::one_hot_mux_fo4(kLoads)));
}

Structure GroupSorter::structure() const {
  const unsigned n = shape_.entries;
  const unsigned groups = shape_.groups;
  const unsigned comparators = groups * shape_.comparators;
  const unsigned width = index_bits(n);
  const unsigned size_bits = index_bits(n + 1);
  const bool keeps_operands = step_cycles_ > 1;
  Structure row;
  row.kind = "group sorter";
  row.storage = StorageKind::kFlipFlops;
  row.entries = n;
  row.bits_per_entry = width;
  // Who is a member, and the ranks in force; per group its size, phase and pair counters, busy, swapped,
  // clean, again, the cycles of a step; what is compared.
  // The pair counter goes in steps of the comparators, whose lowest bits it does not have.
  const unsigned pair_counter = std::max(1U, width - 1);
  const unsigned pair_bits =
      pair_counter - std::min(pair_counter, static_cast<unsigned>(__builtin_ctz(shape_.comparators)));
  const unsigned wait_bits = keeps_operands ? index_bits(step_cycles_) : 0;
  row.hidden_bits = std::uint64_t{n} * (1 + width) +
                    std::uint64_t{groups} * (size_bits + width + pair_bits + 4 + wait_bits);
  if (keeps_operands) row.hidden_bits += std::uint64_t{2} * comparators * read_bits();
  row.read_ports = 2 * comparators;
  row.write_ports = 2 * comparators;
  row.comparators = comparators;
  row.comparator_bits = compared_bits();
  row.cycles_per_operation = cycles();
  row.area.storage = gates::flip_flops(static_cast<double>(row.total_bits()));
  // The place that an entry's group is at, and whether it stands there; then keys behind these lines.
  const double places = n * gates::one_hot_mux(groups, width) + n * gates::adder(width, 1, Overflow::kWrap);
  const unsigned further_banks = 2 * comparators * (shape_.key_banks - 1);
  row.area.read_muxes = places + 2.0 * comparators * gates::one_hot_mux(n, read_bits()) +
                        further_banks * gates::one_hot_mux(n, shape_.banked_bits);
  row.area.adders = further_banks * gates::adder(shape_.banked_bits, shape_.banked_bits, Overflow::kWrap);
  row.area.comparators = comparators * gates::comparator(row.comparator_bits) +
                         1.0 * n * shape_.comparators * gates::equality(width);
  if (shape_.class_bits != 0) row.area.comparators += comparators * gates::equality(shape_.class_bits);
  // A rank moves by one at a swap; it is loaded at a sort's end and when a member comes; those behind one
  // that leaves move up, in both orders.
  row.area.writes = gates::write_ports(1, n * width, 3 + 1) + n * gates::one_hot_mux(groups, 1) +
                    n * gates::adder(width, 1, Overflow::kWrap) + gates::decoder(n) +
                    gates::one_hot_mux(groups, size_bits);
  row.area.writes +=
      2.0 * shape_.removals *
      (gates::mux(n, width) + n * (gates::comparator(width) + gates::adder(width, 1, Overflow::kWrap)));
  row.path = keeps_operands ? TimingPath::longer(read_path(), swap_path()) : read_path().then(swap_path());
  return row;
}

}  // namespace heddle::hw
