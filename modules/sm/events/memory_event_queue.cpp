#include "modules/sm/events/memory_event_queue.h"

#include <array>

namespace heddle {

template <class Kind>
void MemoryEventQueue::tell_as(const Event& event) {
  const auto& told = *std::get_if<Kind::kIndex>(&event);
  if constexpr (std::is_same_v<Kind, event::LoadCoalesced>) {
    LoadCoalesced load = told;
    load.line = &lines_[next_line_];
    next_line_ += load.lines;
    policies_.tell<Kind>(load);
  } else {
    policies_.tell<Kind>(told);
  }
}

template <class... Kinds>
void MemoryEventQueue::tell(const Event& event, event::List<Kinds...> /*kinds*/) {
  using Tell = void (MemoryEventQueue::*)(const Event&);
  static constexpr std::array<Tell, sizeof...(Kinds)> kTellAs{&MemoryEventQueue::tell_as<Kinds>...};
  (this->*kTellAs[event.index()])(event);
}

void MemoryEventQueue::push(const LoadCoalesced& event) {
  append(event);
  lines_.insert(lines_.end(), event.line, event.line + event.lines);
}

void MemoryEventQueue::push(const MshrRoom& event) {
  for (auto entry = events_.rbegin(); entry != events_.rend(); ++entry) {
    auto* const room = std::get_if<MshrRoom>(&entry->event);
    if (room == nullptr) continue;
    if (entry->cycle != event.cycle) break;
    *room = event;
    return;
  }
  append(event);
}

void MemoryEventQueue::push(const L1dAccess& event) {
  append(event);
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
  append(load);
  looked_up_.erase(look_up);
}

bool MemoryEventQueue::deliver(Cycle cycle) {
  std::size_t told = 0;
  for (; told < events_.size() && events_[told].cycle < cycle; ++told) {
    tell(events_[told].event, event::All());
  }
  if (told == 0) return false;
  if (told == events_.size()) {
    events_.clear();
    lines_.clear();
    next_line_ = 0;
    return true;
  }
  events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(told));
  lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(next_line_));
  next_line_ = 0;
  return true;
}

}  // namespace heddle
