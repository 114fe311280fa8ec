#include "modules/sm/events/policy_feed.h"

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
      own_board_(context.board == nullptr ? std::make_unique<PolicyBoard>(context.sm + 1) : nullptr),
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

bool PolicyFeed::deliver(Cycle cycle) {
  bool told = memory_events_.deliver(cycle);
  if (!notes_waiting_) return told;
  notes_waiting_ = board_.read(sm_, cycle, notes_);
  for (const PolicyNote& note : notes_) policies_.tell_note(note);
  told |= !notes_.empty();
  notes_.clear();
  return told;
}

}  // namespace heddle
