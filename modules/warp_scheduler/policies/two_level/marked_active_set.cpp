#include "modules/warp_scheduler/policies/two_level/marked_active_set.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include "hw/pricing/bits.h"
#include "hw/pricing/gates.h"
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
  // Of the active ones the warp to issue is selected, and who was before the one that has issued.
  shape.select_ports = passes_over ? 2 : 1;
  shape.passes_over = passes_over;
  return shape;
}

hw::ComparatorShape count_of_slots(const PolicyContext& context) {
  hw::ComparatorShape shape;
  shape.bits = hw::index_bits(OwnWarps(context).count() + 1);
  return shape;
}

}  // namespace

MarkedActiveSet::MarkedActiveSet(const PolicyContext& context)
    : table_(context.table),
      marks_(context.shared_as<LongMarks>()),
      one_a_cycle_(context.hardware.timing == hw::Timing::kHardware),
      warps_of_sm_(context.gpu.core.warps),
      slots_(context.supervised()),
      capacity_(
          std::min(context.values_of(two_level_active_parameters).active_warps, OwnWarps(context).count())),
      active_(context.hardware.child("two_level_active"), "active" + std::to_string(context.scheduler),
              order_of_slots(context, true)),
      queue_(context.hardware.child("two_level_active"), "queue" + std::to_string(context.scheduler),
             order_of_slots(context, false)),
      staying_(context.hardware.child("two_level_active"), "staying" + std::to_string(context.scheduler),
               OwnWarps(context).count()),
      room_(context.hardware.child("two_level_active"), "room" + std::to_string(context.scheduler),
            count_of_slots(context)),
      back_(context.hardware.child("two_level_active"), "back" + std::to_string(context.scheduler),
            OwnWarps(context).count(), hw::SelectorForm::kFixed) {
  const hw::Owner owner = context.hardware.child("two_level_active");
  for (const char* part : {"active*", "queue*"}) owner.note(part, kBaselineNote);
  for (WarpMask left = context.supervised(); left != 0; left &= left - 1) {
    hw::AgeOrder& order = active_.size() < capacity_ ? active_ : queue_;
    order.append(0, lowest_warp(left));
  }
}

bool MarkedActiveSet::turn(std::uint64_t cycle) {
  const WarpMask held = std::exchange(held_, 0);
  waits_ = waiting(slots_);
  const WarpMask leave = active_.present() & (waits_ | held);
  if (leave != 0 || (active_.size() < capacity_ && queue_.size() != 0)) {
    staying_.count(active_.present() & ~leave);
    room_.count(cycle);
  }
  // What comes may wait too, and leave again.
  const bool moved = one_a_cycle_ ? exchange_one(cycle, leave) : active_.exchange(queue_, leave, capacity_);
  return moved;
}

bool MarkedActiveSet::exchange_one(std::uint64_t cycle, WarpMask leave) {
  const bool no_queue = queue_.size() == 0;
  std::array<unsigned, kMaxWarps> leaving;
  unsigned count = 0;
  for (unsigned i = 0; i < active_.size(); ++i) {
    if ((leave >> active_.at(i) & 1U) != 0) leaving[count++] = active_.at(i);
  }
  for (unsigned i = 0; i < count; ++i) {
    active_.remove(leaving[i]);
    queue_.append(cycle, leaving[i]);
  }
  if (active_.size() == capacity_ || queue_.size() == 0) return leave != 0;
  const unsigned slot = no_queue ? back_.select(leave) : queue_.oldest(cycle, queue_.present());
  queue_.remove(slot);
  active_.append(cycle, slot);
  return true;
}

/// Until one of `issuable` or a slot that does not wait comes in, or something happens, each turn moves the
/// active slots that wait.
std::uint64_t MarkedActiveSet::rest(std::uint64_t cycle, WarpMask issuable, std::uint64_t next) {
  if (one_a_cycle_ || (issuable & active_.present()) != 0) return next;
  moving_ = static_cast<unsigned>(__builtin_popcountll(active_.present() & waits_));
  if (moving_ == 0) return kNever;
  const WarpMask awaited = queue_.present() & (issuable | ~waits_);
  unsigned ahead = 0;
  if (awaited != 0) {
    while ((awaited >> queue_.at(ahead) & 1U) == 0) ++ahead;
    if (ahead < moving_) return next;
  }
  rests_ = true;
  ring_known_ = false;
  return awaited == 0 ? kNever : cycle + 1 + ahead / moving_;
}

const MarkedActiveSet::Slots& MarkedActiveSet::ring() const {
  if (ring_known_) return ring_;
  ring_known_ = true;
  unsigned count = 0;
  for (unsigned i = 0; i < active_.size(); ++i) {
    const unsigned slot = active_.at(i);
    ring_[count] = static_cast<std::uint8_t>(slot);
    count += static_cast<unsigned>(waits_ >> slot & 1U);
  }
  std::copy_n(queue_.order(), queue_.size(), ring_.begin() + count);
  return ring_;
}

