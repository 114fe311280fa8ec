// What an issuer tells of itself: statistics, waves, and in words what its warps wait for.
#include <fmt/format.h>

#include <algorithm>

#include "modules/sm/issue/issuer.h"

namespace heddle {

namespace {

std::string slots_of(WarpMask warps) {
  std::string text = (warps & (warps - 1)) == 0 ? "the warp in slot" : "the warps in slots";
  for (const char* separator = " "; warps != 0; warps &= warps - 1, separator = ", ") {
    text += fmt::format("{}{}", separator, lowest_warp(warps));
  }
  return text;
}

}  // namespace

void Issuer::report(StatSink& sink) const {
  for (unsigned s = 0; s < schedulers(); ++s) {
    const StatScope scope(sink, "scheduler" + std::to_string(s));
    schedulers_[s]->report(sink);
  }
}

void Issuer::trace_schedulers(WaveSink& sink) {
  for (unsigned s = 0; s < schedulers(); ++s) {
    const WaveScope scope(sink, "scheduler" + std::to_string(s));
    schedulers_[s]->trace(sink);
  }
}

void Issuer::trace_state_of_schedulers(WaveSink& sink) {
  for (unsigned s = 0; s < schedulers(); ++s) {
    const WaveScope scope(sink, "scheduler" + std::to_string(s));
    schedulers_[s]->trace_state(sink);
  }
}

std::string Issuer::describe(unsigned w) const {
  const Warp& warp = warps_[w];
  const Program& program = warp.launch->program();
  const std::string where =
      fmt::format("SM {} warp slot {}: kernel '{}', TB {}, warp {}: ", site_.sm, w, program.name,
                  residency_.tb_of(w).transaction->tb, warp.warp_in_tb.value());
  if ((table_.finished & warp_bit(w)) != 0) {
    return where + fmt::format("has exited, waits for {} instructions and {} stores in flight",
                               warp.in_flight, stores_.outstanding_stores(w));
  }
  std::string text = where + describe_wait(w);
  const std::uint32_t index = warp.next_index;
  if (index < program.code.size()) {
    const Instruction& next = program.code[index];
    text += fmt::format("; next: {}:{}: {}", program.source_file, next.line,
                        index < program.text.size() ? program.text[index] : fmt::format("#{}", index));
  }
  const std::string stack = warp.block->describe_warp(warp.warp_in_tb.value());
  return text + (stack.empty() ? "" : "\n" + stack);
}

/// Who keeps `warps`, which could issue, from it.
std::string Issuer::describe_choice(unsigned s, WarpMask warps) const {
  const PolicyNames& names = feed_.policies().names();
  const WarpMask held = warps & schedulers_[s]->held_back();
  std::string text;
  if (held != 0) text = fmt::format("'{}' holds back {}", names.qualifier->name, slots_of(held));
  if (held != 0 && held != warps) text += ", ";
  if (held != warps)
    text += fmt::format("'{}' passes over {}", names.prioritizer->name, slots_of(warps & ~held));
  return fmt::format("SM {} scheduler {}: {}", site_.sm, s, text);
}

std::string Issuer::describe_held_back() const {
  std::string text;
  for (unsigned s = 0; s < schedulers(); ++s) {
    const WarpMask warps = schedulers_[s]->could_issue();
    if (warps != 0) text += describe_choice(s, warps) + "\n";
  }
  return text;
}

void Issuer::look_for_starved(Cycle cycle) {
  WarpMask now = 0;
  for (const auto& scheduler : schedulers_) now |= scheduler->could_issue();
  for (WarpMask left = now; left != 0; left &= left - 1) {
    const unsigned w = lowest_warp(left);
    if ((could_issue_ >> w & 1U) == 0 || warps_[w].issued_at > could_since_[w]) could_since_[w] = cycle;
  }
  could_issue_ = now;
  looked_at_ = cycle;
}

WarpMask Issuer::starved(Cycle cycles) const {
  WarpMask warps = 0;
  for (WarpMask left = could_issue_; left != 0; left &= left - 1) {
    const unsigned w = lowest_warp(left);
    const Cycle since = std::max(could_since_[w], warps_[w].issued_at);
    if (looked_at_ >= since + cycles) warps |= warp_bit(w);
  }
  return warps;
}

std::string Issuer::describe_starved(WarpMask warps) const {
  std::string text;
  for (unsigned s = 0; s < schedulers(); ++s) {
    const WarpMask own = warps & schedulers_[s]->supervised();
    if (own == 0) continue;
    Cycle since = looked_at_;
    for (WarpMask left = own; left != 0; left &= left - 1)
      since = std::min(since, could_since_[lowest_warp(left)]);
    text += fmt::format("{}, the longest since cycle {}\n", describe_choice(s, own), since);
  }
  return text;
}

std::string Issuer::describe_wait(unsigned w) const {
  const WarpMask bit = warp_bit(w);
  const Warp& warp = warps_[w];
  if ((table_.at_barrier & bit) != 0) {
    const BarrierSet& barriers = barriers_[warp.tb_slot.value()];
    unsigned b = 0;
    while ((barriers.waiting_at(b) & bit) == 0) ++b;
    return fmt::format("waits at barrier {}, which {} of {} warps have reached", b,
                       __builtin_popcountll(barriers.waiting_at(b)), barriers.expected_at(b));
  }
  if ((table_.at_membar & bit) != 0) {
    return fmt::format("waits at a membar for {} memory instructions and {} stores", warp.memory_in_flight,
                       stores_.outstanding_stores(w));
  }
  if ((table_.valid & bit) == 0) {
    return (fetch_.missing() & bit) != 0 ? "waits for the instruction cache" : "waits for instruction fetch";
  }
  if ((table_.blocked_memory & bit) != 0) return "waits for a load or atomic";
  if ((table_.blocked & bit) != 0) return "waits for a result in flight";
  return "could issue";
}

}  // namespace heddle
