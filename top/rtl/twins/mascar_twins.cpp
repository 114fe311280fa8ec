#include <fmt/format.h>

#include <algorithm>

#include "hw/pricing/bits.h"
#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/mascar/mascar.h"
#include "modules/warp_scheduler/policies/mascar/parameters.h"
#include "top/rtl/twins/twin_entry.h"

namespace heddle {

namespace {

std::vector<TwinDesign::Parameter> of_mascar(const GpuConfig& gpu) {
  const WarpTable no_warps;
  const Mascar mascar({no_warps, gpu, 0, nullptr, nullptr, twin_owner(gpu)});
  if (mascar.compare_cycles() != 1 || mascar.select_cycles() != 1) {
    throw SettingError(
        "scheduler.clock_fo4",
        fmt::format("the SystemVerilog twin of mascar compares the room and selects an owner in "
                    "a cycle each, which take {} and {} with this configuration at a clock of "
                    "{:g} FO4",
                    mascar.compare_cycles(), mascar.select_cycles(), gpu.scheduler.clock_fo4));
  }
  const MascarParameters& own = gpu.scheduler.settings.of(mascar_parameters);
  return {{"MshrEntries", gpu.l1d.mshr.entries, "MSHR entries (l1d.mshr.entries)"},
          {"MissQueue", gpu.l1d.mshr.miss_queue, "places of the miss queue (l1d.mshr.miss_queue)"},
          {"FreeEntries", std::min(own.free_entries, gpu.l1d.mshr.entries - 1),
           "saturated with so many free entries or fewer (scheduler.mascar.free_entries)"},
          {"FreeQueue", std::min(own.free_queue, gpu.l1d.mshr.miss_queue - 1),
           "likewise, free places (scheduler.mascar.free_queue)"}};
}

/// The re-execution queue is the LD/ST unit's.
void finish_mascar(const GpuConfig& /*gpu*/, TwinDesign& design) {
  design.qualifier->parameters.emplace_back("NumSchedulers");
  design.qualifier->outputs.push_back(TwinOutput::kSaturated);
  design.qualifier->outputs.push_back(TwinOutput::kOwner);
  design.not_in_netlist.emplace_back("replay_");
}

void finish_both(const GpuConfig& /*gpu*/, TwinDesign& design) {
  design.priced_together = "schedulers/mascar/heddle_mascar_both.sv";
}

unsigned mascar_input_bits(TwinInput input, const GpuConfig& gpu) {
  switch (input) {
    case TwinInput::kRoomValid:
      return 1;
    case TwinInput::kRoom:
      return hw::index_bits(gpu.l1d.mshr.entries + 1);
    case TwinInput::kQueueRoom:
      return hw::index_bits(gpu.l1d.mshr.miss_queue + 1);
    default:
      return 0;
  }
}

unsigned mascar_output_bits(TwinOutput output, const GpuConfig& /*gpu*/) {
  return output == TwinOutput::kSaturated ? 1 : 0;
}

}  // namespace

const TwinEntry& mascar_qualifier_twin() {
  using In = TwinInput;
  static const TwinEntry kTwin{
      "mascar",
      "heddle_mascar",
      {twin_source::kComparator, twin_source::kAgeMatrix, twin_source::kAgeSelect, twin_source::kAgeOrder,
       "schedulers/mascar/heddle_mascar.sv"},
      {In::kStart, In::kFinish, In::kRoomValid, In::kRoom, In::kQueueRoom, In::kQueued, In::kDrained,
       In::kMemory, In::kCandidate, In::kWaiting, In::kReady},
      &of_mascar,
      &finish_mascar,
      &mascar_input_bits,
      &mascar_output_bits};
  return kTwin;
}

const TwinEntry& mascar_prioritizer_twin() {
  using In = TwinInput;
  static const TwinEntry kTwin = [] {
    TwinEntry twin{
        "mascar",
        "heddle_mascar_sm",
        {twin_source::kAgeMatrix, twin_source::kAgeSelect, twin_source::kAgeOrder, "schedulers/heddle_gto.sv",
         "schedulers/heddle_gto_sm.sv", "schedulers/mascar/heddle_mascar_sm.sv"},
        {In::kStart, In::kFinish, In::kMemory, In::kReady, In::kStale, In::kIssue}};
    twin.finish = &finish_both;
    twin.behind = "mascar";
    twin.from_qualifier = {{"saturated_i", TwinOutput::kSaturated}};
    return twin;
  }();
  return kTwin;
}

}  // namespace heddle
