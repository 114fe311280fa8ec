#pragma once

#include <array>
#include <cstdint>

#include "base/observe.h"
#include "modules/messages/warp_instruction.h"

namespace heddle {

/// What an SM's issue stage counts, cumulative since the start.
struct IssueStatistics {
  /// Lanes on the path of an instruction: 0, 1-8, 9-16, 17-24, 25-31, 32.
  static constexpr unsigned kLaneBins = 6;

  std::uint64_t warp_instructions = 0;
  std::uint64_t path_lanes = 0;  ///< lanes on the path, which divergence takes away
  std::array<std::uint64_t, kLaneBins> by_lanes{};
  std::array<std::uint64_t, kNumUnits> by_unit{};
  std::array<std::uint64_t, kNumUnits> lanes_by_unit{};  ///< that executed
  std::uint64_t redirects = 0;
  std::uint64_t active_cycles = 0;        ///< a TB was resident
  std::uint64_t warp_cycles = 0;          ///< resident warps, summed over cycles
  std::uint64_t barriers = 0;             ///< met
  std::uint64_t barrier_wait_cycles = 0;  ///< from arrival to release, summed over warps
  std::uint64_t tbs = 0;                  ///< ended
  std::uint64_t warps = 0;                ///< retired
  // In cycles with a resident warp, summed over them.
  std::uint64_t register_cycles = 0;     ///< allocated registers
  std::uint64_t warp_slot_cycles = 0;    ///< allocated warp slots
  std::uint64_t shared_byte_cycles = 0;  ///< allocated shared memory
  // Of TBs that have ended (WarpMan 3.2).
  std::uint64_t tb_warp_cycles = 0;      ///< warps of a TB times the lifetime of the longest
  std::uint64_t unused_warp_cycles = 0;  ///< of that, beyond the lifetimes of its warps
  std::uint64_t unequal_tbs = 0;         ///< TBs with any of those
  std::uint64_t rtru_microbits = 0;      ///< of unequal TBs, -log2(unused over all warp cycles) in millionths

  /// A TB has ended: its warps times the lifetime of the longest, and of that what is beyond their lifetimes.
  void count_tb(std::uint64_t warp_cycles_of_tb, std::uint64_t unused_cycles);
  void count_issue(const WarpInstruction& instruction);
  /// Lanes that executed.
  std::uint64_t thread_instructions() const;
  void report(StatSink& sink) const { report_all(sink, true); }
  /// All but active_cycles and what is allocated, which belong to an SM.
  void report_of_launch(StatSink& sink) const { report_all(sink, false); }

 private:
  void report_all(StatSink& sink, bool of_sm) const;
  void report_allocation(StatSink& sink) const;
};

}  // namespace heddle
