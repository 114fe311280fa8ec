#pragma once

#include <array>
#include <cstdint>

#include "base/observe.h"
#include "modules/warp_scheduler/policy_host.h"
#include "modules/warp_scheduler/warp_table.h"

namespace heddle {

/// The warps of an SM as its schedulers find them at an edge: what the WarpTable and the PolicyHost tell
/// policies, for waves.
class WarpWaves {
 public:
  /// Signals for `table.slots` warps.
  void trace(WaveSink& sink, const WarpTable& table);
  /// Before the schedulers run.
  void show(const WarpTable& table, const PolicyHost& host);

 private:
  /// A value of each warp. Columns of one version change together.
  using Column = std::array<std::uint64_t, kMaxWarps>;

  static void trace_column(WaveSink& sink, const Column& column, unsigned slots, unsigned bits,
                           const char* name);
  void show_next(const WarpTable& table, const PolicyHost& host);
  static void set(std::uint64_t& entry, std::uint64_t value, std::uint64_t& version) {
    version += entry != value ? 1 : 0;
    entry = value;
  }

  std::uint64_t resident_ = 0;
  std::uint64_t finished_ = 0;
  std::uint64_t valid_ = 0;
  std::uint64_t off_path_ = 0;
  std::uint64_t stale_ = 0;
  std::uint64_t at_barrier_ = 0;
  std::uint64_t at_membar_ = 0;
  std::uint64_t blocked_ = 0;
  std::uint64_t blocked_memory_ = 0;
  std::uint64_t blocked_shared_ = 0;
  std::uint64_t blocked_sfu_ = 0;
  std::array<std::uint64_t, kNumUnits> needs_{};
  std::uint64_t next_l1d_load_ = 0;
  std::uint64_t next_bypass_ = 0;
  std::uint64_t next_memory_access_ = 0;
  std::uint64_t resident_version_ = 0;
  Column tb_slot_{};
  Column age_{};
  std::uint64_t next_version_ = 0;
  Column next_pc_{};
  Column next_lanes_{};
};

}  // namespace heddle
