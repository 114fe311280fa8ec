#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace heddle {

/// The value of one configuration key. Choices are held as their index.
using ConfigValue = std::variant<bool, std::uint64_t, double, std::string>;

/// What the value of a configuration key may be.
struct ValueRange {
  enum class Kind : std::uint8_t {
    kFlag,        ///< true or false
    kWhole,       ///< an integer from `low` to `high`
    kPowerOfTwo,  ///< likewise, and a power of two
    kReal,        ///< a number from `low` to `high`
    kChoice,      ///< one of `choices`, held as its index
    kName,        ///< one of `choices`, held as the text
    kScheduler,   ///< the name of a warp scheduler (find_policies), which is checked when all keys are known
    kText,        ///< any text that is not empty
  };

  Kind kind = Kind::kWhole;
  double low = 0;
  double high = 0;
  std::vector<std::string> choices;

  static ValueRange flag() { return {Kind::kFlag, 0, 0, {}}; }
  static ValueRange whole(double low, double high) { return {Kind::kWhole, low, high, {}}; }
  static ValueRange power_of_two(double low, double high) { return {Kind::kPowerOfTwo, low, high, {}}; }
  static ValueRange real(double low, double high) { return {Kind::kReal, low, high, {}}; }
  static ValueRange choice(std::vector<std::string> choices);
  static ValueRange name(std::vector<std::string> choices);
  static ValueRange scheduler() { return {Kind::kScheduler, 0, 0, {}}; }
  static ValueRange text() { return {Kind::kText, 0, 0, {}}; }

  /// What a value must be: "a whole number from 1 to 64".
  std::string expected() const;
  /// The range alone: "1 to 64", "powers of two from 1 to 64".
  std::string range() const;
  /// The value that `text` stands for, or nothing when it is not what expected() says.
  std::optional<ConfigValue> parse(const std::string& text) const;
  /// `value`, which is of this kind, is what expected() says.
  bool allows(const ConfigValue& value) const;
  /// The value as a YAML scalar; parse() reads it back. A choice beyond `choices` is shown as its index.
  std::string format(const ConfigValue& value) const;

 private:
  std::string bounds() const;
};

}  // namespace heddle
