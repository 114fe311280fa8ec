#include "top/rtl/sm_twin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "hw/pricing/bits.h"
#include "modules/warp_scheduler/policies/ipaws/decisions.h"
#include "modules/warp_scheduler/policies/pro/order.h"
#include "top/rtl/rtl_error.h"

namespace heddle {

namespace {

constexpr unsigned kMostLines = kWarpSize;  // of a load, as OAWS has them (LocalityWarps)

std::string warps_text(WarpMask warps) {
  if (warps == 0) return "none";
  std::string text = (warps & (warps - 1)) == 0 ? "warp" : "warps";
  for (; warps != 0; warps &= warps - 1) text += fmt::format(" {}", lowest_warp(warps));
  return text;
}

/// What Verilator prints of an assertion, without its time, which is not ours.
std::string assertion_text(std::string text) {
  constexpr std::string_view kPrefix = "%Error: ";
  if (const std::size_t at = text.find(kPrefix); at != std::string::npos) text.erase(0, at + kPrefix.size());
  return text.substr(0, text.find('\n'));
}

}  // namespace

SmTwin::SmTwin(unsigned sm, const WarpTable& table, const Setup& setup)
    : sm_(sm),
      table_(table),
      decides_(setup.decides),
      waves_(setup.waves),
      mismatched_(*setup.mismatched),
      vectors_(setup.vectors != nullptr && setup.vectors->sm() == sm ? setup.vectors : nullptr),
      twin_(*setup.library),
      model_place_(static_cast<unsigned>(setup.design->inputs.size())),
      outputs_(setup.design->outputs),
      qualifies_(setup.design->qualifier.has_value()),
      schedulers_(setup.schedulers),
      policies_(*setup.policies),
      oaws_(setup.oaws),
      mascar_(setup.mascar),
      ccws_(setup.ccws),
      gpu_(setup.gpu),
      settle_cycles_(setup.design->settle_cycles),
      timer_cycles_(setup.design->timer_cycles) {
  place_.fill(~0U);
  said_at_.fill(~0U);
  for (unsigned i = 0; i < outputs_.size(); ++i) said_at_[static_cast<unsigned>(outputs_[i])] = i;
  for (unsigned place = 0; place < setup.design->inputs.size(); ++place) {
    const TwinInput input = setup.design->inputs[place];
    place_[static_cast<unsigned>(input)] = place;
    if (input == TwinInput::kNow) now_mask_ = hw::low_bits(setup.design->input_bits[place]);
  }
  for (const TwinDesign::Constant& constant : setup.design->constants)
    idle_[place_[static_cast<unsigned>(constant.input)]] = constant.value;
  in_ = idle_;
  twin_.save(newer_.state);
}

void SmTwin::on_issue(const IssueEvent& event) {
  constexpr unsigned kLanesBits = 6;
  tell(TwinInput::kIssue, event.warp, event.cycle);
  const auto lanes = static_cast<std::uint64_t>(__builtin_popcount(event.active));
  set(TwinInput::kLanes, lanes << event.warp % schedulers_ * kLanesBits);
  if (oaws_ == nullptr || !event.is_l1d_load() || !takes_mshr(*event.instruction, *gpu_)) return;
  set(TwinInput::kTake, warp_bit(event.warp));
  set(TwinInput::kTag, oaws_->forecast().next_number());
}

/// What is next of the warps, of which the model has begun a prediction, and what that of the cycle before is
/// of.
void SmTwin::begin_oaws(std::uint64_t cycle) {
  const WarpMask loads = table_.l1d_loads(table_.valid);
  set(TwinInput::kLoad, loads);
  for (WarpMask left = loads; left != 0; left &= left - 1) {
    if (takes_mshr(*table_.next[lowest_warp(left)], *gpu_)) set(TwinInput::kCached, left & -left);
  }
  if (predicted_.warp != kNoWarp && predicted_.cycle + 1 == cycle) {
    set(TwinInput::kPredictPc, predicted_.pc & hw::low_bits(DivergentLoadClassifier::kPcBits));
    set(TwinInput::kPredictLanes, predicted_.lanes);
  }
  const MissPredictor::Begun& begun = oaws_->predictor().last_begun();
  if (begun.warp == kNoWarp || begun.cycle != cycle) return;
  predicted_ = begun;
  model(TwinOutput::kPredict) |= warp_bit(begun.warp);
}

/// Warps as the policy's update saw them, before a scheduler issued.
void SmTwin::begin_mascar() {
  const WarpMask ready = table_.ready_for_scoreboard() & ~table_.blocked & ~table_.finished;
  set(TwinInput::kMemory, mascar_->accessing(table_.valid));
  set(TwinInput::kCandidate, mascar_->accessing(ready));
  set(TwinInput::kWaiting, table_.waits_long());
  hold(TwinOutput::kSaturated, mascar_->saturated() ? 1 : 0);
  hold(TwinOutput::kOwner, warp_bit_if_any(mascar_->owner()));
}

/// What may load, as it was when the cycle began: who starts in it may in the next one.
void SmTwin::begin_ccws() {
  set(TwinInput::kLoad, table_.l1d_loads(table_.valid));
  hold(TwinOutput::kEligible, ccws_->cutoff().eligible());
  in_[model_place_ + said_at_[static_cast<unsigned>(TwinOutput::kEligible)]] &=
      ~in_[place_[static_cast<unsigned>(TwinInput::kStart)]];
}

void SmTwin::look_up(const LookUp& asked) {
  if (in_[place_[static_cast<unsigned>(TwinInput::kLookUp)]] != 0) {
    asked_later_ = asked;
    return;
  }
  set(TwinInput::kLookUp, 1);
  set(TwinInput::kLookUpStore, asked.store ? 1 : 0);
  set(TwinInput::kLookUpWarp, asked.warp);
  set(TwinInput::kLookUpLine, asked.line_address / gpu_->l1d.cache.line_bytes);
}

void SmTwin::ask_now() {
  const LookUp asked = *asked_later_;
  asked_later_.reset();
  look_up(asked);
}

void SmTwin::on_eviction(const L1dEviction& event) {
  if (ccws_ == nullptr) return;
  advance_to(event.cycle);
  set(TwinInput::kEvict, 1);
  set(TwinInput::kEvictWarp, event.filled_by);
  set(TwinInput::kEvictLine, event.line.address / gpu_->l1d.cache.line_bytes);
}

void SmTwin::on_store(const L1dStore& event) {
  if (ccws_ == nullptr || event.local) return;
  advance_to(event.cycle);
  look_up({true, 0, event.line.address});
}

void SmTwin::on_warp_start(const WarpEvent& event) {
  tell(TwinInput::kStart, event.warp, event.cycle);
  if (ccws_ == nullptr) return;
  idle_[model_place_ + said_at_[static_cast<unsigned>(TwinOutput::kEligible)]] |= warp_bit(event.warp);
}

/// A finished owner is none from the next cycle on, and a finished warp may not load.
void SmTwin::on_warp_finish(const WarpEvent& event) {
  tell(TwinInput::kFinish, event.warp, event.cycle);
  if (ccws_ != nullptr)
    idle_[model_place_ + said_at_[static_cast<unsigned>(TwinOutput::kEligible)]] &= ~warp_bit(event.warp);
  if (mascar_ == nullptr) return;
  idle_[model_place_ + said_at_[static_cast<unsigned>(TwinOutput::kOwner)]] &= ~warp_bit(event.warp);
}

/// Of what comes to and leaves the re-execution queue in a cycle, whether its warp has some in it then.
void SmTwin::hear_queue(const L1dAccess& event) {
  const bool comes = event.outcome == L1dOutcome::kQueued;
  if (!comes && !(event.replayed && event.outcome != L1dOutcome::kRefused)) return;
  advance_to(event.cycle);
  std::uint16_t& queued = queued_[event.warp];
  queued = static_cast<std::uint16_t>(comes ? queued + 1 : queued - 1);
  if (queued > 1 || (queued == 1 && !comes)) return;
  const WarpMask bit = warp_bit(event.warp);
  in_[place_[static_cast<unsigned>(comes ? TwinInput::kDrained : TwinInput::kQueued)]] &= ~bit;
  set(comes ? TwinInput::kQueued : TwinInput::kDrained, bit);
}

void SmTwin::on_kernel_start(const KernelEvent& event) {
  if (!hears(TwinInput::kClear)) return;
  advance_to(event.cycle);
  set(TwinInput::kClear, 1);
}

void SmTwin::on_load_coalesced(const LoadCoalesced& event) {
  if (oaws_ == nullptr || event.bypasses_l1d) return;
  advance_to(event.cycle);
  set(TwinInput::kCoalesced, 1);
  set(TwinInput::kCoalescedPc, event.pc & hw::low_bits(DivergentLoadClassifier::kPcBits));
  set(TwinInput::kCoalescedLines, std::min(event.lines, kMostLines));
}

void SmTwin::on_l1d_access(const L1dAccess& event) {
  if (mascar_ != nullptr) hear_queue(event);
  if (ccws_ != nullptr && event.outcome == L1dOutcome::kMiss) {
    advance_to(event.cycle);
    look_up({false, event.warp, event.line.address});
  }
  if (!hears(TwinInput::kAccess)) return;
  if (event.outcome == L1dOutcome::kRefused || event.outcome == L1dOutcome::kQueued) return;
  advance_to(event.cycle);
  set(TwinInput::kAccess, 1);
  set(TwinInput::kAccessFirst, event.instruction != accessing_ ? 1 : 0);
  set(TwinInput::kAccessMiss, event.outcome != L1dOutcome::kHit ? 1 : 0);
  set(TwinInput::kAccessSet, event.line.set % std::min(gpu_->l1d.cache.sets, 64U));
  accessing_ = event.instruction;
}

void SmTwin::on_load_looked_up(const LoadLookedUp& event) {
  if (oaws_ == nullptr) return;
  const unsigned number = oaws_->forecast().number_of(event.instruction);
  if (number == MshrForecast::kNoLoad) return;
  advance_to(event.cycle);
  set(TwinInput::kLeft, 1);
  set(TwinInput::kLeftTag, number);
  set(TwinInput::kLeftPc, event.pc & hw::low_bits(DivergentLoadClassifier::kPcBits));
  set(TwinInput::kLeftLines, std::min(event.lines, kMostLines));
}

void SmTwin::on_mshr_room(const MshrRoom& event) {
  if (!hears(TwinInput::kRoom)) return;
  advance_to(event.cycle);
  set(TwinInput::kRoomValid, 1);
  set(TwinInput::kRoom, event.free_entries);
  set(TwinInput::kQueueRoom, event.free_queue);
}

void SmTwin::on_tb_start(const TbEvent& event) {
  if (!hears(TwinInput::kTbStart)) return;
  advance_to(event.cycle);
  tbs_[event.slot] = {event.launch_id, true};
  set(TwinInput::kTbStart, std::uint64_t{1} << event.slot);
  set(TwinInput::kTbLaunch, event.launch_id & hw::low_bits(kIpawsLaunchBits));
  set(TwinInput::kTbWarps, event.warps);
  set(TwinInput::kTbNumWarps, event.num_warps);
  const std::uint64_t launch = event.launch_id & hw::low_bits(kProLaunchBits);
  set(TwinInput::kTbTie, launch << kProTbIndexBits | event.tb);
  const bool none_left =
      std::find(dispatched_.rbegin(), dispatched_.rend(), event.launch_id) != dispatched_.rend();
  set(TwinInput::kTbSlow, none_left ? 1 : 0);
}

void SmTwin::on_tb_end(const TbEvent& event) {
  if (!hears(TwinInput::kTbEnd)) return;
  advance_to(event.cycle);
  tbs_[event.slot].resident = false;
  set(TwinInput::kTbEnd, std::uint64_t{1} << event.slot);
}

/// As the policy has it: in the cycle after the one that is told.
void SmTwin::on_grid_dispatched(const GridDispatched& event) {
  if (!hears(TwinInput::kPhase)) return;
  advance_to(event.cycle + 1);
  dispatched_.push_back(event.launch_id);
  for (unsigned slot = 0; slot < tbs_.size(); ++slot) {
    if (tbs_[slot].resident && tbs_[slot].launch == event.launch_id) {
      set(TwinInput::kPhase, std::uint64_t{1} << slot);
    }
  }
}

void SmTwin::on_barrier_arrive(const BarrierEvent& event) {
  if (!hears(TwinInput::kArrive)) return;
  advance_to(event.cycle);
  set(TwinInput::kArrive, event.warps);
}

void SmTwin::on_barrier_release(const BarrierEvent& event) {
  if (!hears(TwinInput::kRelease)) return;
  advance_to(event.cycle);
  set(TwinInput::kRelease, event.warps);
}

namespace {

/// As it is on the twin's ports.
std::uint64_t verdict_of(const PolicyNote& note) {
  const std::uint64_t said = 2 | note.kind;
  return said << kIpawsLaunchBits | (note.value & hw::low_bits(kIpawsLaunchBits));
}

}  // namespace

/// What the policy reads in a cycle is at the twin's input in the one before, at whose end the twin takes it.
void SmTwin::on_note(const PolicyNote& note) {
  if (!hears(TwinInput::kVerdictIn)) return;
  advance_to(note.read_at - 1);
  set(TwinInput::kVerdictIn, verdict_of(note));
}

void SmTwin::on_posted(const PolicyNote& note) {
  if (!hears(TwinInput::kVerdictIn)) return;
  advance_to(note.cycle);
  model(TwinOutput::kVerdict) = verdict_of(note);
}

/// The cycles up to `cycle`, of which nothing is told: those in which the twin has something to do.
void SmTwin::work_until(std::uint64_t cycle) {
  const std::uint64_t settled = now_ + settle_cycles_;
  for (std::uint64_t at = now_ + 1; at < cycle; ++at) {
    if (at > settled && !holds_any() && !policies_.restless(at)) {
      if (timer_cycles_ == 0) return;
      at = (at + timer_cycles_ - 1) / timer_cycles_ * timer_cycles_;
    }
    if (at < cycle) end_cycle(at);
  }
}

void SmTwin::offer(std::uint64_t cycle, WarpMask among) {
  advance_to(cycle);
  const WarpMask stale = among & table_.stale & ~(table_.at_barrier | table_.at_membar);
  if (!qualifies_) set(TwinInput::kReady, among & ~stale);
  set(TwinInput::kStale, stale);
}

void SmTwin::model_chose(unsigned warp) {
  const WarpMask bit = warp_bit(warp);
  const bool passed = (in_[place_[static_cast<unsigned>(TwinInput::kStale)]] & bit) != 0;
  model(passed ? TwinOutput::kPassed : TwinOutput::kGrant) |= bit;
}

WarpMask SmTwin::qualify(WarpMask ready) {
  look();
  const WarpMask qualified = twin(TwinOutput::kQualified);
  const WarpMask asked = in_[place_[static_cast<unsigned>(TwinInput::kReady)]];
  if ((qualified & ~asked) != 0) {
    fail(now_, fmt::format("qualified_o: found {}, expected some of {} that are ready", warps_text(qualified),
                           warps_text(asked)));
  }
  model_qualified(qualified & ready);
  return qualified & ready;
}

SmTwin::Choice SmTwin::choose(WarpMask among) {
  look();
  const Choice choice{twin(TwinOutput::kGrant) & among, twin(TwinOutput::kPassed) & among};
  const WarpMask ready = among & in_[place_[static_cast<unsigned>(TwinInput::kReady)]];
  if ((choice.grant & (choice.grant - 1)) != 0 || (choice.grant & ~ready) != 0) {
    fail(now_, fmt::format("grant_o: found {} of {} that may issue, expected one at most",
                           warps_text(choice.grant), warps_text(ready)));
  }
  model(TwinOutput::kGrant) |= choice.grant;
  model(TwinOutput::kPassed) |= choice.passed;
  return choice;
}

void SmTwin::look() { twin_.look(in_.data(), out_.data()); }

void SmTwin::end_cycle(std::uint64_t cycle) {
  set(TwinInput::kNow, cycle & now_mask_);
  look();
  if (const char* const failure = twin_.failure(); failure != nullptr) {
    fail(cycle, assertion_text(failure));
  }
  for (unsigned i = 0; i < outputs_.size(); ++i) {
    if (out_[i] != in_[model_place_ + i]) compare_failed(cycle);
  }
  if (vectors_ != nullptr) vectors_->add(cycle, in_.data(), out_.data());
  ++edges_;
  grants_ += static_cast<unsigned>(__builtin_popcountll(model(TwinOutput::kGrant)));
  remember(cycle);
  twin_.edge();
  busy_ = in_ != idle_;
  in_ = idle_;
}

/// With the present stretch and the one before there are always enough for the waves. Saving takes as long as
/// some ten edges, so it is seldom done.
void SmTwin::remember(std::uint64_t cycle) {
  if (newer_.records.size() == kStretch) {
    std::swap(older_, newer_);
    newer_.records.clear();
    twin_.save(newer_.state);
  }
  newer_.records.push_back({cycle, in_});
}

/// Says the first difference on the way of a decision.
void SmTwin::compare_failed(std::uint64_t cycle) {
  constexpr std::array<TwinOutput, kNumTwinOutputs> kOrder{
      TwinOutput::kSaturated, TwinOutput::kOwner,   TwinOutput::kEligible, TwinOutput::kPredict,
      TwinOutput::kQualified, TwinOutput::kVerdict, TwinOutput::kGrant,    TwinOutput::kPassed};
  TwinOutput output = outputs_.back();
  for (const TwinOutput next : kOrder) {
    if (!says(next)) continue;
    output = next;
    if (twin(next) != model(next)) break;
  }
  if (output == TwinOutput::kVerdict || output == TwinOutput::kSaturated) {
    fail(cycle, fmt::format("{}: the model has {:#x}, the twin {:#x}", port_name(output), model(output),
                            twin(output)));
  }
  fail(cycle, fmt::format("{}: the model has {:#x} ({}), the twin {:#x} ({})", port_name(output),
                          model(output), warps_text(model(output)), twin(output), warps_text(twin(output))));
}

void SmTwin::fail(std::uint64_t cycle, const std::string& problem) {
  const std::string waves = mismatched_.exchange(true) ? "" : write_waves(cycle);
  throw TwinMismatch(fmt::format("SM {}, core cycle {}: {}{}", sm_, cycle, problem, waves));
}

/// Does the last cycles again, with waves, from a state before them.
std::string SmTwin::write_waves(std::uint64_t cycle) {
  const std::string temporary = waves_ + ".tmp";
  const std::uint64_t from = cycle < kWindow ? 0 : cycle - kWindow;
  newer_.records.push_back({cycle, in_});
  const bool has_older = !older_.records.empty();
  twin_.restore(has_older ? older_.state : newer_.state);
  std::array<std::uint64_t, kNumTwinOutputs> out{};
  bool shows = false;
  for (const Stretch* const stretch : {&older_, &newer_}) {
    for (const Record& record : stretch->records) {
      if (!shows && record.cycle >= from) {
        shows = twin_.begin_waves(temporary);
        if (!shows) return fmt::format("; no waves: {} can't be written", temporary);
      }
      twin_.look(record.in.data(), out.data());
      if (shows) twin_.show_cycle(record.cycle);
      twin_.edge();
    }
  }
  twin_.end_waves();
  twin_.failure();
  if (std::rename(temporary.c_str(), waves_.c_str()) != 0)
    return fmt::format("; no waves: {} can't be written", waves_);
  return fmt::format("; waves of the {} cycles before it: {}", kWindow, waves_);
}

}  // namespace heddle
