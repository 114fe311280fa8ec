#include "hw/order/group_sorter.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/pricing/bits.h"

namespace heddle::hw {

GroupSorter::GroupSorter(const Owner& owner, std::string_view name, const GroupSorterShape& shape,
                         SortRule& rule, PaperCount paper)
    : Part(owner, name, paper), shape_(shape), rule_(rule), append_port_(1, 1, hardware()) {
  expect_range("entries", shape.entries, 1, 64);
  expect_range("groups", shape.groups, 1, 64);
  expect_range("key_bits", shape.key_bits, 1, 64);
  expect_range("tie_bits", shape.tie_bits, 0, 64);
  expect_range("class_bits", shape.class_bits, 0, shape.key_bits);
  expect_range("key_banks", shape.key_banks, 1, 16);
  expect_range("banked_bits", shape.banked_bits, 0, shape.key_bits);
  expect_range("comparators", shape.comparators, 1, std::max(1U, shape.entries / 2));
  expect_range("removals", shape.removals, 0, 16);
  groups_.resize(shape.groups);
  set_step(owner);
}

void GroupSorter::append(Cycle cycle, unsigned group, unsigned index) {
  advance(cycle);
  Group& own = groups_[group];
  if (own.sort.size == shape_.entries || index >= shape_.entries) {
    misuse(fmt::format("found member {} after {} others, expected below {}", index, own.sort.size,
                       shape_.entries));
  }
  Part::use(append_port_, cycle, "append port");
  ++activity_.writes;
  own.sort.order[own.sort.size] = static_cast<std::uint8_t>(index);
  own.in_force[own.sort.size] = static_cast<std::uint8_t>(index);
  ranks_[index] = own.sort.size;
  ++own.sort.size;
  if (busy(group) || own.asked == cycle) begin(cycle, group);
  if (wave_) show();
}

void GroupSorter::remove(Cycle cycle, unsigned group, unsigned index) {
  advance(cycle);
  Group& own = groups_[group];
  const auto size = static_cast<std::ptrdiff_t>(own.sort.size);
  if (std::find(own.in_force.begin(), own.in_force.begin() + size, index) == own.in_force.begin() + size) {
    misuse(fmt::format("found a removal of {}, which is not in group {}", index, group));
  }
  ++activity_.writes;
  for (OddEvenSort::Order* order : {&own.sort.order, &own.in_force}) {
    static_cast<void>(std::remove(order->begin(), order->begin() + size, index));  // it is there: one less
  }
  --own.sort.size;
  rank_from(own, static_cast<unsigned>(ranks_[index]));
  if (busy(group)) sort_the_rest(cycle, group);
  if (wave_) show();
}

void GroupSorter::clear(Cycle cycle, unsigned group) {
  advance(cycle);
  Group& own = groups_[group];
  activity_.writes += own.sort.size;
  own.sort.size = 0;
  if (busy(group)) sort_the_rest(cycle, group);
  if (wave_) show();
}

void GroupSorter::request(Cycle cycle, unsigned group) {
  advance(cycle);
  if (!busy(group)) {
    begin(cycle, group);
    if (hardware() && !busy(group)) groups_[group].asked = cycle;
    return;
  }
  if (groups_[group].first_step > cycle) return;
  ++use_.waited;
  groups_[group].again = true;
  if (wave_) show();
}

void GroupSorter::restart(Cycle cycle, unsigned group) {
  advance(cycle);
  if (busy(group) && groups_[group].first_step <= cycle) ++use_.waited;
  begin(cycle, group);
  if (hardware() && !busy(group)) groups_[group].asked = cycle;
}

void GroupSorter::begin(Cycle cycle, Cycle first_step, unsigned group) {
  Group& own = groups_[group];
  if (!busy(group)) own.started = cycle;
  own.again = false;
  own.read = false;
  own.first_step = first_step;
  own.sort.begin();
  if (!hardware()) {
    while (!own.sort.done()) compare(own.sort, group);
  }
  if (own.sort.done()) return finish(cycle, group);
  busy_ |= std::uint64_t{1} << group;
  own.step_ends = first_step + cycles();
  earliest_ = std::min(earliest_, next_event(own));
  if (wave_) show();
}

/// Members of a busy group have left. Without any its sort has come to nothing, and is none that was
/// completed.
void GroupSorter::sort_the_rest(Cycle cycle, unsigned group) {
  Group& own = groups_[group];
  if (own.sort.size != 0) return begin(cycle, group);
  own.again = false;
  own.read = false;
  end(cycle, group);
  rule_.sorted(group, cycle, false);
}

/// Of a busy group.
Cycle GroupSorter::next_event(const Group& own) const {
  return own.read ? own.step_ends : own.step_ends - cycles() + read_cycles_ - 1;
}

void GroupSorter::make_up(Cycle cycle) {
  for (std::uint64_t left = busy_; left != 0; left &= left - 1) {
    const auto group = static_cast<unsigned>(__builtin_ctzll(left));
    while (busy(group) && next_event(groups_[group]) <= cycle) do_next(group);
  }
  look_ahead();
  if (wave_) show();
}

/// Reads what a step compares, or ends the step.
void GroupSorter::do_next(unsigned group) {
  Group& own = groups_[group];
  if (!own.read) {
    own.next = own.sort;
    compare(own.next, group);
    own.read = true;
    return;
  }
  own.read = false;
  own.sort = own.next;
  if (own.sort.done()) return finish(own.step_ends, group);
  own.step_ends += cycles();
}

void GroupSorter::compare(OddEvenSort& sort, unsigned group) {
  const OddEvenSort::Step made = sort.step(
      shape_.comparators,
      [this, group](unsigned first, unsigned second) { return rule_.swap_needed(group, first, second); });
  activity_.compares += made.compares;
  activity_.reads += std::uint64_t{2} * made.compares;
  activity_.writes += std::uint64_t{2} * made.swaps;
  use_.swaps += made.swaps;
}

void GroupSorter::end(Cycle cycle, unsigned group) {
  groups_[group].step_ends = kNever;
  busy_ &= ~(std::uint64_t{1} << group);
  last_done_ = std::max(last_done_, cycle);
}

void GroupSorter::finish(Cycle cycle, unsigned group) {
  Group& own = groups_[group];
  end(cycle, group);
  own.in_force = own.sort.order;
  rank_from(own, 0);
  ++use_.sorts;
  use_.busy_cycles += cycle - own.started;
  use_.longest_cycles = std::max(use_.longest_cycles, cycle - own.started);
  const bool again = own.again;
  rule_.sorted(group, cycle, again);
  if (again) begin(cycle, cycle, group);
  if (wave_) show();
}

/// Of those in force from `place` on.
void GroupSorter::rank_from(const Group& own, unsigned place) {
  for (; place < own.sort.size; ++place) ranks_[own.in_force[place]] = place;
}

void GroupSorter::look_ahead() {
  earliest_ = kNever;
  for (std::uint64_t left = busy_; left != 0; left &= left - 1) {
    earliest_ = std::min(earliest_, next_event(groups_[static_cast<unsigned>(__builtin_ctzll(left))]));
  }
}

Cycle GroupSorter::next_done() const {
  Cycle earliest = kNever;
  for (std::uint64_t left = busy_; left != 0; left &= left - 1) {
    const Group& own = groups_[static_cast<unsigned>(__builtin_ctzll(left))];
    const Cycle behind = Cycle{own.sort.fewest_steps_left(shape_.comparators) - 1} * cycles();
    earliest = std::min(earliest, own.step_ends + behind);
  }
  return earliest;
}

void GroupSorter::show() const {
  ++wave_->version;
  wave_->again = 0;
  wave_->members = 0;
  for (unsigned g = 0; g < shape_.groups; ++g) {
    const Group& own = groups_[g];
    if (own.again) wave_->again |= std::uint64_t{1} << g;
    wave_->step_ends[g] = busy(g) ? own.step_ends : 0;
    for (unsigned place = 0; place < own.sort.size; ++place) {
      wave_->rank[own.in_force[place]] = place;
      wave_->members |= std::uint64_t{1} << own.in_force[place];
    }
  }
  const Group& first = groups_.front();
  for (unsigned p = 0; p < shape_.entries; ++p) wave_->place[p] = p < first.sort.size ? first.in_force[p] : 0;
}

void GroupSorter::trace(WaveSink& sink) const {
  if (!wave_) wave_ = std::make_unique<Wave>();
  show();
  const WaveScope scope(sink, name());
  sink.signal(busy_, shape_.groups, "busy");
  sink.change_with(wave_->version);
  sink.signal(wave_->again, shape_.groups, "again");
  sink.signal(wave_->members, shape_.entries, "members");
  const auto column = [&sink](const char* name, const auto& values, unsigned count, unsigned bits) {
    const WaveScope inner(sink, name);
    for (unsigned i = 0; i < count; ++i) sink.signal(values[i], bits, fmt::format("entry{}", i));
  };
  column("step_ends", wave_->step_ends, shape_.groups, 64);
  column("rank", wave_->rank, shape_.entries, index_bits(shape_.entries));
  if (shape_.groups == 1) trace_places(sink);
}

void GroupSorter::trace_places(WaveSink& sink) const {
  for (unsigned p = 0; p < shape_.entries; ++p) {
    sink.signal(wave_->place[p], index_bits(shape_.entries), fmt::format("place{}", p));
  }
}

void GroupSorter::trace_order(WaveSink& sink) const {
  if (!wave_) wave_ = std::make_unique<Wave>();
  show();
  const WaveScope scope(sink, name(), wave_->version);
  trace_places(sink);
}

}  // namespace heddle::hw
