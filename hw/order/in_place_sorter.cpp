#include "hw/order/in_place_sorter.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/pricing/bits.h"

namespace heddle::hw {

InPlaceSorter::InPlaceSorter(const Owner& owner, std::string_view name, const InPlaceSorterShape& shape,
                             PaperCount paper)
    : Part(owner, name, paper),
      shape_(shape),
      append_port_(1, 1, hardware()),
      removal_ports_(shape.removals, 1, hardware()),
      key_mask_(low_bits(shape.key_bits)) {
  expect_range("entries", shape.entries, 1, 64);
  expect_range("key_bits", shape.key_bits, 1, 64);
  expect_range("removals", shape.removals, 1, 16);
  expect_range("comparators", shape.comparators, 1, std::max(1U, shape.entries / 2));
  set_cycles(operation_cycles(shape.cycles_per_compare, compare_swap()));
  if (!shape.dynamic) {
    sort_.size = shape.entries;
    members_ = low_bits(shape.entries);
    for (unsigned i = 0; i < shape.entries; ++i) sort_.order[i] = static_cast<std::uint8_t>(i);
    in_force_ = sort_.order;
  }
}

void InPlaceSorter::expect_dynamic(unsigned index) const {
  if (!shape_.dynamic) misuse("found a change of the members, expected a shape that is dynamic");
  if (index >= shape_.entries)
    misuse(fmt::format("found member {}, expected below {}", index, shape_.entries));
}

void InPlaceSorter::append(Cycle cycle, unsigned index) {
  expect_dynamic(index);
  advance(cycle);
  if ((members_ >> index & 1U) != 0) return;
  use(append_port_, cycle, "append port");
  ++activity_.writes;
  members_ |= std::uint64_t{1} << index;
  sort_.order[sort_.size] = static_cast<std::uint8_t>(index);
  in_force_[sort_.size] = static_cast<std::uint8_t>(index);
  ++sort_.size;
  if (busy()) begin(cycle);
  if (wave_) show();
}

void InPlaceSorter::remove(Cycle cycle, unsigned index) {
  expect_dynamic(index);
  advance(cycle);
  if ((members_ >> index & 1U) == 0) return;
  use(removal_ports_, cycle, "removals");
  ++activity_.writes;
  members_ &= ~(std::uint64_t{1} << index);
  for (OddEvenSort::Order* order : {&sort_.order, &in_force_}) {
    auto* const place = std::find(order->begin(), order->begin() + sort_.size, index);
    std::copy(place + 1, order->begin() + sort_.size, place);
  }
  --sort_.size;
  if (busy()) begin(cycle);
  if (wave_) show();
}

void InPlaceSorter::clear(Cycle cycle) {
  expect_dynamic(0);
  advance(cycle);
  ++activity_.writes;
  sort_.size = 0;
  sort_.stop();
  members_ = 0;
  next_step_ = kNever;
  if (wave_) show();
}

void InPlaceSorter::start(Cycle cycle, const std::uint64_t* keys, SortDirection direction) {
  advance(cycle);
  direction_ = direction;
  keys_ = keys;
  if (shape_.keys == SortKeys::kLatched) {
    std::copy_n(keys, shape_.entries, latched_.begin());
    keys_ = latched_.data();
  }
  begin(cycle);
}

bool InPlaceSorter::swap_needed(unsigned first, unsigned second) const {
  const std::uint64_t a = keys_[first] & key_mask_;
  const std::uint64_t b = keys_[second] & key_mask_;
  if (a == b) return second < first;
  return direction_ == SortDirection::kAscending ? b < a : a < b;
}

void InPlaceSorter::begin(Cycle cycle) {
  sort_.begin();
  if (sort_.done()) return finish();
  next_step_ = cycle + cycles();
  if (shape_.keys == SortKeys::kLatched && cycles() != 0) {
    // The outcome is certain: a copy runs ahead to tell when it is there.
    done_at_ = cycle;
    for (OddEvenSort ahead = sort_; !ahead.done(); done_at_ += cycles()) {
      ahead.step(shape_.comparators, [this](unsigned a, unsigned b) { return swap_needed(a, b); });
    }
  }
  advance(cycle);
  if (wave_) show();
}

void InPlaceSorter::step() {
  const auto swaps = [this](unsigned a, unsigned b) { return swap_needed(a, b); };
  // Where steps take no time, how many they are does not show.
  const OddEvenSort::Step made =
      cycles() == 0 ? sort_.make_all(swaps) : sort_.step(shape_.comparators, swaps);
  activity_.compares += made.compares;
  activity_.reads += std::uint64_t{2} * made.compares;
  activity_.writes += std::uint64_t{2} * made.swaps;
  if (sort_.done()) return finish();
  next_step_ += cycles();
  if (wave_) show();
}

void InPlaceSorter::finish() {
  next_step_ = kNever;
  in_force_ = sort_.order;
  if (wave_) show();
}

void InPlaceSorter::show() const {
  ++wave_->version;
  wave_->busy = busy() ? 1 : 0;
  wave_->descending = direction_ == SortDirection::kDescending ? 1 : 0;
  wave_->step_ends = busy() ? next_step_ : 0;
  for (unsigned i = 0; i < shape_.entries; ++i) wave_->place[i] = i < sort_.size ? order()[i] : 0;
}

Cycle InPlaceSorter::done_at_cycle() const {
  if (!busy()) return kNever;
  if (shape_.keys == SortKeys::kLatched) return done_at_;
  return next_step_ + Cycle{sort_.fewest_steps_left(shape_.comparators) - 1} * cycles();
}

}  // namespace heddle::hw
