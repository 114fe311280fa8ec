#include "tlm/inbox.h"

namespace heddle {

Inbox::Inbox(unsigned depth) : depth_(depth), far_(depth > kNearSlots ? depth : 0) {
  slots_ = far_.empty() ? near_.data() : far_.data();
  if (depth == 0) SC_REPORT_FATAL("/heddle/port", "a port needs a depth of at least 1");
}

void Inbox::withhold(tlm::tlm_generic_payload& payload, Ticks arrival) {
  if (offered_.payload != nullptr) {
    SC_REPORT_ERROR("/heddle/port", "a second payload was offered before the first was accepted");
  }
  offered_ = {&payload, arrival};
}

tlm::tlm_generic_payload* Inbox::accept_offer(Ticks now) {
  if (!offer_arrived(now) || size_ == depth_) return nullptr;
  tlm::tlm_generic_payload* accepted = offered_.payload;
  push(offered_);
  offered_ = {};
  return accepted;
}

unsigned Inbox::visible(Ticks now) const {
  unsigned count = 0;
  while (count < size_ && slots_[(head_ + count) % depth_].arrival < now) ++count;
  return count;
}

}  // namespace heddle
