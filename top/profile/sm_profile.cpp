#include "top/profile/sm_profile.h"

#include <algorithm>

namespace heddle {

namespace {

/// States that the instruction which the warp issued last has brought on; the others delay the next one.
bool is_of_last(unsigned state) {
  switch (static_cast<WarpState>(state)) {
    case WarpState::kSelected:
    case WarpState::kBarrier:
    case WarpState::kMembar:
    case WarpState::kDrain:
    case WarpState::kEnded:
      return true;
    default:
      return false;
  }
}

unsigned warps_in(WarpMask mask) { return static_cast<unsigned>(__builtin_popcountll(mask)); }

bool covers(const KernelText& kernel, std::uint64_t pc) {
  return pc >= kernel.code_base && pc < kernel.code_base + kernel.lines.size() * Instruction::kBytes;
}

void count_access(LineCounts& line, const WarpInstruction& instruction, const LdstWork& work) {
  line.access_lanes += static_cast<unsigned>(__builtin_popcount(instruction.access));
  if (work.parts == 0) return;
  switch (instruction.space) {
    case Space::kShared:
      line.bank_cycles += work.parts;
      line.bank_conflict_cycles += work.parts - 1;
      break;
    case Space::kConst:
    case Space::kParam:
      line.constants += work.parts;
      break;
    case Space::kTexture:
      line.texture_lines += work.parts;
      break;
    default:
      line.accesses += work.parts;
      line.moved_bytes += work.moved_bytes;
  }
}

}  // namespace

SmProfile::SmProfile(Sm& sm, KernelBook& book)
    : sm_(sm), book_(book), schedulers_(sm.issue.issuer.schedulers()) {
  listen();
}

void SmProfile::listen() {
  for (unsigned s = 0; s < schedulers(); ++s) {
    sm_.issue.issuer.scheduler(s).took_turn.listen(
        [this, s](const SchedulerTurn& turn) { take_turn(schedulers_[s], turn); });
  }
  sm_.issue.residency.warp_started.listen(
      [this](unsigned warp, const TbTransaction& tb, Cycle cycle) { start_warp(warp, tb, cycle); });
  sm_.ldst.started.listen([this](const WarpInstruction& instruction, const LdstWork& work) {
    count_access(line_at(instruction.pc), instruction, work);
  });
  sm_.ldst.load_completed.listen([this](const WarpInstruction& instruction, Cycle cycle) {
    LineCounts& line = line_at(instruction.pc);
    ++line.results;
    line.result_cycles += cycle - instruction.issued_at;
  });
  sm_.l1d.load_left.listen([this](const MemoryRequest& request, L1dOutcome outcome) {
    LineCounts& line = line_at(request.pc);
    line.l1d_hits += outcome == L1dOutcome::kHit ? 1 : 0;
    line.l1d_merged += outcome == L1dOutcome::kMerged ? 1 : 0;
    line.l1d_misses += outcome == L1dOutcome::kMiss ? 1 : 0;
  });
  sm_.texture.looked_up.listen([this](const MemoryRequest& request, TextureOutcome outcome) {
    LineCounts& line = line_at(request.pc);
    line.texture_hits += outcome == TextureOutcome::kHit ? 1 : 0;
    line.texture_pending += outcome == TextureOutcome::kPending ? 1 : 0;
    line.texture_misses += outcome == TextureOutcome::kMiss ? 1 : 0;
  });
}

void SmProfile::start_warp(unsigned w, const TbTransaction& tb, Cycle cycle) {
  for (Scheduler& scheduler : schedulers_) count(scheduler, cycle);
  Slot& slot = slots_[w];
  count(slot, cycle);
  slot = {};
  slot.since = cycle;
  slot.kernel = &lines_of(*tb.launch);
  slot.launch = &launches_[tb.launch_id];
  slot.next = &line_at(sm_.issue.issuer.next_pc(w));
  slot.last = slot.next;
  set_launch(warp_bit(w), *slot.launch);
}

void SmProfile::set_launch(WarpMask warp, WarpAccount& launch) {
  for (Present& present : present_) present.warps &= ~warp;
  const auto known = std::find_if(present_.begin(), present_.end(),
                                  [&launch](const Present& present) { return present.launch == &launch; });
  if (known != present_.end()) {
    known->warps |= warp;
  } else {
    present_.push_back({&launch, warp});
  }
  present_.erase(std::remove_if(present_.begin(), present_.end(),
                                [](const Present& present) { return present.warps == 0; }),
                 present_.end());
}

void SmProfile::take_turn(Scheduler& scheduler, const SchedulerTurn& turn) {
  count(scheduler, turn.cycle);
  const WarpsByState now = states_of(turn);
  // A warp that issues twice in a row has one state, but two instructions.
  WarpMask changed = now[static_cast<unsigned>(WarpState::kSelected)];
  for (unsigned s = 0; s < kNumWarpStates; ++s) changed |= scheduler.warps[s] ^ now[s];
  for (; changed != 0; changed &= changed - 1) {
    const unsigned w = lowest_warp(changed);
    Slot& slot = slots_[w];
    count(slot, turn.cycle);
    slot.state = state_index(now, w);
  }
  if (turn.issued != nullptr) {
    issue(*turn.issued, (turn.table->finished >> turn.issued->warp & 1U) != 0);
  }
  scheduler.warps = now;
  scheduler.resident = turn.table->resident;
}

void SmProfile::issue(const WarpInstruction& instruction, bool finished) {
  Slot& slot = slots_[instruction.warp];
  slot.last = &slot.kernel->lines[instruction.index];
  if (!finished) slot.next = &line_at(sm_.issue.issuer.next_pc(instruction.warp));
  ++slot.last->issued;
  slot.last->path_lanes += static_cast<unsigned>(__builtin_popcount(instruction.path));
  slot.last->lanes += static_cast<unsigned>(__builtin_popcount(instruction.active));
}

void SmProfile::count(Scheduler& scheduler, Cycle until) {
  if (until <= scheduler.since) return;
  const Cycle cycles = until - scheduler.since;
  scheduler.since = until;
  if (scheduler.resident == 0 && scheduler.warps[static_cast<unsigned>(WarpState::kEnded)] == 0) return;
  WarpMask eligible = 0;
  for (unsigned s = 0; s < kNumWarpStates; ++s) {
    scheduler.account.cycles[s] += cycles * warps_in(scheduler.warps[s]);
    if (is_eligible(static_cast<WarpState>(s))) eligible |= scheduler.warps[s];
  }
  const auto count_cycles = [&](WarpAccount& account, WarpMask among) {
    if ((scheduler.resident & among) == 0) return;
    account.scheduler_cycles += cycles;
    if ((eligible & among) == 0) account.no_eligible_cycles += cycles;
  };
  count_cycles(scheduler.account, ~WarpMask{0});
  for (const Present& present : present_) count_cycles(*present.launch, present.warps);
}

void SmProfile::count(Slot& slot, Cycle until) const {
  if (slot.state < kNumWarpStates && until > slot.since) {
    const Cycle cycles = until - slot.since;
    LineCounts& line = is_of_last(slot.state) ? *slot.last : *slot.next;
    line.cycles[slot.state] += cycles;
    slot.launch->cycles[slot.state] += cycles;
  }
  slot.since = until;
}

void SmProfile::settle(Cycle until) {
  for (Scheduler& scheduler : schedulers_) count(scheduler, until);
  for (Slot& slot : slots_) count(slot, until);
}

SmProfile::KernelLines& SmProfile::lines_of(const KernelLaunch& launch) {
  const KernelText& text = book_.text_of(launch);
  for (const auto& kernel : kernels_) {
    if (kernel->text == &text) return *kernel;
  }
  KernelLines& kernel = *kernels_.emplace_back(std::make_unique<KernelLines>());
  kernel.text = &text;
  kernel.lines.resize(text.lines.size());
  return kernel;
}

LineCounts& SmProfile::line_at(std::uint64_t pc) {
  if (!covers(*kernels_[last_kernel_]->text, pc)) {
    last_kernel_ = 0;
    while (!covers(*kernels_.at(last_kernel_)->text, pc)) ++last_kernel_;
  }
  KernelLines& kernel = *kernels_[last_kernel_];
  return kernel.lines[(pc - kernel.text->code_base) / Instruction::kBytes];
}

}  // namespace heddle
