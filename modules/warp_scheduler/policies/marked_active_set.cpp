#include "modules/warp_scheduler/policies/marked_active_set.h"

#include <algorithm>

namespace heddle {

MarkedActiveSet::MarkedActiveSet(const PolicyContext& context)
    : table_(context.table), marks_(context.shared_as<LongMarks>()) {
  for (WarpMask left = context.supervised(); left != 0; left &= left - 1) {
    slots_[size_++] = static_cast<std::uint8_t>(lowest_warp(left));
  }
  active_ = std::min(context.config().two_level_active.active_warps, size_);
}

bool MarkedActiveSet::waits(unsigned slot) const {
  const WarpMask bit = warp_bit(slot);
  if (((~table_.resident | table_.finished | table_.at_barrier | table_.at_membar) & bit) != 0) return true;
  return (table_.valid & bit) != 0 && marks_.reads_marked(slot, *table_.next[slot]);
}

void MarkedActiveSet::turn() {
  std::array<std::uint8_t, kMaxWarps> demoted;
  unsigned count = 0;
  unsigned kept = 0;
  for (unsigned i = 0; i < active_; ++i) {
    const unsigned slot = slots_[i];
    if ((held_ >> slot & 1U) != 0 || waits(slot)) {
      demoted[count++] = slots_[i];
    } else {
      slots_[kept++] = slots_[i];
    }
  }
  held_ = 0;
  if (count == 0) return;
  // The queue moves up into the holes, the demoted slots come behind it.
  std::copy(slots_.begin() + active_, slots_.begin() + size_, slots_.begin() + kept);
  std::copy(demoted.begin(), demoted.begin() + count, slots_.begin() + size_ - count);
}

std::uint64_t MarkedActiveSet::update(std::uint64_t cycle) {
  if (table_.resident == 0) return kNever;
  if (cycle != turned_at_) {
    turned_at_ = cycle;
    turn();
  }
  return cycle + 1;  // slots turn in every cycle
}

unsigned MarkedActiveSet::select(WarpMask issuable) {
  for (unsigned i = 0; i < active_; ++i) {
    if ((issuable >> slots_[i] & 1U) != 0) return slots_[i];
  }
  return kNoWarp;
}

void MarkedActiveSet::on_issue(const IssueEvent& event) {
  const auto end = slots_.begin() + active_;
  const auto issuer = std::find(slots_.begin(), end, event.warp);
  if (issuer != end) std::rotate(slots_.begin(), issuer + 1, end);
}

bool MarkedActiveSet::pass_over(WarpMask held) {
  held_ = held;
  return true;
}

}  // namespace heddle
