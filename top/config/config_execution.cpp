#include <array>

#include "top/config/config_builders.h"
#include "top/config/config_sections.h"

namespace heddle::config {

namespace {

struct OpClassName {
  OpClass op_class;
  const char* key;
  const char* description;
};

constexpr std::array<OpClassName, kNumOpClasses - 1> kOpClasses{{
    {OpClass::kSimple, "simple",
     "moves, logic, shifts, comparisons, selection, conversion, branches, barriers"},
    {OpClass::kIntAdd, "int_add", "integer addition"},
    {OpClass::kIntMinMax, "int_min_max", "integer minimum and maximum"},
    {OpClass::kIntMul, "int_mul", "integer multiplication"},
    {OpClass::kIntMad, "int_mad", "integer multiply-add"},
    {OpClass::kIntDiv, "int_div", "integer division and remainder"},
    {OpClass::kShuffle, "shuffle", "warp shuffle"},
    {OpClass::kFp32Add, "fp32_add", "single-precision addition"},
    {OpClass::kFp32MinMax, "fp32_min_max", "single-precision minimum and maximum"},
    {OpClass::kFp32Mul, "fp32_mul", "single-precision multiplication"},
    {OpClass::kFp32Mad, "fp32_mad", "single-precision multiply-add"},
    {OpClass::kFp32Div, "fp32_div", "single-precision division"},
    {OpClass::kFp64Add, "fp64_add", "double-precision addition"},
    {OpClass::kFp64MinMax, "fp64_min_max", "double-precision minimum and maximum"},
    {OpClass::kFp64Mul, "fp64_mul", "double-precision multiplication"},
    {OpClass::kFp64Mad, "fp64_mad", "double-precision multiply-add"},
    {OpClass::kFp64Div, "fp64_div", "double-precision division"},
    {OpClass::kTranscendental, "transcendental", "sqrt, rcp, rsqrt, ex2, lg2, sin, cos"},
}};

ConfigKey timing_key(const OpClassName& op, const char* leaf, unsigned OpTiming::*member, std::string unit,
                     const std::string& what) {
  const auto index = static_cast<std::size_t>(op.op_class);
  ConfigKey key{ValueRange::whole(1, 1024),
                std::string("execution.") + op.key + "." + leaf,
                std::move(unit),
                what + ": " + op.description,
                {},
                {}};
  key.get = [index, member](const GpuConfig& config) {
    return ConfigValue(std::uint64_t{config.execution.timing[index].*member});
  };
  key.set = [index, member](GpuConfig& config, const ConfigValue& value) {
    config.execution.timing[index].*member = static_cast<unsigned>(std::get<std::uint64_t>(value));
  };
  return key;
}

void add_operand_collector_keys(std::vector<ConfigKey>& keys) {
  using Oc = OperandCollectorConfig;
  keys.push_back(power_of_two<&GpuConfig::operand_collector, &Oc::banks>(
      "operand_collector.banks", 1, 64, "banks",
      "Single-ported register banks; bank = (register + warp) mod this"));
  keys.push_back(whole<&GpuConfig::operand_collector, &Oc::sp_units>(
      "operand_collector.sp_units", 1, 32, "units", "Collector units for the SP units"));
  keys.push_back(whole<&GpuConfig::operand_collector, &Oc::sfu_units>(
      "operand_collector.sfu_units", 1, 32, "units", "Collector units for the SFU"));
  keys.push_back(whole<&GpuConfig::operand_collector, &Oc::mem_units>(
      "operand_collector.mem_units", 1, 32, "units", "Collector units for the LD/ST unit"));
  keys.push_back(whole<&GpuConfig::operand_collector, &Oc::sp_issue_slots>(
      "operand_collector.sp_issue_slots", 1, 8, "instructions/cycle",
      "Into and out of the collector for the SPs"));
  keys.push_back(whole<&GpuConfig::operand_collector, &Oc::sfu_issue_slots>(
      "operand_collector.sfu_issue_slots", 1, 8, "instructions/cycle",
      "Into and out of the collector for the SFU"));
  keys.push_back(whole<&GpuConfig::operand_collector, &Oc::mem_issue_slots>(
      "operand_collector.mem_issue_slots", 1, 8, "instructions/cycle",
      "Into and out of the collector for the LD/ST unit"));
}

}  // namespace

void add_execution_keys(std::vector<ConfigKey>& keys) {
  add_operand_collector_keys(keys);
  keys.push_back(whole<&GpuConfig::execution, &ExecutionConfig::sp_units>("execution.sp_units", 1, 8, "units",
                                                                          "SP units of an SM"));
  keys.push_back(whole<&GpuConfig::execution, &ExecutionConfig::sfu_units>("execution.sfu_units", 1, 8,
                                                                           "units", "SFUs of an SM"));
  keys.push_back(whole<&GpuConfig::execution, &ExecutionConfig::result_bus_width>(
      "execution.result_bus_width", 1, 8, "results/cycle", "Results into write-back"));
  for (const OpClassName& op : kOpClasses) {
    keys.push_back(timing_key(op, "latency_cycles", &OpTiming::latency_cycles, "core cycles", "Latency"));
    keys.push_back(timing_key(op, "initiation_cycles", &OpTiming::initiation_cycles, "core cycles",
                              "Cycles between two instructions on one unit"));
  }
}

}  // namespace heddle::config
