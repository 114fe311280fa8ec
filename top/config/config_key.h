#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "modules/config/gpu_config.h"

namespace heddle {

/// The value of one configuration key. Choices are held as their index.
using ConfigValue = std::variant<bool, std::uint64_t, double, std::string>;

/// One key of the configuration: its name in YAML ("l1d.mshr.entries"), what it may be, what it means, and
/// the member of GpuConfig that holds it.
struct ConfigKey {
  enum class Kind : std::uint8_t {
    kFlag,        ///< true or false
    kWhole,       ///< an integer from `low` to `high`
    kPowerOfTwo,  ///< likewise, and a power of two
    kReal,        ///< a number from `low` to `high`
    kChoice,      ///< one of `choices`, held as its index
    kName,        ///< one of `choices`, held as the text
    kText,        ///< any text that is not empty
  };

  std::string path;
  Kind kind = Kind::kWhole;
  double low = 0;
  double high = 0;
  std::vector<std::string> choices;
  std::string unit;  ///< "" when it has none
  std::string description;
  std::function<ConfigValue(const GpuConfig&)> get;
  std::function<void(GpuConfig&, const ConfigValue&)> set;

  /// What a value must be: "a whole number from 1 to 64".
  std::string expected() const;
  /// The range alone: "1 to 64".
  std::string range() const;
  /// The value that `text` stands for, or nothing when it is not what expected() says.
  std::optional<ConfigValue> parse(const std::string& text) const;
  /// The value as a YAML scalar; parse() reads it back.
  std::string format(const ConfigValue& value) const;
  std::string format(const GpuConfig& config) const { return format(get(config)); }
};

}  // namespace heddle