void MarkedActiveSet::catch_up(std::uint64_t cycle) {
  if (!rests_) return;
  rests_ = false;
  if (cycle <= turned_at_) return;
  const std::uint64_t turns = cycle - turned_at_;
  Slots order;  // of all slots: active ones that stay, and the ring
  unsigned staying = 0;
  for (unsigned i = 0; i < active_.size(); ++i) {
    const unsigned slot = active_.at(i);
    if ((waits_ >> slot & 1U) == 0) order[staying++] = static_cast<std::uint8_t>(slot);
  }
  const std::uint8_t* const in_ring = ring().data();
  std::rotate_copy(in_ring, in_ring + first_after(turns), in_ring + slots_in_ring(), order.begin() + staying);
  staying_.count(active_.present() & ~waits_, turns);
  room_.count(cycle, turns);
  // Each turn removes and appends the slots that move, and as many of the queue.
  active_.rearrange(order.data(), active_.size(), 2 * turns * moving_, 0);
  queue_.rearrange(order.data() + active_.size(), queue_.size(), 2 * turns * moving_, turns * moving_);
}

/// Makes up the turns up to `cycle`; those after it stay put off.
std::uint64_t MarkedActiveSet::show(std::uint64_t cycle) {
  if (!rests_) return kNever;
  if (cycle > turned_at_) {
    catch_up(cycle);
    turned_at_ = cycle;
    rests_ = true;
    ring_known_ = false;
  }
  return cycle + 1;
}

hw::TimingPath MarkedActiveSet::choice_path() const {
  const unsigned slots = active_.size() + queue_.size();
  hw::TimingPath room;
  room.through("some warp on the SM", hw::gates::any_fo4(warps_of_sm_) + hw::gates::fan_out_fo4(slots))
      .through("slots that stay", hw::gates::kGateFo4)
      .then(staying_.structure().path)
      .then(room_.structure().path)
      .through("one comes", hw::gates::kGateFo4 + hw::gates::fan_out_fo4(slots));
  return hw::TimingPath(hw::TimingPath::longer(active_.structure().path, room))
      .through("the one that comes or the first", hw::gates::enable_fo4());
}

std::uint64_t MarkedActiveSet::cycles_with_active(WarpMask among, std::uint64_t first,
                                                  std::uint64_t last) const {
  const bool turned = rests_ && last > turned_at_;
  const bool one_stays = (among & active_.present() & ~waits_) != 0;
  if (!turned || one_stays) return Prioritizer::cycles_with_active(among, first, last);
  const unsigned slots = slots_in_ring();
  if ((among & waits_) == 0 || slots == 0) return 0;
  // The ring is where it was after as many turns.
  const std::uint64_t period = slots / std::gcd(slots, moving_);
  const std::uint64_t cycles = last + 1 - first;
  const Slots& in_ring = ring();
  std::uint64_t places = 0;  // of `among`
  for (unsigned i = 0; i < slots; ++i) places |= (among >> in_ring[i] & 1U) << i;
  std::uint64_t found = 0;
  unsigned place = first_after(first - turned_at_);
  for (std::uint64_t turn = 0; turn < std::min(period, cycles); ++turn) {
    const std::uint64_t behind = place == 0 ? 0 : places << (slots - place);
    const bool has_one = ((places >> place | behind) & hw::low_bits(moving_)) != 0;
    if (has_one) found += (cycles - turn - 1) / period + 1;
    place += moving_;
    if (place >= slots) place -= slots;
  }
  return found;
}

std::uint64_t MarkedActiveSet::update(std::uint64_t cycle) {
  catch_up(cycle - 1);
  if (cycle == turned_at_) return turns_on_ ? cycle + 1 : kNever;
  if (table_.resident == 0) return kNever;
  turned_at_ = cycle;
  turns_on_ = turn(cycle);
  return turns_on_ ? cycle + 1 : kNever;
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
  unsigned count = 0;
  while (active_.at(count++) != event.warp) {
  }
  active_.oldest(event.cycle, warp_bit(event.warp));  // with who was before it
  if (count == active_.size()) return;
  if (!one_a_cycle_) {
    active_.rotate(count);
    return;
  }
  std::array<unsigned, kMaxWarps> passed;
  for (unsigned i = 0; i < count; ++i) passed[i] = active_.at(i);
  for (unsigned i = 0; i < count; ++i) active_.append(event.cycle, passed[i]);
}

bool MarkedActiveSet::pass_over(std::uint64_t /*cycle*/, WarpMask held) {
  held_ = held;
  return held != 0;
}

void MarkedActiveSet::trace(WaveSink& sink) {
  active_.trace(sink);
  queue_.trace(sink);
}

}  // namespace heddle
