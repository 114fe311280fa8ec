#include "modules/sm/events/memory_event_queue.h"

namespace heddle {

void MemoryEventQueue::push(const LoadCoalesced& event) {
  events_.emplace_back(event);
  lines_.insert(lines_.end(), event.line, event.line + event.lines);
}

void MemoryEventQueue::push(const MshrRoom& event) {
  for (auto entry = events_.rbegin(); entry != events_.rend(); ++entry) {
    auto* const room = std::get_if<MshrRoom>(&*entry);
    if (room == nullptr) continue;
    if (room->cycle != event.cycle) break;
    *room = event;
    return;
  }
  events_.emplace_back(event);
}

void MemoryEventQueue::push(const L1dAccess& event) {
  events_.emplace_back(event);
  if (event.outcome == L1dOutcome::kRefused) return;
  auto look_up = looked_up_.begin();
  while (look_up != looked_up_.end() && look_up->load.instruction != event.instruction) ++look_up;
  if (look_up == looked_up_.end()) {
    look_up = looked_up_.insert(look_up, LookUp());
    look_up->load.instruction = event.instruction;
  }
  if (event.replayed) --look_up->queued;
  LoadLookedUp& load = look_up->load;
  switch (event.outcome) {
    case L1dOutcome::kHit:
      ++load.hits;
      break;
    case L1dOutcome::kMerged:
      ++load.merged;
      break;
    case L1dOutcome::kMiss:
      ++load.misses;
      break;
    case L1dOutcome::kQueued:
      ++look_up->queued;
      break;
    case L1dOutcome::kRefused:
      break;
  }
  if (event.outcome != L1dOutcome::kQueued) ++load.lines;
  look_up->all_told |= event.last;
  if (!look_up->all_told || look_up->queued != 0) return;
  load.cycle = event.cycle;
  load.warp = event.warp;
  load.pc = event.pc;
  events_.emplace_back(load);
  looked_up_.erase(look_up);
}

bool MemoryEventQueue::deliver(Cycle cycle) {
  std::size_t told = 0;
  while (told < events_.size() &&
         std::visit([cycle](const auto& event) { return event.cycle < cycle; }, events_[told])) {
    std::visit([this](const auto& event) { tell(event); }, events_[told]);
    ++told;
  }
  if (told == 0) return false;
  events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(told));
  lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(next_line_));
  next_line_ = 0;
  return true;
}

void MemoryEventQueue::tell(const KernelEvent& event) {
  policies_.tell(wants::kKernel, &SharedPolicy::on_kernel_start, event);
}
void MemoryEventQueue::tell(const GridDispatched& event) {
  policies_.tell(wants::kKernel, &SharedPolicy::on_grid_dispatched, event);
}
void MemoryEventQueue::tell(LoadCoalesced event) {
  event.line = &lines_[next_line_];
  next_line_ += event.lines;
  policies_.tell(wants::kCoalesced, &SharedPolicy::on_load_coalesced, event);
}
void MemoryEventQueue::tell(const L1dAccess& event) {
  policies_.tell(wants::kL1dAccess, &SharedPolicy::on_l1d_access, event);
}
void MemoryEventQueue::tell(const L1dEviction& event) {
  policies_.tell(wants::kEviction, &SharedPolicy::on_eviction, event);
}
void MemoryEventQueue::tell(const L1dStore& event) {
  policies_.tell(wants::kStore, &SharedPolicy::on_store, event);
}
void MemoryEventQueue::tell(const LoadLookedUp& event) {
  policies_.tell(wants::kLookedUp, &SharedPolicy::on_load_looked_up, event);
}
void MemoryEventQueue::tell(const LoadReturned& event) {
  policies_.tell(wants::kReturned, &SharedPolicy::on_load_returned, event);
}
void MemoryEventQueue::tell(const MshrRoom& event) {
  policies_.tell(wants::kMshr, &SharedPolicy::on_mshr_room, event);
}
void MemoryEventQueue::tell(const L2Reply& event) {
  policies_.tell(wants::kL2Reply, &SharedPolicy::on_l2_reply, event);
}

}  // namespace heddle
