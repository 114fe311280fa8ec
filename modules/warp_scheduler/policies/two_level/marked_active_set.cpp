#include "modules/warp_scheduler/policies/two_level/marked_active_set.h"

#include <algorithm>
#include <array>
#include <string>

#include "modules/warp_scheduler/policies/basic/own_warps.h"
#include "modules/warp_scheduler/policies/two_level/parameters.h"

namespace heddle {

namespace {

hw::AgeOrderShape order_of_slots(const PolicyContext& context, bool passes_over) {
  const OwnWarps own(context);
  hw::AgeOrderShape shape;
  shape.entries = own.count();
  shape.first = own.warp(0);
  shape.stride = own.stride();
  shape.passes_over = passes_over;
  return shape;
}

}  // namespace

MarkedActiveSet::MarkedActiveSet(const PolicyContext& context)
    : table_(context.table),
      marks_(context.shared_as<LongMarks>()),
      one_a_cycle_(context.hardware.timing == hw::Timing::kHardware),
      capacity_(
          std::min(context.values_of(two_level_active_parameters).active_warps, OwnWarps(context).count())),
      active_(context.hardware.child("two_level_active"), "active" + std::to_string(context.scheduler),
              order_of_slots(context, true)),
      queue_(context.hardware.child("two_level_active"), "queue" + std::to_string(context.scheduler),
             order_of_slots(context, false)) {
  const hw::Owner owner = context.hardware.child("two_level_active");
  for (const char* part : {"active*", "queue*"}) owner.note(part, kBaselineNote);
  for (WarpMask left = context.supervised(); left != 0; left &= left - 1) {
    hw::AgeOrder& order = active_.size() < capacity_ ? active_ : queue_;
    order.append(0, lowest_warp(left));
  }
}

bool MarkedActiveSet::waits(unsigned slot) const {
  const WarpMask bit = warp_bit(slot);
  if (((others_ | ~table_.resident | table_.finished | table_.at_barrier | table_.at_membar) & bit) != 0)
    return true;
  return (table_.valid & bit) != 0 && marks_.reads_marked(slot, *table_.next[slot]);
}

void MarkedActiveSet::turn(std::uint64_t cycle) {
  std::array<unsigned, kMaxWarps> leaving;
  unsigned count = 0;
  for (unsigned i = 0; i < active_.size(); ++i) {
    const unsigned slot = active_.at(i);
    if ((held_ >> slot & 1U) != 0 || waits(slot)) leaving[count++] = slot;
  }
  held_ = 0;
  for (unsigned i = 0; i < count; ++i) {
    active_.remove(leaving[i]);
    queue_.append(cycle, leaving[i]);
  }
  while (active_.size() < capacity_ && queue_.size() != 0) {
    const unsigned slot = queue_.oldest(cycle, queue_.present());
    queue_.remove(slot);
    active_.append(cycle, slot);
    if (one_a_cycle_) break;
  }
}

std::uint64_t MarkedActiveSet::update(std::uint64_t cycle) {
  if (table_.resident == 0) return kNever;
  if (cycle != turned_at_) {
    turned_at_ = cycle;
    turn(cycle);
  }
  return cycle + 1;  // slots turn in every cycle
}

unsigned MarkedActiveSet::select(std::uint64_t cycle, WarpMask issuable) {
  if ((issuable & active_.present()) == 0) return kNoWarp;
  if (asked_at_ == cycle) return active_.next_oldest(issuable);
  asked_at_ = cycle;
  return active_.oldest(cycle, issuable);
}

/// The warp that issued, and those whose turn was before, go after the others.
void MarkedActiveSet::on_issue(const IssueEvent& event) {
  if ((active_.present() >> event.warp & 1U) == 0) return;
  std::array<unsigned, kMaxWarps> passed;
  unsigned count = 0;
  do {
    passed[count] = active_.at(count);
  } while (passed[count++] != event.warp);
  if (count == active_.size()) return;
  for (unsigned i = 0; i < count; ++i) active_.append(event.cycle, passed[i]);
}

bool MarkedActiveSet::pass_over(std::uint64_t /*cycle*/, WarpMask held) {
  held_ = held;
  return true;
}

void MarkedActiveSet::trace(WaveSink& sink) {
  active_.trace(sink);
  queue_.trace(sink);
}

}  // namespace heddle
