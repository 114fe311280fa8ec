#include "modules/warp_scheduler/warp_scheduler.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/pricing/bits.h"
#include "modules/counts/issue_cause_report.h"
#include "modules/counts/launch_counts.h"

namespace heddle {

namespace {
constexpr const char* kWarpSchedulerReportId = "/heddle/warp_scheduler";

/// `warp` is none, or one of those that may issue.
bool may_be_chosen(unsigned warp, WarpMask qualified) {
  return warp == kNoWarp || (warp < kMaxWarps && (qualified >> warp & 1U) != 0);
}

[[gnu::cold, gnu::noinline]] void report_withheld(const char* scheduler) {
  SC_REPORT_ERROR(kWarpSchedulerReportId,
                  fmt::format("{}: the operand collector withheld an instruction; expected it to "
                              "take one when IssueReady has a free slot",
                              scheduler)
                      .c_str());
}
}  // namespace

IssueEvent issue_event(const WarpInstruction& instruction, std::uint64_t cycle) {
  return {instruction.warp, instruction.instruction, instruction.active, cycle,
          instruction.id,   instruction.pc,          instruction.space,  instruction.access};
}

WarpScheduler::WarpScheduler(const sc_core::sc_module_name& name, unsigned index, const WarpTable& table,
                             SmPolicies& policies, IssueHost& host, WarpMask supervised)
    : sc_module(name),
      table_(table),
      host_(host),
      qualifier_(policies.qualifies() ? policies.of_scheduler(index).qualifier.get() : nullptr),
      prioritizer_(policies.of_scheduler(index).prioritizer.get()),
      choice_(policies.choice(index)),
      tells_stalls_(policies.hear<event::Stall>()),
      keeps_active_set_(prioritizer_->keeps_active_set()),
      supervised_(supervised),
      issue("issue"),
      ready("ready"),
      index_(index),
      sm_policies_(policies) {
  issue.bind(host.answers());
}

void WarpScheduler::end_of_elaboration() {
  collector_ = issue.operator->();
  open_ = ready.operator->();
}

void WarpScheduler::charge_from(std::uint64_t cycle, IssueCause cause, LaunchCounts* counts) {
  settle(cycle - 1);
  counts_ = counts;
  if (cause == cause_) return;
  cause_ = cause;
  cause_changed.fire(cycle, cause);
}

/// Which warps are active changes while the prioritizer rests.
void WarpScheduler::charge_rest(std::uint64_t until) {
  const std::uint64_t first = charged_until_ + 1;
  const auto cycles_with = [&](WarpMask warps) {
    return warps == 0 ? 0 : prioritizer_->cycles_with_active(warps, first, until);
  };
  const std::uint64_t pipeline = cycles_with(passed_);
  const std::uint64_t valid = cycles_with(valid_);
  seen_cycles_[static_cast<unsigned>(IssueClass::kPipeline)] += pipeline;
  seen_cycles_[static_cast<unsigned>(IssueClass::kScoreboard)] += valid - pipeline;
  seen_cycles_[static_cast<unsigned>(IssueClass::kIdle)] += until - charged_until_ - valid;
}

void WarpScheduler::count_for_launch(std::uint64_t cycles) {
  counts_->cycles[static_cast<unsigned>(cause_)] += cycles;
}

void WarpScheduler::tell_stall(std::uint64_t cycles) {
  sm_policies_.tell<event::Stall>({index_, valid_, passed_, charged_until_ + 1, cycles});
}

WarpScheduler::Outcome WarpScheduler::run(std::uint64_t cycle) {
  if (tells_stalls_ || keeps_active_set_) settle(cycle - 1);  // before the policies decide
  const WarpMask valid = supervised_ & table_.ready_for_scoreboard();
  const WarpMask passed = valid & ~table_.blocked;
  valid_ = valid;
  passed_ = passed;
  Outcome outcome;
  std::uint64_t next = prioritizer_->update(cycle);
  const WarpMask issuable = with_free_unit(passed, full_units_);
  WarpMask qualified = issuable;
  if (qualifier_ != nullptr) {
    outcome.next_update = std::min(outcome.next_update, qualifier_->update(cycle));
    if (issuable != 0) qualified = qualifier_->qualify(cycle, issuable);
    if ((qualified & ~issuable) != 0) {
      refuse_qualified(cycle, qualified, issuable);
      qualified &= issuable;
    }
    held_ = issuable & ~qualified;
  }
  const WarpMask off_path = table_.off_path;
  const WarpMask stale = supervised_ & table_.stale & ~(table_.at_barrier | table_.at_membar);
  const unsigned selected =
      choice_ == nullptr ? select(cycle, qualified, stale) : select_in_stages(cycle, qualified, stale);
  outcome.flushed = (stale & ~table_.stale) != 0;
  const bool under_way = choice_ != nullptr && choice_->under_way() != 0;
  rests_ = false;
  // Of the warps that are active in this cycle: wait() may send some away.
  if (keeps_active_set_) {
    seen_ = selected != kNoWarp ? IssueClass::kIssued : stall_class(valid, passed);
    looked_at_ = cycle;
  }
  if (selected == kNoWarp && !under_way) next = wait(cycle, qualified, issuable | stale, next);
  if (under_way || arrived_) next = cycle + 1;
  outcome.next_update = std::min(outcome.next_update, next);
  unsigned charged = selected;
  const WarpInstruction* issued = nullptr;
  IssueCause cause = IssueCause::kIssued;
  if (selected != kNoWarp) {
    issued = &hand_over(selected, cycle);
    outcome.issued = true;
  } else {
    cause = stall_cause(valid, passed, off_path, charged);
  }
  LaunchCounts* const counts = charged == kNoWarp || !table_.counted ? nullptr : table_.counts[charged];
  if (cause != cause_ || counts != counts_) charge_from(cycle, cause, counts);
  if (tells_stalls_) settle(cycle);
  if (wave_) show(valid, issuable, qualified, stale, selected, issued);
  if (took_turn.heard()) tell_turn(cycle, issuable, off_path, issued);
  return outcome;
}

/// Nothing was chosen. Returns when the prioritizer must be updated again, `next` as far as it has said.
std::uint64_t WarpScheduler::wait(std::uint64_t cycle, WarpMask qualified, WarpMask offered,
                                  std::uint64_t next) {
  // The prioritizer wants only warps that the qualifier holds back.
  if (qualified != 0 && prioritizer_->pass_over(cycle, held_)) return cycle + 1;
  if (held_ != 0 || next != cycle + 1) return next;
  next = prioritizer_->rest(cycle, offered, next);
  rests_ = keeps_active_set_ && next != cycle + 1;
  return next;
}

void WarpScheduler::tell_turn(std::uint64_t cycle, WarpMask issuable, WarpMask off_path,
                              const WarpInstruction* issued) {
  SchedulerTurn turn;
  turn.cycle = cycle;
  turn.table = &table_;
  turn.supervised = supervised_;
  turn.issuable = issuable;
  turn.barred = held_ | prioritizer_->barred(cycle, issuable);
  turn.off_path = off_path;
  turn.issued = issued;
  took_turn.fire(turn);
}

void WarpScheduler::show(WarpMask valid, WarpMask issuable, WarpMask qualified, WarpMask stale,
                         unsigned selected, const WarpInstruction* issued) {
  wave_->valid = valid;
  wave_->ready = passed_;
  wave_->open_units = open_->open_units();  // as the issue left them
  if (issued != nullptr) wave_->open_units |= 1U << static_cast<unsigned>(issued->instruction->unit);
  wave_->issuable = issuable;
  wave_->qualified = qualified;
  wave_->stale = stale;
  wave_->flushed = stale & ~table_.stale;
  wave_->selected = warp_bit_if_any(selected);
  wave_->issued = issued != nullptr ? 1 : 0;
  if (issued != nullptr) {
    wave_->selected_warp = selected;
    wave_->issue.show(*issued);
  }
  wave_->cause = static_cast<std::uint64_t>(cause_);
}

/// Goes through the warps in the prioritizer's order until one can issue: a stale I-buffer is emptied only
/// when the scheduler comes to its warp (gtx480.md, "SM pipeline").
ChoicePipeline::Choice WarpScheduler::choose(std::uint64_t cycle, WarpMask qualified, WarpMask stale) {
  ChoicePipeline::Choice choice;
  for (WarpMask candidates = qualified | stale; candidates != 0;) {
    const unsigned warp = prioritizer_->select(cycle, candidates);
    if (warp == kNoWarp) break;
    if (warp >= kMaxWarps || ((stale & candidates) >> warp & 1U) == 0) {
      choice.warp = warp;
      break;
    }
    choice.passed_over |= warp_bit(warp);
    candidates &= ~warp_bit(warp);
  }
  return choice;
}

unsigned WarpScheduler::select(std::uint64_t cycle, WarpMask qualified, WarpMask stale) {
  const ChoicePipeline::Choice choice = choose(cycle, qualified, stale);
  flush(choice.passed_over);
  if (may_be_chosen(choice.warp, qualified)) return choice.warp;
  refuse_selected(cycle, choice.warp, qualified);
  return kNoWarp;
}

/// Begins a choice among the warps that are on no way yet, and gives the one that arrives, if it can issue.
unsigned WarpScheduler::select_in_stages(std::uint64_t cycle, WarpMask qualified, WarpMask stale) {
  const WarpMask others = ~choice_->under_way();
  const ChoicePipeline::Choice arriving = choice_->arrive(cycle);
  arrived_ = arriving.warp != kNoWarp || arriving.passed_over != 0;
  const WarpMask admitted = qualified == 0 ? 0 : prioritizer_->admitted(cycle, qualified);
  ChoicePipeline::Choice beginning = choose(cycle, admitted & others, stale & others);
  if (!may_be_chosen(beginning.warp, admitted & others)) {
    refuse_selected(cycle, beginning.warp, admitted & others);
    beginning.warp = kNoWarp;
  }
  choice_->begin(cycle, beginning);
  flush(arriving.passed_over & stale);
  if (arriving.warp == kNoWarp) return kNoWarp;
  if ((admitted >> arriving.warp & 1U) != 0) {
    choice_->used();
    return arriving.warp;
  }
  choice_->lost();
  return kNoWarp;
}

void WarpScheduler::refuse_selected(std::uint64_t cycle, unsigned warp, WarpMask offered) const {
  SC_REPORT_ERROR(
      kWarpSchedulerReportId,
      fmt::format("{}: in cycle {} prioritizer '{}' selected the warp in slot {}; expected kNoWarp or one of "
                  "those that may issue, {:#x}",
                  name(), cycle, sm_policies_.names().prioritizer->name, warp, offered)
          .c_str());
}

void WarpScheduler::refuse_qualified(std::uint64_t cycle, WarpMask qualified, WarpMask offered) const {
  SC_REPORT_ERROR(kWarpSchedulerReportId,
                  fmt::format("{}: in cycle {} qualifier '{}' let warps {:#x} issue; expected some of {:#x}",
                              name(), cycle, sm_policies_.names().qualifier->name, qualified, offered)
                      .c_str());
}

void WarpScheduler::flush(WarpMask warps) {
  for (; warps != 0; warps &= warps - 1) host_.flush(lowest_warp(warps));
}

WarpMask WarpScheduler::with_free_unit(WarpMask passed, unsigned& full) const {
  full = 0;
  if (passed == 0) return 0;
  const unsigned open = open_->open_units();
  WarpMask issuable = 0;
  for (unsigned u = 0; u < kNumUnits; ++u) {
    const WarpMask wanting = passed & table_.needs[u];
    if ((open >> u & 1U) != 0) {
      issuable |= wanting;
    } else if (wanting != 0) {
      full |= 1U << u;
    }
  }
  return issuable;
}

bool WarpScheduler::unit_opened() const {
  return full_units_ != 0 && (open_->open_units() & full_units_) != 0;
}

const WarpInstruction& WarpScheduler::hand_over(unsigned warp, std::uint64_t cycle) {
  WarpInstruction& instruction = host_.execute(warp);
  const IssueEvent event = issue_event(instruction, cycle);
  if (qualifier_ != nullptr) qualifier_->on_issue(event);
  prioritizer_->on_issue(event);
  if ((table_.finished >> warp & 1U) != 0) warp_finished(warp);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  if (collector_->nb_transport_fw(instruction, phase, delay) == tlm::TLM_ACCEPTED) {
    report_withheld(name());
  }
  return instruction;
}

IssueCause WarpScheduler::stall_cause(WarpMask valid, WarpMask passed, WarpMask off_path,
                                      unsigned& warp) const {
  if (passed != 0) {
    const unsigned oldest = by_age_.first_of(passed);
    warp = oldest;
    for (unsigned u = 0; u < kNumUnits; ++u) {
      if ((full_units_ >> u & 1U) == 0 || (table_.needs[u] >> oldest & 1U) == 0) continue;
      return static_cast<IssueCause>(static_cast<unsigned>(IssueCause::kPipelineSp) + u);
    }
    return IssueCause::kPolicy;
  }
  if (valid != 0) {
    warp = by_age_.first_of(valid);
    const WarpMask oldest = warp_bit_if_any(warp);
    if ((table_.blocked_memory & oldest) != 0) return IssueCause::kScoreboardMemory;
    if ((table_.blocked_shared & oldest) != 0) return IssueCause::kScoreboardShared;
    if ((table_.blocked_sfu & oldest) != 0) return IssueCause::kScoreboardSfu;
    return IssueCause::kScoreboardAlu;
  }
  if (by_age_.empty()) {
    warp = kNoWarp;
    return (table_.resident & supervised_) == 0 ? IssueCause::kEmpty : IssueCause::kDrain;
  }
  warp = by_age_.first_of(supervised_);
  const WarpMask oldest = warp_bit_if_any(warp);
  if ((table_.at_barrier & oldest) != 0) return IssueCause::kBarrier;
  if ((table_.at_membar & oldest) != 0) return IssueCause::kMembar;
  return (off_path & oldest) != 0 ? IssueCause::kFlush : IssueCause::kFetch;
}

IssueClass WarpScheduler::stall_class(WarpMask valid, WarpMask passed) const {
  const WarpMask active = prioritizer_->active();
  if ((passed & active) != 0) return IssueClass::kPipeline;
  return (valid & active) != 0 ? IssueClass::kScoreboard : IssueClass::kIdle;
}

void WarpScheduler::warp_started(unsigned warp) {
  by_age_.append(warp);
  if (qualifier_ != nullptr) qualifier_->on_start(warp);
  prioritizer_->on_start(warp);
}

void WarpScheduler::warp_finished(unsigned warp) {
  by_age_.remove(warp);
  if (qualifier_ != nullptr) qualifier_->on_finish(warp);
  prioritizer_->on_finish(warp);
}

void WarpScheduler::report(StatSink& sink) const {
  report_causes(cycles_, CauseScope::kScheduler, sink);
  if (keeps_active_set_) report_active_set(seen_cycles_, sink);
  if (choice_ != nullptr) choice_->report(sink);
  sm_policies_.report_facets(index_, sink);
}

void WarpScheduler::trace(WaveSink& sink) {
  if (sink.wanted()) {
    wave_ = std::make_unique<Wave>();
    wave_->open_units = (1U << kNumUnits) - 1;  // of an SM that has done nothing yet
    wave_->cause = static_cast<std::uint64_t>(cause_);
    sink.signal(wave_->valid, table_.slots, "valid");
    sink.signal(wave_->ready, table_.slots, "ready");
    sink.signal(wave_->open_units, kNumUnits, "open_units");
    sink.signal(wave_->issuable, table_.slots, "issuable");
    sink.signal(qualifier_ == nullptr ? wave_->issuable : wave_->qualified, table_.slots, "qualified");
    sink.signal(wave_->stale, table_.slots, "stale");
    sink.signal(wave_->flushed, table_.slots, "flushed");
    sink.signal(wave_->selected, table_.slots, "selected");
    sink.signal(wave_->selected_warp, hw::index_bits(table_.slots), "selected_warp");
    sink.signal(wave_->issued, 1, "issued");
    wave_->issue.trace(sink);
    sink.enumeration(wave_->cause, "cause", issue_cause_names());
  }
  sm_policies_.trace_facets(index_, sink);
}

}  // namespace heddle
