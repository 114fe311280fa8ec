#include "top/rtl/dispatch/slicing_design.h"

#include <fmt/format.h>

#include "modules/config/setting_error.h"
#include "modules/tb_dispatcher/policies/srtf/slicing_parts.h"
#include "top/rtl/dispatch_ports.h"
#include "top/rtl/rtl_error.h"

namespace heddle {

namespace {

constexpr const char* kUnaware = "srtf_slice_unaware";

void check_slicing(const GpuConfig& gpu) {
  constexpr unsigned kMostEnds = 64;
  const std::string& policy = gpu.tb_dispatcher.policy;
  if (policy != "srtf" && policy != kUnaware) {
    throw RtlError(
        fmt::format("tb_dispatcher.policy: the SystemVerilog twin '{}' is of 'srtf' and '{}', found '{}'",
                    kSimpleSlicingTwin, kUnaware, policy));
  }
  const unsigned kernels = gpu.tb_dispatcher.max_kernels;
  if (kernels < 2 || kernels * gpu.core.tb_slots > kMostEnds) {
    throw SettingError(
        {"tb_dispatcher.max_kernels", "core.tb_slots"},
        fmt::format("the SystemVerilog twin of the predictor has 2 kernels or more, and {} of them "
                    "times TB slots at most; found {} and {}",
                    kMostEnds, kernels, gpu.core.tb_slots));
  }
}

/// Inputs in the order of DispatchPort, then outputs.
void add_ports(const GpuConfig& gpu, TwinDesign& design) {
  const unsigned kernels = gpu.tb_dispatcher.max_kernels;
  const unsigned kernel_bits = hw::index_bits(kernels);
  const unsigned sample_bits = 1 + kernel_bits + SlicingParts::kCycleBits;
  const auto input = [&design](DispatchPort port, unsigned bits) {
    design.inputs.push_back(input_of(port));
    design.input_bits.push_back(bits);
  };
  input(DispatchPort::kCycle, SlicingParts::kCycleBits);
  input(DispatchPort::kLaunch, 1);
  input(DispatchPort::kLaunchKernel, kernel_bits);
  input(DispatchPort::kLaunchBlocks, SlicingParts::kBlockBits);
  input(DispatchPort::kLaunchResidency, hw::index_bits(gpu.core.tb_slots + 1));
  input(DispatchPort::kKernelEnd, kernels);
  input(DispatchPort::kRunning, kernels);
  input(DispatchPort::kBlockStart, 1);
  input(DispatchPort::kBlockSlot, hw::index_bits(gpu.core.tb_slots));
  input(DispatchPort::kBlockEnd, kernels * gpu.core.tb_slots);
  input(DispatchPort::kAdopt, sample_bits);
  input(DispatchPort::kTold, 1);
  input(DispatchPort::kWaiting, kernels);
  input(DispatchPort::kReadKernel, kernel_bits);
  const auto output = [&design](DispatchPort port, unsigned bits) {
    design.outputs.push_back(output_of(port));
    design.output_bits.push_back(bits);
  };
  output(DispatchPort::kFirst, kernels);
  output(DispatchPort::kKnown, kernels);
  output(DispatchPort::kSample, sample_bits);
  output(DispatchPort::kPredCycles, SlicingParts::kCycleBits);
}

}  // namespace

TwinDesign slicing_design(const GpuConfig& gpu) {
  check_slicing(gpu);
  hw::Owner owner;
  owner.timing = hw::Timing::kHardware;
  owner.clock_fo4 = gpu.scheduler.clock_fo4;
  const SlicingParts parts(owner, gpu.tb_dispatcher.max_kernels, gpu.core.tb_slots);
  TwinDesign design;
  design.scheduler = kSimpleSlicingTwin;
  design.block = kSimpleSlicingTwin;
  design.subject = "the Simple Slicing predictor of one SM";
  design.parameters = {
      {"Kernels", gpu.tb_dispatcher.max_kernels, "kernels that run at once (tb_dispatcher.max_kernels)"},
      {"TbSlots", gpu.core.tb_slots, "TB slots of an SM (core.tb_slots)"},
      {"CycleWidth", SlicingParts::kCycleBits, "bits of a number of cycles"},
      {"BlockWidth", SlicingParts::kBlockBits, "bits of a number of TBs"},
      {"CyclesPerStep", parts.ratio.step_cycles(),
       "cycles of a step of the multiplier and divider, by its depth and scheduler.clock_fo4"},
      {"Slices", gpu.tb_dispatcher.policy == kUnaware ? 0U : 1U,
       "a kernel is predicted anew in each slice (tb_dispatcher.policy)"}};
  design.sources = {"parts/logic/heddle_adder.sv",
                    "parts/logic/heddle_prefix_or.sv",
                    "parts/logic/heddle_fixed_selector.sv",
                    "parts/logic/heddle_minimum_tree.sv",
                    "parts/logic/heddle_multiplexer.sv",
                    "parts/logic/heddle_population_count.sv",
                    "parts/logic/heddle_ratio_unit.sv",
                    "parts/storage/heddle_bit_vector.sv",
                    "parts/storage/heddle_counter_array.sv",
                    "parts/storage/heddle_pipeline.sv",
                    "parts/storage/heddle_register.sv",
                    "dispatch/simple_slicing/heddle_simple_slicing_sampler.sv",
                    "dispatch/simple_slicing/heddle_simple_slicing_table.sv",
                    "dispatch/simple_slicing/heddle_simple_slicing_predictor.sv",
                    "dispatch/simple_slicing/heddle_simple_slicing.sv"};
  add_ports(gpu, design);
  design.warps = 0;
  design.prioritizer.name = "heddle_simple_slicing";
  design.prioritizer.priced = design.prioritizer.name;
  design.prioritizer.inputs = design.inputs;
  design.prioritizer.outputs = design.outputs;
  for (const TwinDesign::Parameter& parameter : design.parameters)
    design.prioritizer.parameters.push_back(parameter.name);
  return design;
}

unsigned slicing_tb_slots(const TwinDesign& design) {
  constexpr unsigned kTbSlots = 1;
  return static_cast<unsigned>(design.parameters[kTbSlots].value);
}

}  // namespace heddle
