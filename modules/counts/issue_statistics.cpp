#include "modules/counts/issue_statistics.h"

#include <cmath>
#include <numeric>

namespace heddle {

namespace {

unsigned lane_bin(unsigned lanes) {
  return lanes == kWarpSize ? IssueStatistics::kLaneBins - 1 : (lanes + 7) / 8;
}

}  // namespace

void IssueStatistics::count_issue(const WarpInstruction& instruction) {
  const auto lanes = static_cast<unsigned>(__builtin_popcount(instruction.path));
  ++warp_instructions;
  path_lanes += lanes;
  ++by_lanes[lane_bin(lanes)];
  const auto unit = static_cast<unsigned>(instruction.instruction->unit);
  ++by_unit[unit];
  lanes_by_unit[unit] += static_cast<unsigned>(__builtin_popcount(instruction.active));
}

std::uint64_t IssueStatistics::thread_instructions() const {
  return std::accumulate(lanes_by_unit.begin(), lanes_by_unit.end(), std::uint64_t{0});
}

void IssueStatistics::count_tb(std::uint64_t warp_cycles_of_tb, std::uint64_t unused_cycles) {
  ++tbs;
  tb_warp_cycles += warp_cycles_of_tb;
  unused_warp_cycles += unused_cycles;
  if (unused_cycles == 0) return;
  ++unequal_tbs;
  const double rtru = static_cast<double>(unused_cycles) / static_cast<double>(warp_cycles_of_tb);
  rtru_microbits += static_cast<std::uint64_t>(std::llround(-std::log2(rtru) * 1e6));
}

void IssueStatistics::report_all(StatSink& sink, bool of_sm) const {
  sink.count("warp_instructions", warp_instructions, "instructions", "warp instructions issued");
  sink.count("thread_instructions", thread_instructions(), "instructions",
             "lanes that executed an issued instruction (guard predicate true)");
  sink.count("path_lanes", path_lanes, "lanes",
             "lanes on the path of an issued instruction, guarded off or not");
  sink.count("sp_instructions", by_unit[0], "instructions", "warp instructions issued to the SP units");
  sink.count("sfu_instructions", by_unit[1], "instructions", "warp instructions issued to the SFU");
  sink.count("ldst_instructions", by_unit[2], "instructions", "warp instructions issued to the LD/ST unit");
  sink.count("sp_lanes", lanes_by_unit[0], "lanes",
             "lanes that executed an instruction issued to the SP units");
  sink.count("sfu_lanes", lanes_by_unit[1], "lanes", "lanes that executed an instruction issued to the SFU");
  sink.count("ldst_lanes", lanes_by_unit[2], "lanes",
             "lanes that executed an instruction issued to the LD/ST unit");
  static constexpr std::array<const char*, kLaneBins> kBins{"lanes_0",     "lanes_1_8",   "lanes_9_16",
                                                            "lanes_17_24", "lanes_25_31", "lanes_32"};
  for (unsigned b = 0; b < kLaneBins; ++b) {
    sink.count(kBins[b], by_lanes[b], "instructions", "warp instructions by number of lanes on their path");
  }
  sink.count("redirects", redirects, "instructions", "instructions after which the warp went on elsewhere");
  if (of_sm) sink.count("active_cycles", active_cycles, "cycles", "cycles with a resident thread block");
  sink.count("warp_cycles", warp_cycles, "cycles", "resident warps summed over cycles");
  sink.count("barriers", barriers, "barriers", "barriers met");
  sink.count("barrier_wait_cycles", barrier_wait_cycles, "cycles",
             "from arrival to release, summed over warps");
  sink.count("tbs", tbs, "blocks", "thread blocks ended");
  sink.count("warps", warps, "warps", "warps retired");
  if (of_sm) report_allocation(sink);
  sink.count("tb_warp_cycles", tb_warp_cycles, "warp cycles",
             "warps of a TB times its longest warp's lifetime, summed over TBs that ended");
  sink.count("unused_warp_cycles", unused_warp_cycles, "warp cycles",
             "of these, beyond the lifetimes of the warps");
  sink.count("unequal_tbs", unequal_tbs, "blocks", "thread blocks ended whose warps lived unequally long");
  sink.count("rtru_microbits", rtru_microbits, "bits / 1000000",
             "-log2 of the temporal underutilization of these, summed");
}

void IssueStatistics::report_allocation(StatSink& sink) const {
  sink.count("register_cycles", register_cycles, "register cycles", "allocated registers summed over cycles");
  sink.count("warp_slot_cycles", warp_slot_cycles, "warp cycles", "allocated warp slots summed over cycles");
  sink.count("shared_byte_cycles", shared_byte_cycles, "byte cycles",
             "allocated shared memory summed over cycles");
}

}  // namespace heddle
