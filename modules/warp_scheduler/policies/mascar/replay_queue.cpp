#include "modules/warp_scheduler/policies/mascar/replay_queue.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr unsigned kReplayAddressBits = 40;
constexpr unsigned kInstructionBits = 8;  ///< enough to tell the instructions of a warp in the pipe apart

hw::FifoQueueShape queue_shape(unsigned entries, unsigned warps) {
  hw::FifoQueueShape shape;
  shape.entries = entries;
  shape.bits = kReplayAddressBits + hw::index_bits(warps);
  return shape;
}

hw::TableShape holder_shape(unsigned entries, unsigned warps) {
  return hw::TableShape::direct(warps, {{"accesses", hw::index_bits(entries + 1), hw::Overflow::kWrap},
                                        {"instruction", kInstructionBits, hw::Overflow::kWrap}});
}

}  // namespace

ReplayQueue::ReplayQueue(const hw::Owner& owner, unsigned entries, unsigned warps)
    : queue_(owner, "replay_queue", queue_shape(entries, warps)),
      holders_(owner, "replay_holders", holder_shape(entries, warps)),
      payloads_(entries) {}

bool ReplayQueue::can_take(const MemoryRequest& request) const {
  if (queue_.full()) return false;
  if (holders_.value(request.warp, kAccesses) == 0) return true;
  return holders_.value(request.warp, kInstruction) == (request.instruction & hw::low_bits(kInstructionBits));
}

void ReplayQueue::push(tlm::tlm_generic_payload& payload, Cycle cycle) {
  charge(cycle + 1);
  ++queued_;
  const MemoryRequest& request = *request_of(payload);
  payloads_.push(&payload);
  queue_.push(cycle, (std::uint64_t{request.warp} << kReplayAddressBits) |
                         (payload.get_address() & hw::low_bits(kReplayAddressBits)));
  holders_.write(cycle, request.warp, kAccesses, holders_.read(cycle, request.warp, kAccesses) + 1);
  holders_.write(cycle, request.warp, kInstruction, request.instruction);
  peak_ = std::max(peak_, queue_.size());
  occupancy_ = queue_.size();
}

void ReplayQueue::pop(Cycle cycle) {
  charge(cycle + 1);
  ++replays_;
  const unsigned warp = request_of(front())->warp;
  queue_.pop(cycle);
  payloads_.pop();
  holders_.write(cycle, warp, kAccesses, holders_.read(cycle, warp, kAccesses) - 1);
  occupancy_ = queue_.size();
}

void ReplayQueue::rotate(Cycle cycle, bool looked_up) {
  if (looked_up) ++failures_;
  queue_.rotate(cycle);
  payloads_.rotate();
}

void ReplayQueue::rotate_each(Cycle first, Cycle last) {
  for (Cycle cycle = first; cycle <= last; ++cycle) rotate(cycle, false);
}

void ReplayQueue::charge(Cycle until) {
  if (until <= charged_until_) return;
  const Cycle cycles = until - charged_until_;
  entry_cycles_ += queue_.size() * cycles;
  if (!queue_.empty()) busy_cycles_ += cycles;
  if (queue_.full()) full_cycles_ += cycles;
  charged_until_ = until;
}

void ReplayQueue::report(StatSink& sink) const {
  sink.count("queued_accesses", queued_, "accesses", "accesses that waited in the re-execution queue");
  sink.count("replays", replays_, "accesses", "of these, those that have left it: hits, merges, misses");
  sink.count("replay_failures", failures_, "look-ups", "look-ups of waiting accesses that had to stay");
  sink.count("replay_wait_cycles", busy_cycles_ - replays_, "cycles",
             "cycles in which accesses waited in the queue and none left it");
  sink.count("queue_entry_cycles", entry_cycles_, "entry cycles",
             "entries used, summed over the cycles; divided by the cycles: mean occupancy");
  sink.count("queue_full_cycles", full_cycles_, "cycles", "cycles with every entry used");
  sink.level("queue_peak", peak_, "entries", "most entries used at a time");
}

void ReplayQueue::trace(WaveSink& sink) const { sink.signal(occupancy_, 16, "queue_occupancy"); }

}  // namespace heddle
