#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hw/pricing/timing_path.h"

namespace heddle::hw {

class Inventory;

enum class Timing : std::uint8_t {
  kIdeal,     ///< operations take no time, ports are not checked: what the papers' simulators do
  kHardware,  ///< operations take the cycles of their logic depth, ports are checked
};

/// The block that parts belong to: where they enter themselves, and how they take time. A plain value; blocks
/// pass it to the constructors of their parts.
struct Owner {
  /// Register-to-register delay of a clock cycle, in FO4 (hardware-cost.md: 25 to 30 in a GPU).
  static constexpr double kDefaultClockFo4 = 28;

  Inventory* inventory = nullptr;  ///< outlives the parts; nullptr: parts are not listed
  std::string path;                ///< "sm0/pro"; the first component names the SM, if there is one
  Timing timing = Timing::kIdeal;
  double clock_fo4 = kDefaultClockFo4;
  bool strict = false;  ///< port conflicts throw PortConflict instead of being counted only

  /// The same for a block inside this one.
  Owner child(std::string_view name) const {
    Owner inner = *this;
    inner.path = path.empty() ? std::string(name) : path + "/" + std::string(name);
    return inner;
  }

  /// Enters a path through several parts ("compare-swap" = read mux, comparator, swap) into the inventory.
  void declare_path(std::string_view name, const TimingPath& timing_path) const;

  /// Says in the cost report why `part` (a final "*" stands for numbers) is not in the paper's byte total.
  void note(std::string_view part, std::string_view text) const;

  /// Cycles that `timing_path` takes: 0 in ideal timing.
  unsigned cycles(const TimingPath& timing_path) const {
    return timing == Timing::kIdeal ? 0 : timing_path.cycles(clock_fo4);
  }
};

}  // namespace heddle::hw
