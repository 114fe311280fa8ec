#include "modules/config/value_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace heddle {

namespace {

template <class Number>
std::optional<Number> parse_number(const std::string& text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::string number_text(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

ValueRange ValueRange::choice(std::vector<std::string> choices) {
  return {Kind::kChoice, 0, 0, std::move(choices)};
}

ValueRange ValueRange::name(std::vector<std::string> choices) {
  return {Kind::kName, 0, 0, std::move(choices)};
}

std::string ValueRange::range() const {
  switch (kind) {
    case Kind::kFlag:
      return "true, false";
    case Kind::kChoice:
    case Kind::kName:
      return listed(choices);
    case Kind::kScheduler:
      return "a warp scheduler";
    case Kind::kText:
      return "text";
    case Kind::kPowerOfTwo:
      return "powers of two from " + bounds();
    default:
      return bounds();
  }
}

std::string ValueRange::bounds() const { return number_text(low) + " to " + number_text(high); }

std::string ValueRange::expected() const {
  switch (kind) {
    case Kind::kFlag:
      return "true or false";
    case Kind::kChoice:
    case Kind::kName:
      return "one of " + range();
    case Kind::kScheduler:
      return range();
    case Kind::kText:
      return "a text";
    case Kind::kReal:
      return "a number from " + range();
    case Kind::kPowerOfTwo:
      return "a power of two from " + bounds();
    default:
      return "a whole number from " + range();
  }
}

std::optional<ConfigValue> ValueRange::parse(const std::string& text) const {
  std::optional<ConfigValue> value;
  switch (kind) {
    case Kind::kFlag:
      if (text == "true" || text == "false") value = text == "true";
      break;
    case Kind::kScheduler:
    case Kind::kText:
    case Kind::kName:
      value = text;
      break;
    case Kind::kChoice: {
      const auto found = std::find(choices.begin(), choices.end(), text);
      if (found != choices.end()) value = static_cast<std::uint64_t>(found - choices.begin());
      break;
    }
    case Kind::kReal:
      if (const auto number = parse_number<double>(text)) value = *number;
      break;
    case Kind::kWhole:
    case Kind::kPowerOfTwo:
      if (const auto number = parse_number<std::uint64_t>(text)) value = *number;
      break;
  }
  return value && allows(*value) ? value : std::nullopt;
}

bool ValueRange::allows(const ConfigValue& value) const {
  switch (kind) {
    case Kind::kFlag:
      return true;
    case Kind::kScheduler:
    case Kind::kText:
      return !std::get<std::string>(value).empty();
    case Kind::kName:
      return std::find(choices.begin(), choices.end(), std::get<std::string>(value)) != choices.end();
    case Kind::kChoice:
      return std::get<std::uint64_t>(value) < choices.size();
    case Kind::kReal: {
      const double number = std::get<double>(value);
      return number >= low && number <= high;  // not so for a NaN
    }
    case Kind::kWhole:
    case Kind::kPowerOfTwo:
      break;
  }
  const std::uint64_t number = std::get<std::uint64_t>(value);
  const bool within = static_cast<double>(number) >= low && static_cast<double>(number) <= high;
  return within && (kind == Kind::kWhole || (number & (number - 1)) == 0);
}

std::string ValueRange::format(const ConfigValue& value) const {
  if (kind == Kind::kFlag) return std::get<bool>(value) ? "true" : "false";
  if (kind == Kind::kChoice && allows(value)) return choices[std::get<std::uint64_t>(value)];
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  return fmt::format("{}", std::get<std::uint64_t>(value));
}

}  // namespace heddle
