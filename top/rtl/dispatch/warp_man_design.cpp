#include "top/rtl/dispatch/warp_man_design.h"

#include <fmt/format.h>

#include "hw/pricing/bits.h"
#include "modules/config/setting_error.h"
#include "modules/sm/residency/workload_buffer.h"
#include "top/rtl/dispatch_ports.h"
#include "top/rtl/rtl_error.h"

namespace heddle {

namespace {

void check_warp_man(const GpuConfig& gpu) {
  const SmResourcesConfig& resources = gpu.core.resources;
  if (resources.management != "warp_temporal_spatial") {
    throw RtlError(fmt::format(
        "core.resources.management: the SystemVerilog twin '{}' is of 'warp_temporal_spatial', found '{}'",
        kWorkloadBufferTwin, resources.management));
  }
  if (resources.contention != "none") {
    throw SettingError(
        "core.resources.contention",
        fmt::format("the SystemVerilog twin of the workload buffer holds nothing back, 'none', "
                    "found '{}'",
                    resources.contention));
  }
  if (gpu.tb_dispatcher.mixed_sms) {
    throw SettingError(
        "tb_dispatcher.mixed_sms",
        "the SystemVerilog twin of the workload buffer is for SMs that hold TBs of one kernel, "
        "false, found true");
  }
}

/// Inputs in the order of DispatchPort, then outputs.
void add_warp_man_ports(const GpuConfig& gpu, TwinDesign& design) {
  const unsigned entries = hw::index_bits(gpu.core.warps + 1);
  const unsigned tbs = hw::index_bits(gpu.core.tb_slots + 1);
  const unsigned slot = hw::index_bits(gpu.core.tb_slots);
  const unsigned warps = WorkloadBuffer::kWarpBits + 1;
  const auto input = [&design](DispatchPort port, unsigned bits) {
    design.inputs.push_back(input_of(port));
    design.input_bits.push_back(bits);
  };
  input(DispatchPort::kOffer, 1);
  input(DispatchPort::kOfferWarps, warps);
  input(DispatchPort::kOfferRegisterWarps, entries);
  input(DispatchPort::kOfferSharedTbs, tbs);
  input(DispatchPort::kTake, 1);
  input(DispatchPort::kTakeSlot, slot);
  input(DispatchPort::kTakeTb, WorkloadBuffer::kTbBits);
  input(DispatchPort::kWarpEnd, gpu.core.warps);
  input(DispatchPort::kTbEnd, gpu.core.tb_slots);
  const auto output = [&design](DispatchPort port, unsigned bits) {
    design.outputs.push_back(output_of(port));
    design.output_bits.push_back(bits);
  };
  output(DispatchPort::kFull, 1);
  output(DispatchPort::kStartWarps, warps);
  output(DispatchPort::kIssueCount, warps);
  output(DispatchPort::kIssueWarp, WorkloadBuffer::kWarpBits);
  output(DispatchPort::kBuffer, 1 + 2 * WorkloadBuffer::kWarpBits + WorkloadBuffer::kTbBits + slot);
}

}  // namespace

TwinDesign warp_man_design(const GpuConfig& gpu) {
  check_warp_man(gpu);
  TwinDesign design;
  design.scheduler = kWorkloadBufferTwin;
  design.block = kWorkloadBufferTwin;
  design.subject = "WarpMan's dispatch checks and workload buffer of one SM";
  design.parameters = {{"NumWarps", gpu.core.warps, "warp scheduler entries of an SM (core.warps)"},
                       {"TbSlots", gpu.core.tb_slots, "TB slots of an SM (core.tb_slots)"},
                       {"TbWidth", WorkloadBuffer::kTbBits, "bits of a TB's number in its grid"},
                       {"WarpIdWidth", WorkloadBuffer::kWarpBits, "bits of a warp's number in its TB"}};
  design.sources = {"parts/logic/heddle_population_count.sv", "dispatch/heddle_warp_man.sv"};
  add_warp_man_ports(gpu, design);
  design.prioritizer.name = "heddle_warp_man";
  design.prioritizer.priced = design.prioritizer.name;
  design.prioritizer.inputs = design.inputs;
  design.prioritizer.outputs = design.outputs;
  for (const TwinDesign::Parameter& parameter : design.parameters)
    design.prioritizer.parameters.push_back(parameter.name);
  return design;
}

}  // namespace heddle
