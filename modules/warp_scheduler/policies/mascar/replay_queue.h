#pragma once

#include "base/observe.h"
#include "base/ring.h"
#include "hw/storage/fifo_queue.h"
#include "hw/storage/table.h"
#include "modules/messages/miss_replay.h"

namespace heddle {

/// The re-execution queue of MASCAR (OAWS 5, "MASCAR"): accesses of at most one memory instruction per warp.
class ReplayQueue {
 public:
  /// `entries` 1 to 1024 accesses. Throws std::invalid_argument otherwise.
  ReplayQueue(const hw::Owner& owner, unsigned entries, unsigned warps);

  bool can_take(const MemoryRequest& request) const;
  void push(tlm::tlm_generic_payload& payload, Cycle cycle);
  bool empty() const { return queue_.empty(); }
  tlm::tlm_generic_payload& front() const { return *payloads_.front(); }
  void pop(Cycle cycle);
  void rotate(Cycle cycle, bool looked_up);
  void rotate_each(Cycle first, Cycle last);

  unsigned size() const { return queue_.size(); }
  void settle(Cycle cycle) { charge(cycle + 1); }
  void report(StatSink& sink) const;
  void trace(WaveSink& sink) const;

 private:
  enum Field : std::uint8_t { kAccesses, kInstruction };

  void charge(Cycle until);

  hw::FifoQueue queue_;  ///< address and warp
  hw::Table holders_;    ///< by warp: its accesses in the queue, and the number of their instruction
  Ring<tlm::tlm_generic_payload*> payloads_;  ///< of the entries

  Cycle charged_until_ = 0;  ///< first cycle not charged
  std::uint64_t queued_ = 0;
  std::uint64_t replays_ = 0;
  std::uint64_t failures_ = 0;
  std::uint64_t entry_cycles_ = 0;
  std::uint64_t busy_cycles_ = 0;
  std::uint64_t full_cycles_ = 0;
  unsigned peak_ = 0;
  std::uint64_t occupancy_ = 0;  ///< for waves
};

}  // namespace heddle
