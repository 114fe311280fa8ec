// What the issue stage tells about itself.
#include <fmt/format.h>

#include "modules/counts/launch_counts.h"
#include "modules/sm/issue_stage.h"

namespace heddle {

void IssueStage::settle() {
  const Cycle cycle = domain().cycle_now();
  for (const auto& scheduler : schedulers_) scheduler->settle(cycle);
  feed_.policies().settle(cycle);
  account_residency(cycle + 1);
  for (WarpMask left = table_.resident; left != 0; left &= left - 1) {
    Warp& warp = warps_[lowest_warp(left)];
    if (warp.counts != nullptr) count_residence(warp, cycle + 1);
  }
}

void IssueStage::report(StatSink& sink) const {
  statistics_.report(sink);
  for (unsigned s = 0; s < schedulers(); ++s) {
    StatScope scope(sink, "scheduler" + std::to_string(s));
    schedulers_[s]->report(sink);
  }
  feed_.policies().report(sink);
}

void IssueStage::trace(WaveSink& sink) {
  if (sink.wanted()) {
    wave_ = std::make_unique<Wave>();
    const unsigned warps = config_.core.warps;
    sink.signal(wave_->resident, warps, "resident");
    sink.signal(wave_->valid, warps, "ibuffer_valid");
    sink.signal(wave_->blocked, warps, "scoreboard_blocked");
    sink.signal(wave_->at_barrier, warps, "at_barrier");
    sink.signal(wave_->at_membar, warps, "at_membar");
    sink.signal(wave_->finished, warps, "finished");
    sink.signal(wave_->tbs, 8, "resident_tbs");
    sink.signal(wave_->free_registers, 32, "free_registers");
    sink.signal(wave_->free_warp_slots, 8, "free_warp_slots");
    sink.signal(wave_->free_shared_bytes, 32, "free_shared_bytes");
  }
  if (tbs_.buffer() != nullptr) {
    const WaveScope scope(sink, "workload_buffer");
    tbs_.buffer()->trace(sink);
  }
  for (unsigned s = 0; s < schedulers(); ++s) {
    WaveScope scope(sink, "scheduler" + std::to_string(s));
    schedulers_[s]->trace(sink);
  }
  feed_.policies().trace(sink);
}

void IssueStage::update_wave() {
  wave_->resident = table_.resident;
  wave_->valid = table_.valid;
  wave_->blocked = table_.blocked;
  wave_->at_barrier = table_.at_barrier;
  wave_->at_membar = table_.at_membar;
  wave_->finished = table_.finished;
  wave_->tbs = tbs_.resident();
  wave_->free_registers = tbs_.free().registers();
  wave_->free_warp_slots = tbs_.free().warps();
  wave_->free_shared_bytes = tbs_.free().shared_bytes();
}

std::string IssueStage::describe_waiting() const {
  std::string text;
  for (WarpMask left = table_.resident; left != 0; left &= left - 1)
    text += describe(lowest_warp(left)) + "\n";
  if (const TbSlot* const slot = tbs_.partial(); slot != nullptr) {
    text += fmt::format("SM {}: kernel '{}', TB {}: warps {} to {} wait for registers and warp slots\n",
                        site_.sm, slot->transaction->launch->program().name, slot->transaction->tb,
                        tbs_.buffer()->first_warp(), tbs_.buffer()->last_warp());
  }
  return text;
}

std::string IssueStage::describe(unsigned w) const {
  const WarpMask bit = warp_bit(w);
  const Warp& warp = warps_[w];
  const TbSlot& slot = tbs_.slot(warp.tb_slot);
  const Program& program = slot.transaction->launch->program();
  std::string where = fmt::format("SM {} warp slot {}: kernel '{}', TB {}, warp {}: ", site_.sm, w,
                                  program.name, slot.transaction->tb, warp.warp_in_tb);
  if ((table_.finished & bit) != 0) {
    return where + fmt::format("has exited, waits for {} instructions and {} stores in flight",
                               warp.in_flight, stores_.outstanding_stores(w));
  }
  std::string reason;
  if ((table_.at_barrier & bit) != 0) {
    for (unsigned b = 0; b < BarrierSet::kBarriers; ++b) {
      const WarpMask waiting = slot.barriers.waiting_at(b);
      if ((waiting & bit) == 0) continue;
      reason = fmt::format("waits at barrier {}, which {} of {} warps have reached", b,
                           __builtin_popcountll(waiting), slot.barriers.expected_at(b));
    }
  } else if ((table_.at_membar & bit) != 0) {
    reason = fmt::format("waits at a membar for {} memory instructions and {} stores", warp.memory_in_flight,
                         stores_.outstanding_stores(w));
  } else if ((table_.valid & bit) == 0) {
    reason =
        (fetch_.missing() & bit) != 0 ? "waits for the instruction cache" : "waits for instruction fetch";
  } else if ((table_.blocked_memory & bit) != 0) {
    reason = "waits for a load or atomic";
  } else if ((table_.blocked & bit) != 0) {
    reason = "waits for a result in flight";
  } else {
    reason = "could issue";
  }
  const std::uint32_t index = warp.next_index;
  if (index < program.code.size()) {
    const Instruction& next = program.code[index];
    reason += fmt::format("; next: {}:{}: {}", program.source_file, next.line,
                          index < program.text.size() ? program.text[index] : fmt::format("#{}", index));
  }
  const std::string stack = slot.block->describe_warp(warp.warp_in_tb);
  return where + reason + (stack.empty() ? "" : "\n" + stack);
}

}  // namespace heddle
