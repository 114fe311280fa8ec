#include "top/config/config_key.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace heddle {

namespace {

template <class Number>
std::optional<Number> parse_number(const std::string& text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) {
    return std::nullopt;
  }
  return value;
}

std::string number_text(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

}  // namespace

std::string ConfigKey::range() const {
  switch (kind) {
    case Kind::kFlag:
      return "true, false";
    case Kind::kChoice:
    case Kind::kName:
      return fmt::format("{}", fmt::join(choices, ", "));
    case Kind::kText:
      return "text";
    default:
      return number_text(low) + " to " + number_text(high);
  }
}

std::string ConfigKey::expected() const {
  switch (kind) {
    case Kind::kFlag:
      return "true or false";
    case Kind::kChoice:
    case Kind::kName:
      return "one of " + range();
    case Kind::kText:
      return "a text";
    case Kind::kReal:
      return "a number from " + range();
    case Kind::kPowerOfTwo:
      return "a power of two from " + range();
    default:
      return "a whole number from " + range();
  }
}

std::optional<ConfigValue> ConfigKey::parse(const std::string& text) const {
  switch (kind) {
    case Kind::kFlag:
      if (text == "true" || text == "false") {
        return text == "true";
      }
      return std::nullopt;
    case Kind::kText:
      if (text.empty()) {
        return std::nullopt;
      }
      return text;
    case Kind::kChoice:
    case Kind::kName: {
      const auto found = std::find(choices.begin(), choices.end(), text);
      if (found == choices.end()) {
        return std::nullopt;
      }
      if (kind == Kind::kName) {
        return text;
      }
      return static_cast<std::uint64_t>(found - choices.begin());
    }
    case Kind::kReal: {
      const auto value = parse_number<double>(text);
      if (!value || !(*value >= low && *value <= high)) {
        return std::nullopt;
      }
      return *value;
    }
    default: {
      const auto value = parse_number<std::uint64_t>(text);
      if (!value || static_cast<double>(*value) < low || static_cast<double>(*value) > high) {
        return std::nullopt;
      }
      if (kind == Kind::kPowerOfTwo && (*value & (*value - 1)) != 0) {
        return std::nullopt;
      }
      return *value;
    }
  }
}

std::string ConfigKey::format(const ConfigValue& value) const {
  if (kind == Kind::kFlag) {
    return std::get<bool>(value) ? "true" : "false";
  }
  if (kind == Kind::kChoice) {
    return choices.at(std::get<std::uint64_t>(value));
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return *text;
  }
  if (const auto* real = std::get_if<double>(&value)) {
    return fmt::format("{}", *real);
  }
  return fmt::format("{}", std::get<std::uint64_t>(value));
}

}  // namespace heddle
