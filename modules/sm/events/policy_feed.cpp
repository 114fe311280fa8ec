#include "modules/sm/events/policy_feed.h"

#include "modules/warp_scheduler/note_link.h"

namespace heddle {

namespace {

SmContext with_board(SmContext context, PolicyBoard& board) {
  context.board = &board;
  return context;
}

}  // namespace

PolicyFeed::PolicyFeed(const SmContext& context, Clocked& teller)
    : teller_(teller),
      sm_(context.sm),
      broadcast_cycles_(broadcast_cycles(context.gpu.scheduler)),
      own_board_(context.board == nullptr
                     ? std::make_unique<PolicyBoard>(context.sm + 1, note_way(context.gpu.scheduler))
                     : nullptr),
      board_(context.board == nullptr ? *own_board_ : *context.board),
      policies_(with_board(context, board_)),
      memory_events_(policies_) {
  heard_ = policies_.heard();
  any_ = policies_.any_shared();
  if (any_) board_.attach(sm_, *this);
}

void PolicyFeed::watch(SharedPolicy& watcher, EventSet kinds) {
  policies_.watch(watcher, heard_ | kinds);
  heard_ = policies_.heard();
  any_ = true;
}

void PolicyFeed::notes_posted() {
  notes_waiting_ = true;
  teller_.wake();
}

void PolicyFeed::announce(const GridDispatched& event) {
  if (broadcast_cycles_ == 1) return publish(event);
  announced_.push_back({event.launch_id, event.cycle + broadcast_cycles_ - 1});
  teller_.wake_in(broadcast_cycles_);
}

bool PolicyFeed::tell_announced(Cycle cycle) {
  auto next = announced_.begin();
  for (; next != announced_.end() && next->cycle < cycle; ++next) tell<event::GridDispatched>(*next);
  const bool any = next != announced_.begin();
  announced_.erase(announced_.begin(), next);
  return any;
}

/// In nearly every tick there is nothing to tell: flat, so that this is found without a call.
[[gnu::flatten]] bool PolicyFeed::deliver(Cycle cycle) {
  bool told = memory_events_.deliver(cycle) && policies_.call_for_run();
  if (!announced_.empty()) told |= tell_announced(cycle);
  if (!notes_waiting_) return told;
  const Cycle next = board_.read(sm_, cycle, notes_);
  notes_waiting_ = next != PolicyBoard::kNever;
  if (notes_waiting_) teller_.wake_in(next - cycle);
  for (const PolicyNote& note : notes_) policies_.tell_note(note);
  told |= !notes_.empty();
  notes_.clear();
  return told;
}

}  // namespace heddle
