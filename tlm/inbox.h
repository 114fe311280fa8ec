#pragma once

#include <array>
#include <cstdint>
#include <tlm>
#include <vector>

#include "tlm/clock_domain.h"

namespace heddle {

/// The receiving end of one direction of a hop: a FIFO of `depth` >= 1 payloads plus the one that is offered
/// but not accepted. Whether an offer is accepted depends only on what happened strictly before it, so the
/// order in which sender and receiver tick at one edge does not matter: a place freed at time t counts as
/// free after t. With depth 2 a hop carries one payload every cycle.
class Inbox {
 public:
  /// Throws std::invalid_argument for a depth of 0.
  explicit Inbox(unsigned depth);
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  /// Offers `payload`, arriving at `arrival` >= now. Returns true when it is accepted at once; it stays
  /// offered until accept_offer() otherwise. Requires that none is outstanding (base protocol's exclusion
  /// rule).
  bool offer(tlm::tlm_generic_payload& payload, Ticks now, Ticks arrival) {
    if (has_room(now)) {
      push({&payload, arrival});
      return true;
    }
    withhold(payload, arrival);
    return false;
  }
  /// Leaves `payload` offered without trying to accept it; requires the same.
  void withhold(tlm::tlm_generic_payload& payload, Ticks arrival) { offered_ = {&payload, arrival}; }
  /// Forgets the offer: its payload was taken without this queue.
  void withdraw() { offered_ = {}; }
  bool has_offer() const { return offered_.payload != nullptr; }
  tlm::tlm_generic_payload* offered() const { return offered_.payload; }
  /// Accepts the outstanding offer if it was made before `now` and there is room; returns it, or nullptr.
  tlm::tlm_generic_payload* accept_offer(Ticks now);

  /// True when offer() at `now` would accept.
  bool has_room(Ticks now) const {
    return offered_.payload == nullptr && size_ + (last_pop_ == now ? popped_at_last_pop_ : 0) < depth_;
  }
  /// True when the outstanding offer was made before `now`.
  bool offer_arrived(Ticks now) const { return offered_.payload != nullptr && offered_.arrival < now; }

  /// True when there is an outstanding offer that was made at `now` or before.
  bool offered_by(Ticks now) const { return offered_.payload != nullptr && offered_.arrival <= now; }

  /// True when the front arrived strictly before `now`.
  bool ready(Ticks now) const { return size_ != 0 && slots_[head_].arrival < now; }
  /// Payloads that arrived strictly before `now`.
  unsigned visible(Ticks now) const;
  bool empty() const { return size_ == 0 && offered_.payload == nullptr; }
  unsigned size() const { return size_; }
  /// Calls `test` with the payloads held and the one offered, visible or not, until it returns true; returns
  /// whether it did.
  template <class Test>
  bool any_of(Test test) const {
    for (unsigned i = 0; i < size_; ++i) {
      const unsigned slot = head_ + i;
      if (test(*slots_[slot < depth_ ? slot : slot - depth_].payload)) return true;
    }
    return offered_.payload != nullptr && test(*offered_.payload);
  }
  tlm::tlm_generic_payload& front() const { return *slots_[head_].payload; }
  void pop(Ticks now) {
    if (last_pop_ != now) {
      last_pop_ = now;
      popped_at_last_pop_ = 0;
    }
    ++popped_at_last_pop_;
    --size_;
    if (++head_ == depth_) head_ = 0;
  }

 private:
  struct Slot {
    tlm::tlm_generic_payload* payload = nullptr;
    Ticks arrival = 0;
  };
  void push(const Slot& slot) {
    const unsigned tail = head_ + size_;
    slots_[tail < depth_ ? tail : tail - depth_] = slot;
    ++size_;
  }

  /// Most hops have a queue of two; it lies beside the rest of the state.
  static constexpr unsigned kNearSlots = 2;

  unsigned depth_;
  unsigned head_ = 0;
  unsigned size_ = 0;
  unsigned popped_at_last_pop_ = 0;
  Slot* slots_;
  Ticks last_pop_ = 0;
  Slot offered_;
  std::array<Slot, kNearSlots> near_{};
  std::vector<Slot> far_;  ///< instead, for deeper queues
};

}  // namespace heddle
