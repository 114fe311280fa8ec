#include "top/rtl/twin_design.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "top/rtl/dispatch_ports.h"

namespace heddle {

const char* port_name(TwinInput input) {
  if (const char* const name = dispatch_port_name(static_cast<unsigned>(input)); name != nullptr) return name;
  static constexpr std::array<const char*, kNumTwinInputs> kNames{
      "start_i",         "finish_i",       "ready_i",        "stale_i",
      "issue_i",         "runs_i",         "waits_i",        "resident_i",
      "now_i",           "tb_start_i",     "tb_warps_i",     "tb_num_warps_i",
      "tb_tie_i",        "tb_slow_i",      "tb_end_i",       "phase_i",
      "lanes_i",         "arrive_i",       "release_i",      "under_way_i",
      "limit_i",         "load_i",         "cached_i",       "predict_pc_i",
      "predict_lanes_i", "coalesced_i",    "coalesced_pc_i", "coalesced_lines_i",
      "clear_i",         "room_valid_i",   "room_i",         "take_i",
      "tag_i",           "left_i",         "left_tag_i",     "tb_launch_i",
      "valid_i",         "unblocked_i",    "verdict_i",      "access_i",
      "access_first_i",  "access_miss_i",  "access_set_i",   "left_pc_i",
      "left_lines_i",    "queue_room_i",   "queued_i",       "drained_i",
      "memory_i",        "candidate_i",    "waiting_i",      "look_up_i",
      "look_up_store_i", "look_up_warp_i", "look_up_line_i", "evict_i",
      "evict_warp_i",    "evict_line_i"};
  return kNames[static_cast<unsigned>(input)];
}

const char* port_name(TwinOutput output) {
  if (const char* const name = dispatch_port_name(static_cast<unsigned>(output)); name != nullptr)
    return name;
  static constexpr std::array<const char*, kNumTwinOutputs> kNames{
      "grant_o", "passed_o", "qualified_o", "predict_o", "verdict_o", "saturated_o", "owner_o", "eligible_o"};
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

}  // namespace heddle
