#include "modules/sm/residency/residency.h"

#include <fmt/format.h>

#include <algorithm>

#include "modules/counts/launch_counts.h"

namespace heddle {

Residency::Residency(const CoreConfig& core, const hw::Owner& hardware, const Links& links)
    : links_(links), core_(core), tbs_(core, hardware) {}

bool Residency::accept(TbTransaction& transaction, Ticks delay) {
  const Cycle cycle = links_.clock.cycle_now();
  account(cycle);
  ResidentTb* const tb = tbs_.accept(transaction, links_.clock.time(), cycle);
  if (tb == nullptr) return false;
  tb->accepted_at += delay;
  changing_ = true;
  return true;
}

void Residency::advance() {
  const Ticks now = links_.clock.now();
  if (tbs_.waiting() != 0) {
    for (ResidentTb& tb : tbs_) {
      if (tb.transaction != nullptr && !tb.started && tb.accepted_at < now) start_tb(tb);
    }
  }
  // After the start of the partial TB, which may be one of these.
  if (tbs_.pending()) account(links_.clock.cycle());  // with what was allocated until now
  for (unsigned left = tbs_.advance(now); left != 0; --left) {
    start_warp(tbs_.place_next(links_.clock.cycle()));
  }
  changing_ = tbs_.waiting() != 0 || tbs_.pending();
}

void Residency::start_tb(ResidentTb& tb) {
  tbs_.start(tb);
  const Cycle cycle = links_.clock.cycle();
  account(cycle);
  tb_started.fire(*tb.transaction, cycle);
  links_.runner.start_tb(tb.slot, tb.num_warps);
  if (links_.feed.heard<event::TbStart>()) links_.feed.tell<event::TbStart>(tb_event(tb));
  WarpInTb warp_in_tb;
  for (const WarpSlot slot : tb.first_slots) {
    start_warp({tb, slot, warp_in_tb});
    ++warp_in_tb;
  }
}

void Residency::start_warp(const PlacedWarp& warp) {
  const TbTransaction& transaction = *warp.tb.transaction;
  const unsigned slot = warp.slot.value();
  const Cycle cycle = links_.clock.cycle();
  lives_[slot] = {&warp.tb, cycle, cycle, warp.warp_in_tb};
  WarpTable& table = links_.table;
  table.counts[slot] = transaction.counts;
  table.counted = table.counted || transaction.counts != nullptr;
  table.resident |= warp_bit(slot);
  table.age[slot] = next_age_++;
  table.tb_slot[slot] = static_cast<std::uint16_t>(warp.tb.slot.value());
  links_.runner.start_warp(warp);
  warp_started.fire(slot, transaction, cycle);
}

void Residency::retire(unsigned warp) {
  const Cycle cycle = links_.clock.cycle();
  account(cycle);
  Life& life = lives_[warp];
  ResidentTb& tb = *life.tb;
  TbTransaction& transaction = *tb.transaction;
  links_.table.resident &= ~warp_bit(warp);
  ++links_.statistics.warps;
  if (transaction.counts != nullptr) {
    count(life, cycle);
    ++transaction.counts->issue.warps;
  }
  warp_retired.fire(warp, transaction, cycle);
  if (links_.feed.heard<event::WarpRetire>()) links_.feed.tell<event::WarpRetire>(warp_event(warp));
  const Cycle lifetime = cycle - life.started_at;
  tb.lifetimes_cycles += lifetime;
  tb.longest_cycles = std::max(tb.longest_cycles, lifetime);
  tbs_.end_warp(tb, WarpSlot(warp), links_.clock.time());
  links_.table.ended |= warp_bit(warp) & tb.warps;
  changing_ = true;
  transaction.warp = life.warp_in_tb;
  links_.ends.warp_done(transaction);
  if (tb.unretired == 0) end_tb(tb);
}

void Residency::end_tb(ResidentTb& tb) {
  const Cycle cycle = links_.clock.cycle();
  TbTransaction& transaction = *tb.transaction;
  if (links_.feed.heard<event::TbEnd>()) links_.feed.tell<event::TbEnd>(tb_event(tb));
  links_.table.ended &= ~tb.warps;
  tbs_.release(tb, links_.clock.time());
  changing_ = true;
  const std::uint64_t tb_cycles = tb.num_warps * tb.longest_cycles;
  const std::uint64_t unused_cycles = tb_cycles - tb.lifetimes_cycles;
  links_.statistics.count_tb(tb_cycles, unused_cycles);
  if (transaction.counts != nullptr) transaction.counts->issue.count_tb(tb_cycles, unused_cycles);
  tb_finished.fire(transaction, cycle);
  if (tbs_.resident() == 0) emptied.fire(cycle);
  links_.ends.tb_done(transaction);
}

WarpEvent Residency::warp_event(unsigned warp) const {
  const Life& life = lives_[warp];
  const TbTransaction& transaction = *life.tb->transaction;
  return {warp,
          life.tb->slot.value(),
          transaction.tb,
          life.warp_in_tb.value(),
          links_.clock.cycle(),
          transaction.launch_id};
}

TbEvent Residency::tb_event(const ResidentTb& tb) const {
  return {tb.slot.value(),      tb.transaction->tb, tb.transaction->launch_id, tb.warps,
          links_.clock.cycle(), tb.num_warps,       tb.transaction->stream};
}

void Residency::settle(Cycle until) {
  account(until);
  for (WarpMask left = links_.table.resident; left != 0; left &= left - 1) {
    Life& life = lives_[lowest_warp(left)];
    if (life.tb->transaction->counts != nullptr) count(life, until);
  }
}

void Residency::count(Life& life, Cycle until) {
  if (until > life.counted_until) {
    life.tb->transaction->counts->issue.warp_cycles += until - life.counted_until;
  }
  life.counted_until = until;
}

void Residency::account(Cycle until) {
  if (until <= accounted_until_) return;
  const Cycle cycles = until - accounted_until_;
  if (links_.table.resident != 0) {
    IssueStatistics& statistics = links_.statistics;
    const auto warps = static_cast<unsigned>(__builtin_popcountll(links_.table.resident));
    statistics.active_cycles += cycles;
    statistics.warp_cycles += cycles * warps;
    const SmResources& free = tbs_.free();
    statistics.register_cycles += cycles * (core_.registers - free.registers());
    statistics.warp_slot_cycles += cycles * (core_.warps - free.warps());
    statistics.shared_byte_cycles += cycles * (core_.shared_bytes - free.shared_bytes());
  } else {
    inactive_cycles_ += cycles;
  }
  accounted_until_ = until;
}

void Residency::trace(WaveSink& sink) {
  wave_ = std::make_unique<Wave>();
  update_wave();
  sink.signal(wave_->tbs, 8, "resident_tbs");
  sink.signal(wave_->free_registers, 32, "free_registers");
  sink.signal(wave_->free_warp_slots, 8, "free_warp_slots");
  sink.signal(wave_->free_shared_bytes, 32, "free_shared_bytes");
}

void Residency::trace_buffer(WaveSink& sink) const {
  if (tbs_.buffer() == nullptr) return;
  const WaveScope scope(sink, "workload_buffer");
  tbs_.buffer()->trace(sink);
}

void Residency::update_wave() {
  wave_->tbs = tbs_.resident();
  wave_->free_registers = tbs_.free().registers();
  wave_->free_warp_slots = tbs_.free().warps();
  wave_->free_shared_bytes = tbs_.free().shared_bytes();
}

std::string Residency::describe_waiting() const {
  const ResidentTb* const tb = tbs_.partial();
  if (tb == nullptr) return "";
  const TbTransaction& transaction = *tb->transaction;
  return fmt::format("SM {}: kernel '{}', TB {}: warps {} to {} wait for registers and warp slots\n",
                     transaction.sm.value(), transaction.launch->program().name, transaction.tb,
                     tbs_.buffer()->first_warp().value(), tbs_.buffer()->last_warp().value());
}

}  // namespace heddle
