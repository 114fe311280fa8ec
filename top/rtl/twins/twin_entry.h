#pragma once

#include <vector>

#include "hw/pricing/owner.h"
#include "top/rtl/twin_design.h"

namespace heddle {

/// What one policy's twin is made of: the modules of a prioritizer or of a qualifier.
struct TwinEntry {
  const char* policy;
  const char* module;
  std::vector<const char*> sources;
  std::vector<TwinInput> inputs;
  std::vector<TwinDesign::Parameter> (*own_parameters)(const GpuConfig& gpu) = nullptr;
  void (*finish)(const GpuConfig& gpu, TwinDesign& design) = nullptr;
  /// Bits of an input or output of its own; 0: a bit per warp slot.
  unsigned (*input_bits)(TwinInput input, const GpuConfig& gpu) = nullptr;
  unsigned (*output_bits)(TwinOutput output, const GpuConfig& gpu) = nullptr;
  std::vector<TwinOutput> outputs{TwinOutput::kGrant, TwinOutput::kPassed};
  bool alone = false;            ///< not behind a qualifier
  const char* behind = nullptr;  ///< behind this qualifier only
  /// Inputs that are the qualifier's outputs, with their names.
  std::vector<TwinDesign::Connection> from_qualifier{};
  /// Inputs of the design that go to a port of all warps.
  std::vector<TwinDesign::Spread> to_each_warp{};
};

/// Twins of prioritizers and of qualifiers.
const std::vector<const TwinEntry*>& prioritizer_twins();
const std::vector<const TwinEntry*>& qualifier_twins();

const TwinEntry& lrr_twin();
const TwinEntry& oldest_twin();
const TwinEntry& gto_twin();
const TwinEntry& two_level_twin();
const TwinEntry& two_level_active_twin();
const TwinEntry& least_issued_twin();
const TwinEntry& ipaws_twin();
const TwinEntry& pro_twin();
const TwinEntry& swl_twin();
const TwinEntry& ccws_twin();
const TwinEntry& oaws_static_twin();
const TwinEntry& oaws_dynamic_twin();
const TwinEntry& mascar_qualifier_twin();
const TwinEntry& mascar_prioritizer_twin();

/// Files that several twins have.
namespace twin_source {
constexpr const char* kAdder = "parts/logic/heddle_adder.sv";
constexpr const char* kComparator = "parts/logic/heddle_comparator.sv";
constexpr const char* kFixedSelector = "parts/logic/heddle_fixed_selector.sv";
constexpr const char* kMinimumTree = "parts/logic/heddle_minimum_tree.sv";
constexpr const char* kMultiplexer = "parts/logic/heddle_multiplexer.sv";
constexpr const char* kPopulationCount = "parts/logic/heddle_population_count.sv";
constexpr const char* kPrefixOr = "parts/logic/heddle_prefix_or.sv";
constexpr const char* kRotatingSelector = "parts/logic/heddle_rotating_selector.sv";
constexpr const char* kCounterArray = "parts/storage/heddle_counter_array.sv";
constexpr const char* kTable = "parts/storage/heddle_table.sv";
constexpr const char* kAgeMatrix = "parts/order/heddle_age_matrix.sv";
constexpr const char* kAgeSelect = "parts/order/heddle_age_select.sv";
constexpr const char* kAgeOrder = "parts/order/heddle_age_order.sv";
}  // namespace twin_source

/// Of a policy's own objects, asked what they make of a configuration in hardware timing.
hw::Owner twin_owner(const GpuConfig& gpu);

}  // namespace heddle
