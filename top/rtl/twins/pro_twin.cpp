#include <fmt/format.h>

#include <algorithm>

#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/pro/order.h"
#include "modules/warp_scheduler/policies/pro/parameters.h"
#include "top/rtl/twins/twin_entry.h"

namespace heddle {

namespace {

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
  const hw::Owner owner = twin_owner(gpu);
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

void finish_pro(const GpuConfig& gpu, TwinDesign& design) {
  constexpr std::uint64_t kMargin = 4;  // what goes on longer is asked of the model
  design.settle_cycles = std::max(design.settle_cycles, kMargin);
  design.timer_cycles = gpu.scheduler.settings.of(pro_parameters).threshold_cycles;
  design.prioritizer.priced = "heddle_pro";
  design.not_in_netlist = {"phase_way"};
}

unsigned pro_input_bits(TwinInput input, const GpuConfig& gpu) {
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
    case TwinInput::kLanes:
      return gpu.core.schedulers * kLanesBits;
    default:
      return 0;
  }
}

}  // namespace

const TwinEntry& pro_twin() {
  using In = TwinInput;
  static const TwinEntry kTwin{
      "pro",
      "heddle_pro_sm",
      {twin_source::kAdder, twin_source::kComparator, twin_source::kPrefixOr, twin_source::kFixedSelector,
       twin_source::kMinimumTree, twin_source::kMultiplexer, twin_source::kPopulationCount,
       "parts/logic/heddle_request_groups.sv", twin_source::kCounterArray,
       "parts/order/heddle_sort_control.sv", "parts/order/heddle_group_sorter.sv",
       "schedulers/pro/heddle_pro_choice.sv", "schedulers/pro/heddle_pro.sv",
       "schedulers/pro/heddle_tb_table.sv", "schedulers/pro/heddle_pro_sm.sv"},
      {In::kNow, In::kTbStart, In::kTbWarps, In::kTbNumWarps, In::kTbTie, In::kTbSlow, In::kTbEnd, In::kPhase,
       In::kReady, In::kStale, In::kIssue, In::kLanes, In::kArrive, In::kFinish, In::kRelease},
      &of_pro,
      &finish_pro,
      &pro_input_bits};
  return kTwin;
}

}  // namespace heddle
