#include <fmt/format.h>

#include <algorithm>

#include "hw/pricing/bits.h"
#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/oaws/oaws.h"
#include "top/rtl/twins/twin_entry.h"

namespace heddle {

namespace {

/// What the policy's own objects make of a configuration in hardware timing.
Oaws oaws_of(const GpuConfig& gpu, const WarpTable& no_warps, OawsPrediction kind) {
  return Oaws({no_warps, gpu, 0, nullptr, nullptr, twin_owner(gpu)}, kind);
}

constexpr unsigned kPredictionCycles = 4;  // of heddle_oaws_core
constexpr unsigned kMostSets = 64;
constexpr unsigned kMostDlcEntries = 64;  // of heddle_fixed_selector, which chooses one

void check_oaws_sizes(const GpuConfig& gpu, const char* name) {
  if (gpu.operand_collector.mem_issue_slots != 1) {
    throw SettingError("operand_collector.mem_issue_slots",
                       fmt::format("the SystemVerilog twin of {} issues one load a cycle, found {}", name,
                                   gpu.operand_collector.mem_issue_slots));
  }
  if (gpu.l1d.mshr.entries < 2) {
    throw SettingError("l1d.mshr.entries",
                       fmt::format("the SystemVerilog twin of {} has 2 or more, found 1", name));
  }
  const unsigned dlc_entries = gpu.scheduler.settings.of(oaws_parameters).dlc_entries;
  if (dlc_entries < 2 || dlc_entries > kMostDlcEntries) {
    throw SettingError("scheduler.oaws.dlc_entries", fmt::format("the SystemVerilog twin of {} has 2 to {}, "
                                                                 "found {}",
                                                                 name, kMostDlcEntries, dlc_entries));
  }
}

void check_oaws(const GpuConfig& gpu, const Oaws& oaws, const char* name) {
  check_oaws_sizes(gpu, name);
  const std::string at_clock =
      fmt::format("with this configuration at a clock of {:g} FO4", gpu.scheduler.clock_fo4);
  if (oaws.predictor().cycles() != kPredictionCycles) {
    throw SettingError("scheduler.clock_fo4",
                       fmt::format("the SystemVerilog twin of {} predicts in {} cycles, which takes {} {}",
                                   name, kPredictionCycles, oaws.predictor().cycles(), at_clock));
  }
  if (oaws.predictor().select_cycles() != 1) {
    throw SettingError(
        "scheduler.clock_fo4",
        fmt::format("the SystemVerilog twin of {} chooses the warp of a prediction in 1 cycle, "
                    "which takes {} {}",
                    name, oaws.predictor().select_cycles(), at_clock));
  }
  if (oaws.decision_cycles() != 1) {
    throw SettingError({"l1d.mshr.entries", "scheduler.clock_fo4"},
                       fmt::format("the SystemVerilog twin of {} decides in 1 cycle whether the free entries "
                                   "of {} are enough for a load, which takes {} {}",
                                   name, gpu.l1d.mshr.entries, oaws.decision_cycles(), at_clock));
  }
}

std::vector<TwinDesign::Parameter> of_both(const GpuConfig& gpu, const Oaws& oaws) {
  constexpr unsigned kPcBit = 3;
  static_assert(1U << kPcBit == Instruction::kBytes);
  const OawsParameters& own = gpu.scheduler.settings.of(oaws_parameters);
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

std::vector<TwinDesign::Parameter> of_oaws_static(const GpuConfig& gpu) {
  const WarpTable no_warps;
  const Oaws oaws = oaws_of(gpu, no_warps, OawsPrediction::kStatic);
  check_oaws(gpu, oaws, "oaws_static");
  return of_both(gpu, oaws);
}

unsigned watched_sets(const GpuConfig& gpu) { return std::min(gpu.l1d.cache.sets, kMostSets); }

std::vector<TwinDesign::Parameter> of_oaws_dynamic(const GpuConfig& gpu) {
  const WarpTable no_warps;
  const Oaws oaws = oaws_of(gpu, no_warps, OawsPrediction::kDynamic);
  check_oaws(gpu, oaws, "oaws_dynamic");
  if (gpu.l1d.cache.sets < 2) {
    throw SettingError("l1d.cache.sets", "the SystemVerilog twin of oaws_dynamic has 2 or more, found 1");
  }
  if (gpu.core.warps < 2) {
    throw SettingError("core.warps", "the SystemVerilog twin of oaws_dynamic has 2 or more, found 1");
  }
  const OawsParameters& own = gpu.scheduler.settings.of(oaws_parameters);
  std::vector<TwinDesign::Parameter> parameters = of_both(gpu, oaws);
  const std::vector<TwinDesign::Parameter> learnt{
      {"Sets", watched_sets(gpu), "L1D sets that are told apart (l1d.cache.sets)"},
      {"OcwMin", std::max(own.ocw_min, gpu.core.schedulers),
       "least locality warps (scheduler.oaws.ocw_min, core.schedulers)"},
      {"CntStart", own.cnt_start, "start of CNT (scheduler.oaws.cnt_start)"},
      {"CntMax", own.cnt_max, "end of CNT (scheduler.oaws.cnt_max)"},
      {"Delta", static_cast<std::uint64_t>(own.delta),
       "what a load that is not fully cached takes off CNT (scheduler.oaws.delta: by_load, one, half)"}};
  parameters.insert(parameters.end(), learnt.begin(), learnt.end());
  return parameters;
}

void finish_oaws(const GpuConfig& /*gpu*/, TwinDesign& design) {
  design.qualifier->outputs.push_back(TwinOutput::kPredict);
  design.settle_cycles = 16;  // more than a load is learnt from, a prediction takes, and whether it fits
}

void finish_oaws_dynamic(const GpuConfig& gpu, TwinDesign& design) {
  finish_oaws(gpu, design);
  design.qualifier->parameters.emplace_back("NumSchedulers");
}

unsigned oaws_input_bits(TwinInput input, const GpuConfig& gpu) {
  switch (input) {
    case TwinInput::kPredictPc:
    case TwinInput::kCoalescedPc:
    case TwinInput::kLeftPc:
      return DivergentLoadClassifier::kPcBits;
    case TwinInput::kPredictLanes:
      return kWarpSize;
    case TwinInput::kCoalesced:
    case TwinInput::kClear:
    case TwinInput::kRoomValid:
    case TwinInput::kLeft:
    case TwinInput::kAccess:
    case TwinInput::kAccessFirst:
    case TwinInput::kAccessMiss:
      return 1;
    case TwinInput::kAccessSet:
      return hw::index_bits(watched_sets(gpu));
    case TwinInput::kCoalescedLines:
    case TwinInput::kLeftLines:
      return hw::index_bits(kWarpSize + 1);
    case TwinInput::kRoom:
      return hw::index_bits(gpu.l1d.mshr.entries + 1);
    case TwinInput::kTag:
    case TwinInput::kLeftTag: {
      const WarpTable no_warps;
      return hw::index_bits(oaws_of(gpu, no_warps, OawsPrediction::kStatic).forecast().carried());
    }
    default:
      return 0;
  }
}

/// Of both, with the files that they share: of all warps' PCs and lanes they are told one's.
TwinEntry oaws_twin(const char* policy, const char* module) {
  TwinEntry twin{
      policy,
      module,
      {twin_source::kAdder, twin_source::kComparator, twin_source::kPrefixOr, twin_source::kFixedSelector,
       twin_source::kMultiplexer, twin_source::kPopulationCount, twin_source::kRotatingSelector,
       twin_source::kCounterArray, twin_source::kTable, "schedulers/oaws/heddle_oaws_core.sv"},
      {}};
  twin.input_bits = &oaws_input_bits;
  twin.to_each_warp = {{"pc_i", TwinInput::kPredictPc}, {"lanes_i", TwinInput::kPredictLanes}};
  return twin;
}

}  // namespace

const TwinEntry& oaws_static_twin() {
  using In = TwinInput;
  static const TwinEntry kTwin = [] {
    TwinEntry twin = oaws_twin("oaws_static", "heddle_oaws_static");
    twin.sources.push_back("schedulers/oaws/heddle_oaws_static.sv");
    twin.inputs = {In::kStart,          In::kIssue,        In::kLoad,      In::kCached,
                   In::kPredictPc,      In::kPredictLanes, In::kCoalesced, In::kCoalescedPc,
                   In::kCoalescedLines, In::kClear,        In::kRoomValid, In::kRoom,
                   In::kTake,           In::kTag,          In::kLeft,      In::kLeftTag,
                   In::kReady};
    twin.own_parameters = &of_oaws_static;
    twin.finish = &finish_oaws;
    return twin;
  }();
  return kTwin;
}

const TwinEntry& oaws_dynamic_twin() {
  using In = TwinInput;
  static const TwinEntry kTwin = [] {
    TwinEntry twin = oaws_twin("oaws_dynamic", "heddle_oaws_dynamic");
    for (const char* const source :
         {twin_source::kAgeMatrix, "parts/order/heddle_age_rank.sv", "schedulers/oaws/heddle_oaws_learner.sv",
          "schedulers/oaws/heddle_oaws_dynamic.sv"})
      twin.sources.push_back(source);
    twin.inputs = {In::kStart,     In::kFinish,       In::kIssue,       In::kLoad,        In::kCached,
                   In::kPredictPc, In::kPredictLanes, In::kCoalesced,   In::kCoalescedPc, In::kCoalescedLines,
                   In::kClear,     In::kAccess,       In::kAccessFirst, In::kAccessMiss,  In::kAccessSet,
                   In::kRoomValid, In::kRoom,         In::kTake,        In::kTag,         In::kLeft,
                   In::kLeftTag,   In::kLeftPc,       In::kLeftLines,   In::kReady};
    twin.own_parameters = &of_oaws_dynamic;
    twin.finish = &finish_oaws_dynamic;
    return twin;
  }();
  return kTwin;
}

}  // namespace heddle
