#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// What the schedulers' cycles went to, as shares of them that add up to 1: the causes of statistics.md in
/// groups.
struct SlotShares {
  double issued = 0;
  double memory = 0;      ///< loads, atomics and fences waited for, or the LD/ST unit
  double shared = 0;      ///< shared memory waited for
  double arithmetic = 0;  ///< results of SP and SFU waited for, or these units
  double barrier = 0;
  double fetch = 0;    ///< instructions waited for
  double no_warp = 0;  ///< no warp there, or all have issued their last instruction
  double policy = 0;   ///< the policy held back who could issue
};

/// What a timed run has counted of all launches of one kernel.
struct MeasuredLaunch {
  std::string workload;
  std::string size;  ///< "": the default
  std::string scheduler;
  std::string kernel;
  /// What else the run was asked for: keys of the configuration, "param.NAME", "config".
  std::map<std::string, std::string> settings;
  std::string status;    ///< of the run: "complete", "sampled", "cycle limit", ...
  bool correct = false;  ///< the run came to its end and its outputs agree
  std::uint64_t launches = 0;
  std::uint64_t cycles = 0;
  std::uint64_t warp_instructions = 0;
  SlotShares slots;
  std::optional<double> achieved_occupancy;
  std::optional<double> simd_efficiency;
  std::optional<double>
      lines_per_access;  ///< accesses to the L1D per instruction that accesses global memory
  std::optional<double> bytes_per_instruction;  ///< of DRAM, per thread instruction
  std::optional<double> dram_utilization;
  std::optional<double> l1d_hit_rate;
  std::optional<double> barrier_wait;  ///< warp cycles spent at barriers over all
  std::optional<double> rtru;          ///< how unequally long the warps of a TB live (statistics.md)
  std::optional<double> ldst_busy;     ///< cycles in which the LD/ST unit is not idle over all
  std::string ldst_cause;              ///< what most of these go to
  double seconds = 0;                  ///< processor time of the whole run
  std::uint64_t memory_bytes = 0;      ///< of the simulation, at most
};

/// Each kernel of each run in the folders of results and databases of experiments, in the order of the runs
/// and of first launches. Runs of several workloads at the same time are left out: of their launches not all
/// is known. Throws ResultsError for those without results, for damaged ones, and when nothing is left.
std::vector<MeasuredLaunch> measured_launches(const std::vector<std::string>& paths);

/// The same kernel of the same workload, as asked for but for the scheduler.
bool differ_in_scheduler_only(const MeasuredLaunch& a, const MeasuredLaunch& b);

/// What bounds it, by the rule of workloads.md, "What a workload is bound by".
std::string bound_by(const MeasuredLaunch& launch);

/// "RR-friendly", "GTO-friendly" or "neutral", of the cycles of the same launches under two schedulers.
std::string scheduler_class(double lrr_cycles, double gto_cycles);
/// "divergent" or "coherent", "barrier-bound", "unequal warps": what applies.
std::vector<std::string> behaviours(const MeasuredLaunch& launch);

}  // namespace heddle
