#include <fmt/format.h>

#include "hw/pricing/bits.h"
#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/oaws/oaws.h"
#include "top/rtl/twins/twin_entry.h"

namespace heddle {

namespace {

/// What the policy's own objects make of a configuration in hardware timing.
Oaws oaws_of(const GpuConfig& gpu, const WarpTable& no_warps) {
  return Oaws({no_warps, gpu, 0, nullptr, nullptr, twin_owner(gpu)}, OawsPrediction::kStatic);
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

unsigned oaws_input_bits(TwinInput input, const GpuConfig& gpu) {
  switch (input) {
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
      return 0;
  }
}

}  // namespace

const TwinEntry& oaws_static_twin() {
  using In = TwinInput;
  static const TwinEntry kTwin{
      "oaws_static",
      "heddle_oaws_static_sm",
      {twin_source::kAdder, twin_source::kComparator, twin_source::kFixedSelector, twin_source::kMultiplexer,
       twin_source::kPopulationCount, twin_source::kRotatingSelector, twin_source::kCounterArray,
       twin_source::kTable, "schedulers/heddle_oaws_static.sv", "schedulers/heddle_oaws_static_sm.sv"},
      {In::kStart, In::kIssue, In::kLoad, In::kCached, In::kPredictPc, In::kPredictLanes, In::kCoalesced,
       In::kCoalescedPc, In::kCoalescedLines, In::kClear, In::kRoomValid, In::kRoom, In::kTake, In::kTag,
       In::kLeft, In::kLeftTag, In::kReady},
      &of_oaws_static,
      &finish_oaws_static,
      &oaws_input_bits};
  return kTwin;
}

}  // namespace heddle
