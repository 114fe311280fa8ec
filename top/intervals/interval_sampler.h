#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "tlm/clocked.h"
#include "top/intervals/interval_columns.h"
#include "top/intervals/interval_counters.h"
#include "top/intervals/interval_file.h"
#include "top/intervals/policy_state.h"
#include "top/machine/gpu.h"

namespace heddle {

/// Statistics over time: reads the machine's counters and the state of its policies at the end of every
/// interval of `cycles` core cycles, and writes what was counted in it to an IntervalFile.
///
/// Interval k is of the core cycles from k * cycles + 1 to (k + 1) * cycles; the last one ends with the run.
/// Counters are read when all blocks have ticked that have an edge at the time of its last cycle, and those
/// that sleep have charged their cycles. The machine does the same with and without it.
class IntervalSampler : public sc_core::sc_module, public Clocked {
 public:
  /// `cycles` from 1 on, so few that their time is one. Made before the simulation starts. Throws
  /// OutputError.
  IntervalSampler(const sc_core::sc_module_name& name, Gpu& gpu, std::uint64_t cycles,
                  const std::string& path);

  /// There will be no file: the run need not go on.
  bool failed() const { return fault_ != nullptr; }
  /// After the run: the interval that its end has cut off, and what is known of it. Throws OutputError.
  void finish(const RunDescription& description, const RunResult& result);

  /// Has the clock tick at the end of each interval, whoever sleeps.
  bool tick() override;

 private:
  /// Called after each edge of the machine.
  void look() {
    if (gpu_.clock_tree().time() >= next_time_) end_interval();
  }
  void end_interval();
  void sample(Cycle last_cycle);
  void write();

  Gpu& gpu_;
  const std::uint64_t cycles_;
  IntervalColumns columns_;
  IntervalCounters counters_;
  PolicyState state_;
  std::optional<IntervalFile> file_;
  Ticks next_time_;                    ///< of the end of the present interval
  Cycle woken_for_ = 0;                ///< the edge for which the clock is to tick
  std::uint64_t number_ = 0;           ///< of the present interval
  Cycle sampled_ = 0;                  ///< last cycle of the one before
  std::vector<std::uint64_t> before_;  ///< counters at its end
  std::vector<std::uint64_t> now_;
  IntervalBatch batch_;
  std::exception_ptr fault_;
};

}  // namespace heddle
