#pragma once

#include <cstdint>
#include <tlm>

#include "tlm/clock_domain.h"

namespace heddle {

/// One payload in a DRAM channel.
struct DramRequest {
  tlm::tlm_generic_payload* payload = nullptr;
  std::uint64_t row = 0;
  std::uint64_t sequence = 0;  ///< order of entry into the scheduler's queue, from 0
  Cycle due = 0;               ///< reaches the controller, later: its data are complete
  std::uint16_t bank = 0;
  std::uint16_t port = 0;         ///< socket on which it came
  std::uint16_t bursts_left = 0;  ///< column commands to be issued
  std::uint16_t credits = 0;      ///< places that it takes in the queues: its L2 accesses
  bool write = false;
  bool started = false;  ///< its first command has been issued
  DramRequest* next = nullptr;
};

/// First-in first-out list through DramRequest::next.
class DramRequestList {
 public:
  bool empty() const { return head_ == nullptr; }
  DramRequest* head() const { return head_; }
  void push_back(DramRequest& request) {
    request.next = nullptr;
    (head_ == nullptr ? head_ : tail_->next) = &request;
    tail_ = &request;
  }
  DramRequest& pop_front() { return remove_after(nullptr); }
  /// Removes the request after `previous`, the head when that is nullptr.
  DramRequest& remove_after(DramRequest* previous) {
    DramRequest*& link = previous == nullptr ? head_ : previous->next;
    DramRequest& removed = *link;
    link = removed.next;
    if (tail_ == &removed) tail_ = previous;
    removed.next = nullptr;
    return removed;
  }

 private:
  DramRequest* head_ = nullptr;
  DramRequest* tail_ = nullptr;
};

}  // namespace heddle
