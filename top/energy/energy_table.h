#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// A published or derived figure: its central value and the range within which it may well lie.
struct EnergyFigure {
  double value = 0;
  double low = 0;   ///< <= value
  double high = 0;  ///< >= value
  std::string source;
};

/// Whose executed lanes an energy is scaled by: it is then that of 32 lanes.
enum class EnergyLanes : std::uint8_t { kNone, kAll, kSp, kSfu, kLdst };

/// What an event costs, in nJ, and how often it happens.
struct EnergyEvent {
  struct Count {
    std::string metric;  ///< a total of stats.json: "sm.l1d.hits"
    double factor = 1;
  };
  std::string name;
  std::string block;  ///< that it is charged to
  std::vector<Count> counts;
  EnergyLanes lanes = EnergyLanes::kNone;
  EnergyFigure nj;
};

/// What goes with time, in watts.
struct StaticPower {
  std::string name;
  std::string block;
  bool of_each_sm = false;  ///< otherwise of the whole GPU
  EnergyFigure watts;
};

/// What a GPU's work costs (configs/energy/): events by block, and power.
struct EnergyTable {
  std::string name;  ///< of its file
  std::string description;
  std::vector<EnergyEvent> events;
  std::vector<StaticPower> power;
};

/// Throws ConfigError ("FILE:LINE:COLUMN: ...") when the file can't be read, for unknown and missing keys,
/// numbers below 0, ranges without their value, and figures without a source.
EnergyTable load_energy_table(const std::string& path);

/// A table given by path or name; "" is the project's gf100, or nothing when there is no such file. Throws
/// FileNotFound and ConfigError.
std::optional<EnergyTable> choose_energy_table(const std::string& choice);

}  // namespace heddle
