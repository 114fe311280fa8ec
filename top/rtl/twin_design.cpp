#include "top/rtl/twin_design.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hw/pricing/bits.h"
#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/basic/least_issued_order.h"
#include "modules/warp_scheduler/policies/ccws/parameters.h"
#include "modules/warp_scheduler/policies/ccws/swl.h"
#include "modules/warp_scheduler/policies/ipaws/decisions.h"
#include "modules/warp_scheduler/policies/ipaws/issue_pattern.h"
#include "modules/warp_scheduler/policies/ipaws/parameters.h"
#include "modules/warp_scheduler/policies/oaws/oaws.h"
#include "modules/warp_scheduler/policies/pro/order.h"
#include "modules/warp_scheduler/policies/pro/parameters.h"
#include "modules/warp_scheduler/policies/two_level/parameters.h"
#include "modules/warp_scheduler/sm_policies.h"
#include "top/config/config_error.h"
#include "top/config/config_origin.h"
#include "top/rtl/dispatch_ports.h"
#include "top/rtl/rtl_error.h"

namespace heddle {

namespace {

/// A prioritizer's twin, or a qualifier's.
struct TwinEntry {
  const char* policy;
  const char* module;
  std::vector<const char*> sources;
  std::vector<TwinInput> inputs;
  std::vector<TwinDesign::Parameter> (*own_parameters)(const GpuConfig& gpu) = nullptr;
  void (*finish)(const GpuConfig& gpu, TwinDesign& design) = nullptr;
  std::vector<TwinOutput> outputs{TwinOutput::kGrant, TwinOutput::kPassed};
  bool alone = false;  ///< not behind a qualifier
};

std::vector<TwinDesign::Parameter> of_two_level_active(const GpuConfig& gpu) {
  const TwoLevelActiveParameters& own = gpu.scheduler.settings.of(two_level_active_parameters);
  if (own.long_wait != LongWait::kMarked) {
    throw SettingError("scheduler.two_level_active.long_wait",
                       "the SystemVerilog twin has 'marked' only, found 'until_data'");
  }
  return {{"ActiveWarps", own.active_warps,
           "active warps of a scheduler (scheduler.two_level_active.active_warps)"}};
}

std::vector<TwinDesign::Parameter> of_two_level(const GpuConfig& gpu) {
  return {{"GroupWarps", gpu.scheduler.settings.of(two_level_parameters).fetch_group_warps,
           "warps of a fetch group (scheduler.two_level.fetch_group_warps)"}};
}

std::vector<TwinDesign::Parameter> of_least_issued(const GpuConfig& /*gpu*/) {
  return {{"CounterWidth", LeastIssuedOrder::kCounterBits, "bits of a counter of issued instructions"}};
}

constexpr unsigned kLanesBits = 6;
constexpr unsigned kWordBits = 64;

unsigned due_bits(const GpuConfig& gpu) {
  const std::uint64_t threshold = gpu.scheduler.settings.of(pro_parameters).threshold_cycles;
  unsigned bits = 1;
  while (threshold >> bits != 0) ++bits;
  return bits;
}

void check_pro(const GpuConfig& gpu) {
  constexpr unsigned kMostTbSlots = 16;
  constexpr std::uint64_t kMostThreshold = 0x7fffffff;
  const ProParameters& own = gpu.scheduler.settings.of(pro_parameters);
  if (own.same_tb != ProSameTb::kMerge) {
    throw SettingError("scheduler.pro.same_tb", "the SystemVerilog twin has 'merge' only, found another");
  }
  if (own.add_cycles != 1) {
    throw SettingError("scheduler.pro.add_cycles",
                       fmt::format("the SystemVerilog twin adds in 1 cycle, found {}", own.add_cycles));
  }
  if (own.progress_bits < kLanesBits) {
    throw SettingError(
        "scheduler.pro.progress_bits",
        fmt::format("the SystemVerilog twin has {} bits or more, found {}", kLanesBits, own.progress_bits));
  }
  if (own.threshold_cycles > kMostThreshold) {
    throw SettingError(
        "scheduler.pro.threshold_cycles",
        fmt::format("the SystemVerilog twin counts to {}, found {}", kMostThreshold, own.threshold_cycles));
  }
  if (gpu.core.resources.management != "tb") {
    throw SettingError("core.resources.management",
                       fmt::format("the SystemVerilog twin of pro is for whole TBs, 'tb', found '{}'",
                                   gpu.core.resources.management));
  }
  if (gpu.core.tb_slots > kMostTbSlots) {
    throw SettingError("core.tb_slots", fmt::format("the SystemVerilog twin of pro has at most {}, found {}",
                                                    kMostTbSlots, gpu.core.tb_slots));
  }
  const unsigned most = std::min(gpu.core.tb_slots, kWordBits / kLanesBits);
  if (gpu.core.schedulers > most) {
    throw SettingError({"core.schedulers", "core.tb_slots"},
                       fmt::format("the SystemVerilog twin of pro has at most {} of {} TB slots, found {}",
                                   most, gpu.core.tb_slots, gpu.core.schedulers));
  }
}

struct NoRule final : hw::SortRule {
  bool swap_needed(unsigned /*group*/, unsigned /*first*/, unsigned /*second*/) const override {
    return false;
  }
};

std::vector<TwinDesign::Parameter> of_pro(const GpuConfig& gpu) {
  check_pro(gpu);
  const ProParameters& own = gpu.scheduler.settings.of(pro_parameters);
  hw::Owner owner;
  owner.timing = hw::Timing::kHardware;
  owner.clock_fo4 = gpu.scheduler.clock_fo4;
  NoRule rule;
  const hw::GroupSorter tbs(owner, "tb_order", ProSorters::of_tbs(gpu), rule);
  const hw::GroupSorter warps(owner, "warp_order", ProSorters::of_warps(gpu), rule);
  return {
      {"TbSlots", gpu.core.tb_slots, "TB slots of an SM (core.tb_slots)"},
      {"ProgressWidth", own.progress_bits, "bits of a progress register (scheduler.pro.progress_bits)"},
      {"Threshold", own.threshold_cycles,
       "cycles between sorts of the TBs that wait for nothing (scheduler.pro.threshold_cycles)"},
      {"DueWidth", due_bits(gpu), "bits that name every cycle until the next such sort"},
      {"TieWidth", kProLaunchBits + kProTbIndexBits, "bits of a TB's launch and its index in the grid"},
      {"TbComparators", own.tb_comparators, "comparators that sort the TBs (scheduler.pro.tb_comparators)"},
      {"TbCompareCycles", tbs.cycles(),
       "cycles of a comparison of TBs (scheduler.pro.cycles_per_compare, or its depth)"},
      {"TbReadCycles", tbs.read_cycles(), "of these, until what is compared has been read"},
      {"WarpComparators", own.warp_comparators,
       "comparators of a TB that sort its warps (scheduler.pro.warp_comparators)"},
      {"WarpCompareCycles", warps.cycles(), "cycles of a comparison of warps, likewise"},
      {"WarpReadCycles", warps.read_cycles(), "of these, until what is compared has been read"}};
}

/// Whatever is asked of the sorters is done by then: all warps enter, and an order is sorted twice.
void finish_pro(const GpuConfig& gpu, TwinDesign& design) {
  hw::Owner owner;
  owner.timing = hw::Timing::kHardware;
  owner.clock_fo4 = gpu.scheduler.clock_fo4;
  NoRule rule;
  const hw::GroupSorter warps(owner, "warp_order", ProSorters::of_warps(gpu), rule);
  const hw::GroupSorter tbs(owner, "tb_order", ProSorters::of_tbs(gpu), rule);
  const std::uint64_t cycles = std::max(warps.cycles(), tbs.cycles());
  const std::uint64_t entries = std::max(gpu.core.warps, gpu.core.tb_slots);
  design.settle_cycles = entries + 2 * (entries * entries * cycles + 1);
  design.timer_cycles = gpu.scheduler.settings.of(pro_parameters).threshold_cycles;
  design.prioritizer.priced = "heddle_pro";
}

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

hw::Owner hardware_owner(const GpuConfig& gpu) {
  hw::Owner owner;
  owner.timing = hw::Timing::kHardware;
  owner.clock_fo4 = gpu.scheduler.clock_fo4;
  return owner;
}

std::vector<TwinDesign::Parameter> of_ipaws(const GpuConfig& gpu) {
  check_ipaws(gpu);
  const IpawsParameters& own = gpu.scheduler.settings.of(ipaws_parameters);
  const IssuePattern::StepCycles cycles = IssuePattern(hardware_owner(gpu), gpu).step_cycles();
  const IpawsDecisions decisions(hardware_owner(gpu), gpu);
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
  const IssuePattern::StepCycles cycles = IssuePattern(hardware_owner(gpu), gpu).step_cycles();
  constexpr std::uint64_t kProductSteps = 10;  // with those of the eighths
  constexpr std::uint64_t kAround = 3;
  design.settle_cycles = (std::uint64_t{gpu.core.warps} + 1) * (cycles.stall + cycles.score) +
                         kProductSteps * cycles.add + cycles.decide + kAround;
  design.not_in_netlist = {"note_"};
}

constexpr const char* kRotatingSelector = "parts/logic/heddle_rotating_selector.sv";
constexpr const char* kAgeMatrix = "parts/order/heddle_age_matrix.sv";
constexpr const char* kAgeSelect = "parts/order/heddle_age_select.sv";
constexpr const char* kAgeOrder = "parts/order/heddle_age_order.sv";

const std::vector<TwinEntry>& twins() {
  using In = TwinInput;
  static const std::vector<TwinEntry> kTwins{
      {"lrr",
       "heddle_lrr_sm",
       {kRotatingSelector, "schedulers/heddle_lrr.sv", "schedulers/heddle_lrr_sm.sv"},
       {In::kReady, In::kStale, In::kIssue}},
      {"oldest",
       "heddle_oldest_sm",
       {kAgeMatrix, kAgeSelect, kAgeOrder, "schedulers/heddle_oldest.sv", "schedulers/heddle_oldest_sm.sv"},
       {In::kStart, In::kFinish, In::kReady, In::kStale}},
      {"gto",
       "heddle_gto_sm",
       {kAgeMatrix, kAgeSelect, kAgeOrder, "schedulers/heddle_gto.sv", "schedulers/heddle_gto_sm.sv"},
       {In::kStart, In::kFinish, In::kReady, In::kStale, In::kIssue}},
      {"two_level",
       "heddle_two_level_sm",
       {kRotatingSelector, "schedulers/heddle_lrr.sv", "schedulers/heddle_two_level.sv",
        "schedulers/heddle_two_level_sm.sv"},
       {In::kReady, In::kStale, In::kIssue, In::kRuns},
       &of_two_level},
      {"two_level_active",
       "heddle_two_level_active_sm",
       {"parts/logic/heddle_fixed_selector.sv", "parts/logic/heddle_population_count.sv", kAgeMatrix,
        kAgeSelect, "schedulers/heddle_two_level_active.sv", "schedulers/heddle_two_level_active_sm.sv"},
       {In::kReady, In::kStale, In::kIssue, In::kWaits, In::kResident},
       &of_two_level_active},
      {"least_issued",
       "heddle_least_issued_sm",
       {"parts/logic/heddle_adder.sv", "parts/logic/heddle_comparator.sv",
        "parts/logic/heddle_minimum_tree.sv", "parts/logic/heddle_multiplexer.sv",
        "parts/storage/heddle_counter_array.sv", "schedulers/heddle_least_issued.sv",
        "schedulers/heddle_least_issued_sm.sv"},
       {In::kStart, In::kReady, In::kStale, In::kIssue},
       &of_least_issued},
      {"ipaws",
       "heddle_ipaws_sm",
       {"parts/logic/heddle_adder.sv", "parts/logic/heddle_comparator.sv",
        "parts/logic/heddle_fixed_selector.sv", "parts/logic/heddle_minimum_tree.sv",
        "parts/logic/heddle_multiplexer.sv", kRotatingSelector, "parts/storage/heddle_counter_array.sv",
        "parts/storage/heddle_table.sv", "parts/order/heddle_age_list.sv", kAgeMatrix, kAgeSelect, kAgeOrder,
        "schedulers/heddle_gto.sv", "schedulers/heddle_ipaws_judge.sv", "schedulers/heddle_ipaws_phases.sv",
        "schedulers/heddle_least_issued.sv", "schedulers/heddle_lrr.sv", "schedulers/heddle_ipaws_sm.sv"},
       {In::kTbStart, In::kTbLaunch, In::kTbEnd, In::kStart, In::kFinish, In::kValid, In::kUnblocked,
        In::kReady, In::kStale, In::kIssue, In::kArrive, In::kRelease, In::kVerdictIn},
       &of_ipaws,
       &finish_ipaws,
       {TwinOutput::kGrant, TwinOutput::kPassed, TwinOutput::kVerdict},
       true},
      {"pro",
       "heddle_pro_sm",
       {"parts/logic/heddle_adder.sv", "parts/logic/heddle_comparator.sv",
        "parts/logic/heddle_fixed_selector.sv", "parts/logic/heddle_minimum_tree.sv",
        "parts/logic/heddle_multiplexer.sv", "parts/logic/heddle_request_groups.sv",
        "parts/storage/heddle_counter_array.sv", "parts/order/heddle_sort_control.sv",
        "parts/order/heddle_group_sorter.sv", "schedulers/heddle_pro_choice.sv", "schedulers/heddle_pro.sv",
        "schedulers/heddle_tb_table.sv", "schedulers/heddle_pro_sm.sv"},
       {In::kNow, In::kTbStart, In::kTbWarps, In::kTbNumWarps, In::kTbTie, In::kTbSlow, In::kTbEnd,
        In::kPhase, In::kReady, In::kStale, In::kIssue, In::kLanes, In::kArrive, In::kFinish, In::kRelease},
       &of_pro,
       &finish_pro},
  };
  return kTwins;
}

/// What all modules of an SM's prioritizer have.
constexpr const char* kSmParameters[] = {"NumWarps", "NumSchedulers"};

void finish_swl(const GpuConfig& gpu, TwinDesign& design) {
  const unsigned limit = gpu.scheduler.settings.of(swl_parameters).warps;
  design.constants.push_back({TwinInput::kLimit, std::min(limit, gpu.core.warps)});
  const WarpTable no_warps;
  const Swl swl({no_warps, gpu, 0, nullptr, nullptr, hardware_owner(gpu)});
  if (swl.step_cycles() != 1) {
    throw SettingError("scheduler.clock_fo4",
                       fmt::format("the SystemVerilog twin of swl takes a step in a cycle, which takes {} "
                                   "with core.warps {} at a clock of {:g} FO4",
                                   swl.step_cycles(), gpu.core.warps, gpu.scheduler.clock_fo4));
  }
}

/// What the policy's own objects make of a configuration in hardware timing.
Oaws oaws_of(const GpuConfig& gpu, const WarpTable& no_warps) {
  return Oaws({no_warps, gpu, 0, nullptr, nullptr, hardware_owner(gpu)}, OawsPrediction::kStatic);
}

std::vector<TwinDesign::Parameter> of_oaws_static(const GpuConfig& gpu) {
  constexpr unsigned kCycles = 4;  // of heddle_oaws_static
  constexpr unsigned kPcBit = 3;
  static_assert(1U << kPcBit == Instruction::kBytes);
  if (gpu.operand_collector.mem_issue_slots != 1) {
    throw SettingError("operand_collector.mem_issue_slots",
                       fmt::format("the SystemVerilog twin of oaws_static issues one load a cycle, found {}",
                                   gpu.operand_collector.mem_issue_slots));
  }
  if (gpu.l1d.mshr.entries < 2) {
    throw SettingError("l1d.mshr.entries", "the SystemVerilog twin of oaws_static has 2 or more, found 1");
  }
  const OawsParameters& own = gpu.scheduler.settings.of(oaws_parameters);
  if (own.dlc_entries < 2) {
    throw SettingError("scheduler.oaws.dlc_entries",
                       "the SystemVerilog twin of oaws_static has 2 or more, found 1");
  }
  const WarpTable no_warps;
  const Oaws oaws = oaws_of(gpu, no_warps);
  if (oaws.predictor().cycles() != kCycles || oaws.predictor().select_cycles() != 1 ||
      oaws.decision_cycles() != 1) {
    throw SettingError(
        "scheduler.clock_fo4",
        fmt::format("the SystemVerilog twin of oaws_static predicts in {} cycles, which takes {} "
                    "with this configuration at a clock of {:g} FO4",
                    kCycles, oaws.predictor().cycles(), gpu.scheduler.clock_fo4));
  }
  return {{"MshrEntries", gpu.l1d.mshr.entries, "MSHR entries (l1d.mshr.entries)"},
          {"Carried", oaws.forecast().carried(), "loads in flight at most"},
          {"DlcEntries", own.dlc_entries, "PCs of the classifier (scheduler.oaws.dlc_entries)"},
          {"PcWidth", DivergentLoadClassifier::kPcBits, "bits of a PC"},
          {"PcBit", kPcBit, "the bit of it that changes from one instruction to the next"},
          {"CoherentLines", own.coherent_lines,
           "a load of more lines is divergent (scheduler.oaws.coherent_lines)"},
          {"ShareFactor", oaws.predictor().share_factor(),
           "lanes predicted to miss, in 4096ths (scheduler.oaws.miss_percent)"}};
}

void finish_oaws_static(const GpuConfig& /*gpu*/, TwinDesign& design) {
  design.qualifier->priced = "heddle_oaws_static";
  design.qualifier->outputs.push_back(TwinOutput::kPredict);
  design.settle_cycles = 8;  // more than a prediction takes until it says whether its load fits
}

/// Modules that stand in front of a prioritizer's, with NumWarps as parameter of the SM.
const std::vector<TwinEntry>& qualifier_twins() {
  using In = TwinInput;
  static const std::vector<TwinEntry> kTwins{
      {"swl",
       "heddle_swl",
       {"parts/logic/heddle_adder.sv", kAgeMatrix, kAgeSelect, "schedulers/heddle_swl.sv"},
       {In::kLimit, In::kStart, In::kFinish, In::kArrive, In::kRelease, In::kReady},
       nullptr,
       &finish_swl},
      {"oaws_static",
       "heddle_oaws_static_sm",
       {"parts/logic/heddle_adder.sv", "parts/logic/heddle_comparator.sv",
        "parts/logic/heddle_fixed_selector.sv", "parts/logic/heddle_multiplexer.sv",
        "parts/logic/heddle_population_count.sv", kRotatingSelector, "parts/storage/heddle_counter_array.sv",
        "parts/storage/heddle_table.sv", "schedulers/heddle_oaws_static.sv",
        "schedulers/heddle_oaws_static_sm.sv"},
       {In::kStart, In::kIssue, In::kLoad, In::kCached, In::kPredictPc, In::kPredictLanes, In::kCoalesced,
        In::kCoalescedPc, In::kCoalescedLines, In::kClear, In::kRoomValid, In::kRoom, In::kTake, In::kTag,
        In::kLeft, In::kLeftTag, In::kReady},
       &of_oaws_static,
       &finish_oaws_static},
  };
  return kTwins;
}

const TwinEntry* find_twin(const std::vector<TwinEntry>& twins, const char* policy) {
  for (const TwinEntry& twin : twins) {
    if (twin.policy == std::string_view(policy)) return &twin;
  }
  return nullptr;
}

std::string names_of(const std::vector<TwinEntry>& twins) {
  std::string names;
  for (const TwinEntry& twin : twins) names += (names.empty() ? "" : ", ") + std::string(twin.policy);
  return names;
}

template <class T>
void add_once(std::vector<T>& to, const T& value) {
  if (std::find(to.begin(), to.end(), value) == to.end()) to.push_back(value);
}

unsigned bits_of(TwinInput input, const GpuConfig& gpu) {
  constexpr unsigned kCountBits = 8;
  switch (input) {
    case TwinInput::kNow:
      return due_bits(gpu);
    case TwinInput::kTbStart:
    case TwinInput::kTbEnd:
    case TwinInput::kPhase:
      return gpu.core.tb_slots;
    case TwinInput::kTbNumWarps:
      return kCountBits;
    case TwinInput::kTbTie:
      return kProLaunchBits + kProTbIndexBits;
    case TwinInput::kTbSlow:
      return 1;
    case TwinInput::kTbLaunch:
      return kIpawsLaunchBits;
    case TwinInput::kVerdictIn:
      return kVerdictBits;
    case TwinInput::kLanes:
      return gpu.core.schedulers * kLanesBits;
    case TwinInput::kLimit:
      return hw::index_bits(gpu.core.warps + 1);
    case TwinInput::kPredictPc:
    case TwinInput::kCoalescedPc:
      return DivergentLoadClassifier::kPcBits;
    case TwinInput::kPredictLanes:
      return kWarpSize;
    case TwinInput::kCoalesced:
    case TwinInput::kClear:
    case TwinInput::kRoomValid:
    case TwinInput::kLeft:
      return 1;
    case TwinInput::kCoalescedLines:
      return hw::index_bits(kWarpSize + 1);
    case TwinInput::kRoom:
      return hw::index_bits(gpu.l1d.mshr.entries + 1);
    case TwinInput::kTag:
    case TwinInput::kLeftTag: {
      const WarpTable no_warps;
      return hw::index_bits(oaws_of(gpu, no_warps).forecast().carried());
    }
    default:
      return gpu.core.warps;
  }
}

unsigned bits_of(TwinOutput output, const GpuConfig& gpu) {
  return output == TwinOutput::kVerdict ? kVerdictBits : gpu.core.warps;
}

/// What the policies' own objects refuse is refused here.
void check_sizes(const GpuConfig& gpu) {
  const CoreConfig& core = gpu.core;
  if (core.warps == 0 || core.warps > kMaxWarps) {
    throw SettingError("core.warps", fmt::format("expected 1 to {}, found {}", kMaxWarps, core.warps));
  }
  if (core.schedulers == 0 || core.schedulers > core.warps) {
    throw SettingError("core.schedulers", fmt::format("a twin has a warp at least for each scheduler: "
                                                      "expected 1 to core.warps ({}), found {}",
                                                      core.warps, core.schedulers));
  }
  const WarpTable no_warps;
  static_cast<void>(SmPolicies({no_warps, gpu}));
}

}  // namespace

const char* port_name(TwinInput input) {
  if (const char* const name = dispatch_port_name(static_cast<unsigned>(input)); name != nullptr) return name;
  static constexpr std::array<const char*, kNumTwinInputs> kNames{
      "start_i",         "finish_i",     "ready_i",        "stale_i",
      "issue_i",         "runs_i",       "waits_i",        "resident_i",
      "now_i",           "tb_start_i",   "tb_warps_i",     "tb_num_warps_i",
      "tb_tie_i",        "tb_slow_i",    "tb_end_i",       "phase_i",
      "lanes_i",         "arrive_i",     "release_i",      "under_way_i",
      "limit_i",         "load_i",       "cached_i",       "predict_pc_i",
      "predict_lanes_i", "coalesced_i",  "coalesced_pc_i", "coalesced_lines_i",
      "clear_i",         "room_valid_i", "room_i",         "take_i",
      "tag_i",           "left_i",       "left_tag_i",     "tb_launch_i",
      "valid_i",         "unblocked_i",  "verdict_i"};
  return kNames[static_cast<unsigned>(input)];
}

const char* port_name(TwinOutput output) {
  if (const char* const name = dispatch_port_name(static_cast<unsigned>(output)); name != nullptr)
    return name;
  static constexpr std::array<const char*, kNumTwinOutputs> kNames{"grant_o", "passed_o", "qualified_o",
                                                                   "predict_o", "verdict_o"};
  return kNames[static_cast<unsigned>(output)];
}

unsigned TwinDesign::widest() const {
  unsigned bits = warps;
  for (const unsigned input : input_bits) bits = std::max(bits, input);
  for (const unsigned output : output_bits) bits = std::max(bits, output);
  return bits;
}

std::string TwinDesign::modules() const {
  return qualifier ? fmt::format("{}, {}", qualifier->name, prioritizer.name) : prioritizer.name;
}

std::string twin_names() {
  std::string alone;
  for (const TwinEntry& twin : twins()) {
    if (twin.alone) alone += fmt::format(", none in front of {}", twin.policy);
  }
  return fmt::format("{}; qualifiers in front of them: {}{}", names_of(twins()), names_of(qualifier_twins()),
                     alone);
}

namespace {

/// Enters the twin's files, ports and own parameters in the design.
TwinDesign::Module add_twin(const TwinEntry& twin, const GpuConfig& gpu, TwinDesign& design) {
  TwinDesign::Module module;
  module.name = twin.module;
  module.priced = twin.module;
  module.inputs = twin.inputs;
  for (const char* const source : twin.sources) add_once(design.sources, std::string(source));
  for (const TwinInput input : twin.inputs) add_once(design.inputs, input);
  if (twin.own_parameters != nullptr) {
    for (TwinDesign::Parameter& parameter : twin.own_parameters(gpu)) {
      module.parameters.push_back(parameter.name);
      design.parameters.push_back(std::move(parameter));
    }
  }
  return module;
}

}  // namespace

TwinDesign twin_design(const GpuConfig& gpu) {
  const PolicyNames names = find_policies(gpu.scheduler.name);
  const TwinEntry* const prioritizer = find_twin(twins(), names.prioritizer->name);
  const bool qualifies = !names.qualifier->admits_all;
  const TwinEntry* const qualifier =
      qualifies ? find_twin(qualifier_twins(), names.qualifier->name) : nullptr;
  if (prioritizer == nullptr || (qualifies && (qualifier == nullptr || prioritizer->alone))) {
    throw RtlError(fmt::format("warp scheduler '{}' has no SystemVerilog twin; those that have one: {}",
                               gpu.scheduler.name, twin_names()));
  }
  check_sizes(gpu);
  TwinDesign design;
  design.scheduler = gpu.scheduler.name;
  design.warps = gpu.core.warps;
  design.parameters = {{"NumWarps", gpu.core.warps, "warp slots of an SM (core.warps)"},
                       {"NumSchedulers", gpu.core.schedulers, "warp schedulers of an SM (core.schedulers)"}};
  if (qualifies) {
    design.qualifier = add_twin(*qualifier, gpu, design);
    design.qualifier->outputs = {TwinOutput::kQualified};
    design.qualifier->parameters.insert(design.qualifier->parameters.begin(), kSmParameters[0]);
    add_once(design.inputs, TwinInput::kUnderWay);
  }
  design.prioritizer = add_twin(*prioritizer, gpu, design);
  design.prioritizer.outputs = prioritizer->outputs;
  design.prioritizer.parameters.insert(design.prioritizer.parameters.begin(), std::begin(kSmParameters),
                                       std::end(kSmParameters));
  for (const TwinInput input : design.inputs) design.input_bits.push_back(bits_of(input, gpu));
  for (const TwinEntry* const twin : {qualifier, prioritizer}) {
    if (twin != nullptr && twin->finish != nullptr) twin->finish(gpu, design);
  }
  design.outputs = design.prioritizer.outputs;
  if (design.qualifier) {
    design.outputs.insert(design.outputs.end(), design.qualifier->outputs.begin(),
                          design.qualifier->outputs.end());
  }
  for (const TwinOutput output : design.outputs) design.output_bits.push_back(bits_of(output, gpu));
  return design;
}

TwinDesign checked_twin_design(const LoadedConfig& loaded) {
  try {
    return twin_design(loaded.config);
  } catch (const SettingError& error) {
    throw ConfigError(origin_of(loaded, error.keys()) + error.what());
  } catch (const std::invalid_argument& error) {
    throw ConfigError(error.what());
  }
}

}  // namespace heddle
