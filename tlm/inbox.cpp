#include "tlm/inbox.h"

#include <stdexcept>

namespace heddle {

Inbox::Inbox(unsigned depth) : depth_(depth), far_(depth > kNearSlots ? depth : 0) {
  slots_ = far_.empty() ? near_.data() : far_.data();
  if (depth == 0) throw std::invalid_argument("a queue of a port needs at least 1 place, found 0");
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
