#include "modules/warp_scheduler/policy_board.h"

#include <algorithm>
#include <iterator>

namespace heddle {

void PolicyBoard::post(const PolicyNote& note) {
  if (readers_[note.sm] != nullptr) readers_[note.sm]->posts(note);
  if (puts_off_) {
    put_off_[note.sm].push_back(note);
    any_put_off_.store(true, std::memory_order_relaxed);
    return;
  }
  enter(note);
  tell_readers();
}

void PolicyBoard::publish() {
  if (!notes_.empty()) forget_read();
  if (!any_put_off_.load(std::memory_order_relaxed)) return;
  any_put_off_.store(false, std::memory_order_relaxed);
  for (std::vector<PolicyNote>& notes : put_off_) {
    for (const PolicyNote& note : notes) enter(note);
    notes.clear();
  }
  tell_readers();
}

void PolicyBoard::enter(const PolicyNote& note) {
  // Nobody has read notes of this cycle yet, so that no place before a reader's changes.
  const auto later = [](const PolicyNote& a, const PolicyNote& b) {
    return a.cycle != b.cycle ? a.cycle < b.cycle : a.sm < b.sm;
  };
  auto entered = notes_.insert(std::upper_bound(notes_.begin(), notes_.end(), note, later), note);
  for (; entered != notes_.end(); ++entered) {
    entered->read_at = entered->cycle + way_.cycles;
    if (!way_.one_a_cycle || entered == notes_.begin()) continue;
    entered->read_at = std::max(entered->read_at, std::prev(entered)->read_at + 1);
  }
}

void PolicyBoard::tell_readers() {
  for (Reader* reader : readers_) {
    if (reader != nullptr) reader->notes_posted();
  }
}

std::uint64_t PolicyBoard::read(unsigned sm, std::uint64_t cycle, std::vector<PolicyNote>& out) {
  std::size_t& next = next_[sm];
  while (next < notes_.size() && notes_[next].read_at <= cycle) out.push_back(notes_[next++]);
  if (next != notes_.size()) return notes_[next].read_at;
  if (!puts_off_) forget_read();
  return kNever;
}

void PolicyBoard::forget_read() {
  for (std::size_t sm = 0; sm < readers_.size(); ++sm) {
    if (readers_[sm] != nullptr && next_[sm] != notes_.size()) return;
  }
  notes_.clear();
  std::fill(next_.begin(), next_.end(), 0);
}

}  // namespace heddle
