// Statistics and waves of PRO.
#include <fmt/format.h>

#include "modules/warp_scheduler/policies/pro/pro_policy.h"

namespace heddle {

namespace {

void report_sorter(StatSink& sink, std::string_view name, const hw::GroupSorter& sorter) {
  const StatScope scope(sink, name);
  const hw::GroupSorter::Use& use = sorter.use();
  sink.count("sorts", use.sorts, "sorts", "sorts completed");
  sink.count("waited", use.waited, "sorts",
             "sorts asked for while the comparator worked on an earlier one: the sort was the bottleneck");
  sink.count("compares", sorter.activity().compares, "comparisons", "pairs compared");
  sink.count("swaps", use.swaps, "swaps", "pairs exchanged");
  sink.count("busy_cycles", use.busy_cycles, "cycles",
             "from the start of a sort until its order was in force, summed over sorts");
  sink.level("longest_cycles", static_cast<double>(use.longest_cycles), "cycles", "longest sort");
}

}  // namespace

void ProPolicy::report(StatSink& sink) const {
  report_sorter(sink, "tb_order", order_.tb_sorter());
  report_sorter(sink, "warp_order", order_.warp_sorter());
  sink.count("threshold_sorts", threshold_sorts_, "sorts", "times that the threshold ran out");
  sink.count("issues_under_stale_tb_order", tb_stale_issues_, "instructions",
             "issued while a newer order of the TBs was being sorted");
  sink.count("issues_under_stale_warp_order", warp_stale_issues_, "instructions",
             "issued while a newer order of the warps of their TB was being sorted");
  sink.count("progress_wraps", blocks_.wraps(), "wraps", "progress registers that went through 0");
  if (config_.same_tb == ProSameTb::kLose) {
    sink.count("lost_additions", blocks_.lost_additions(), "additions",
               "to the progress of a TB, which another scheduler's of the same cycle has undone");
  }
  {
    const StatScope scope(sink, "issues");
    for (unsigned s = 0; s < kNumProStates - 2; ++s) {
      sink.count(pro_state_names()[s], issues_[s], "instructions", "issued from TBs in this state");
    }
  }
  report_log(sink);
}

void ProPolicy::report_log(StatSink& sink) const {
  for (unsigned s = 0; s < config_.logged_sorts; ++s) {
    const StatScope scope(sink, fmt::format("sort{}", s));
    const bool made = s < log_.size();
    sink.level("cycle", made ? static_cast<double>(log_[s].cycle) : -1, "cycles",
               "when the threshold ran out; -1: not yet");
    for (unsigned place = 0; place < blocks_.slots(); ++place) {
      const bool held = made && place < log_[s].tbs.size();
      sink.level(fmt::format("place{}", place), held ? static_cast<double>(log_[s].tbs[place]) : -1, "TB",
                 "linear index of the TB in this place, the first having the highest priority; -1: none");
    }
  }
}

void ProPolicy::trace_states(WaveSink& sink) {
  shown_states_.resize(blocks_.slots());
  for (unsigned slot = 0; slot < blocks_.slots(); ++slot) {
    sink.enumeration(shown_states_[slot], fmt::format("tb{}_state", slot), pro_state_names());
  }
  show_states();
}

void ProPolicy::trace(WaveSink& sink) {
  if (!sink.wanted()) return;
  traced_ = true;
  sort_due_.trace(sink);
  trace_states(sink);
  blocks_.trace(sink);
  order_.trace(sink);
}

void ProPolicy::trace_state(WaveSink& sink) {
  shows_state_ = true;
  trace_states(sink);
  blocks_.slow_phase().trace(sink);
  order_.tb_sorter().trace_order(sink);
}

void ProPolicy::settle(std::uint64_t /*cycle*/) {
  if (shows_state_) show_states();
}

void ProPolicy::show_states() {
  for (unsigned slot = 0; slot < blocks_.slots(); ++slot) {
    shown_states_[slot] = static_cast<std::uint64_t>(blocks_.state(slot));
  }
}

}  // namespace heddle
