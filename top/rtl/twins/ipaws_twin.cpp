#include <fmt/format.h>

#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/basic/least_issued_order.h"
#include "modules/warp_scheduler/policies/ipaws/decisions.h"
#include "modules/warp_scheduler/policies/ipaws/issue_pattern.h"
#include "modules/warp_scheduler/policies/ipaws/parameters.h"
#include "top/rtl/twins/twin_entry.h"

namespace heddle {

namespace {

/// A verdict: whether there is one, convex or not, the launch.
constexpr unsigned kVerdictBits = kIpawsLaunchBits + 2;

void refuse_ipaws(const char* key, const char* expected, const std::string& found) {
  throw SettingError(key, fmt::format("the SystemVerilog twin of ipaws has {}, found {}", expected, found));
}

void check_ipaws(const GpuConfig& gpu) {
  const IpawsParameters& own = gpu.scheduler.settings.of(ipaws_parameters);
  if (own.greedy != "gto") refuse_ipaws("scheduler.ipaws.greedy", "'gto'", "'" + own.greedy + "'");
  if (own.fair != "lrr") refuse_ipaws("scheduler.ipaws.fair", "'lrr'", "'" + own.fair + "'");
  if (!own.recover) refuse_ipaws("scheduler.ipaws.recover", "a Recover phase", "false");
  if (own.decider == IpawsDecider::kSmPair) {
    refuse_ipaws("scheduler.ipaws.decider", "'first_sm' and 'each_sm'", "'sm_pair'");
  }
  if (own.counters != IpawsCounters::kWarp) refuse_ipaws("scheduler.ipaws.counters", "'warp'", "'tb'");
  if (own.stall_of != IpawsStallOf::kFirstTried && own.stall_of != IpawsStallOf::kOldest) {
    refuse_ipaws("scheduler.ipaws.stall_of", "'first_tried' and 'oldest'", "another");
  }
  if (own.stall_when != IpawsStallWhen::kAllBlocked) {
    refuse_ipaws("scheduler.ipaws.stall_when", "'all_blocked'", "another");
  }
  if (own.stall_scope != IpawsStallScope::kSm)
    refuse_ipaws("scheduler.ipaws.stall_scope", "'sm'", "'scheduler'");
  if (own.judge_at == IpawsJudgeAt::kFirstTb) {
    refuse_ipaws("scheduler.ipaws.judge_at", "'first_warp' and 'oldest_warp'", "'first_tb'");
  }
  if (gpu.core.resources.management != "tb") {
    refuse_ipaws("core.resources.management", "whole TBs, 'tb'", "'" + gpu.core.resources.management + "'");
  }
}

std::vector<TwinDesign::Parameter> of_ipaws(const GpuConfig& gpu) {
  check_ipaws(gpu);
  const IpawsParameters& own = gpu.scheduler.settings.of(ipaws_parameters);
  const IssuePattern::StepCycles cycles = IssuePattern(twin_owner(gpu), gpu).step_cycles();
  const IpawsDecisions decisions(twin_owner(gpu), gpu);
  const auto flag = [](bool value) { return value ? 1U : 0U; };
  return {
      {"TbSlots", gpu.core.tb_slots, "TB slots of an SM (core.tb_slots)"},
      {"CounterWidth", LeastIssuedOrder::kCounterBits, "bits of a counter"},
      {"LaunchWidth", kIpawsLaunchBits, "bits of a launch's number"},
      {"Decisions", decisions.entries(), "kernels of which decisions are known (tb_dispatcher.max_kernels)"},
      {"Shared", flag(own.decider == IpawsDecider::kFirstSm),
       "verdicts are for all SMs (scheduler.ipaws.decider)"},
      {"FirstTried", flag(own.stall_of == IpawsStallOf::kFirstTried),
       "a stall is charged to the warp that is tried first (scheduler.ipaws.stall_of)"},
      {"OldestEnds", flag(own.judge_at == IpawsJudgeAt::kOldestWarp),
       "the oldest warp's exit ends the Adapt phase (scheduler.ipaws.judge_at)"},
      {"WarpsOfInterest", flag(own.warps_of_interest),
       "judged by the warps up to the one with the most stalls (scheduler.ipaws.warps_of_interest)"},
      {"ConvexEighths", own.convex_eighths,
       "eighths from which on a pattern is convex (scheduler.ipaws.convex_eighths)"},
      {"StallCycles", cycles.stall, "cycles of a step over the stalls, by its depth"},
      {"ScoreCycles", cycles.score, "of one over the scores"},
      {"AddCycles", cycles.add, "of one of the product"},
      {"DecideCycles", cycles.decide, "of the comparison"}};
}

/// The longest judgement, and what is charged a cycle later.
void finish_ipaws(const GpuConfig& gpu, TwinDesign& design) {
  const IssuePattern::StepCycles cycles = IssuePattern(twin_owner(gpu), gpu).step_cycles();
  constexpr std::uint64_t kProductSteps = 10;  // with those of the eighths
  constexpr std::uint64_t kAround = 3;
  design.settle_cycles = (std::uint64_t{gpu.core.warps} + 1) * (cycles.stall + cycles.score) +
                         kProductSteps * cycles.add + cycles.decide + kAround;
  design.not_in_netlist = {"note_"};
}

unsigned ipaws_input_bits(TwinInput input, const GpuConfig& gpu) {
  switch (input) {
    case TwinInput::kTbStart:
    case TwinInput::kTbEnd:
      return gpu.core.tb_slots;
    case TwinInput::kTbLaunch:
      return kIpawsLaunchBits;
    case TwinInput::kVerdictIn:
      return kVerdictBits;
    default:
      return 0;
  }
}

unsigned ipaws_output_bits(TwinOutput output, const GpuConfig& /*gpu*/) {
  return output == TwinOutput::kVerdict ? kVerdictBits : 0;
}

}  // namespace

const TwinEntry& ipaws_twin() {
  using In = TwinInput;
  static const TwinEntry kTwin{
      "ipaws",
      "heddle_ipaws_sm",
      {twin_source::kAdder,
       twin_source::kComparator,
       twin_source::kPrefixOr,
       twin_source::kFixedSelector,
       twin_source::kMinimumTree,
       twin_source::kMultiplexer,
       twin_source::kPopulationCount,
       twin_source::kRotatingSelector,
       twin_source::kCounterArray,
       twin_source::kTable,
       "parts/order/heddle_age_list.sv",
       twin_source::kAgeMatrix,
       twin_source::kAgeSelect,
       twin_source::kAgeOrder,
       "schedulers/heddle_gto.sv",
       "schedulers/ipaws/heddle_ipaws_judge.sv",
       "schedulers/ipaws/heddle_ipaws_phases.sv",
       "schedulers/heddle_least_issued.sv",
       "schedulers/heddle_lrr.sv",
       "schedulers/ipaws/heddle_ipaws_sm.sv"},
      {In::kTbStart, In::kTbLaunch, In::kTbEnd, In::kStart, In::kFinish, In::kValid, In::kUnblocked,
       In::kReady, In::kStale, In::kIssue, In::kArrive, In::kRelease, In::kVerdictIn},
      &of_ipaws,
      &finish_ipaws,
      &ipaws_input_bits,
      &ipaws_output_bits,
      {TwinOutput::kGrant, TwinOutput::kPassed, TwinOutput::kVerdict},
      true};
  return kTwin;
}

}  // namespace heddle
