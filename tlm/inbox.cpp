#include "tlm/inbox.h"

namespace heddle {

Inbox::Inbox(unsigned depth) : slots_(depth) {
  if (depth == 0) SC_REPORT_FATAL("/heddle/port", "a port needs a depth of at least 1");
}

void Inbox::push(const Slot& slot) {
  unsigned tail = head_ + size_;
  if (tail >= slots_.size()) tail -= static_cast<unsigned>(slots_.size());
  slots_[tail] = slot;
  ++size_;
}

bool Inbox::offer(tlm::tlm_generic_payload& payload, Ticks now, Ticks arrival) {
  if (has_room(now)) {
    push({&payload, arrival});
    return true;
  }
  withhold(payload, arrival);
  return false;
}

void Inbox::withhold(tlm::tlm_generic_payload& payload, Ticks arrival) {
  if (offered_.payload != nullptr) {
    SC_REPORT_ERROR("/heddle/port", "a second payload was offered before the first was accepted");
  }
  offered_ = {&payload, arrival};
}

tlm::tlm_generic_payload* Inbox::accept_offer(Ticks now) {
  if (!offer_arrived(now) || size_ == slots_.size()) return nullptr;
  tlm::tlm_generic_payload* accepted = offered_.payload;
  push(offered_);
  offered_ = {};
  return accepted;
}

unsigned Inbox::visible(Ticks now) const {
  unsigned count = 0;
  while (count < size_ && slots_[(head_ + count) % slots_.size()].arrival < now) ++count;
  return count;
}

void Inbox::pop(Ticks now) {
  if (last_pop_ != now) {
    last_pop_ = now;
    popped_at_last_pop_ = 0;
  }
  ++popped_at_last_pop_;
  --size_;
  if (++head_ == slots_.size()) head_ = 0;
}

}  // namespace heddle
