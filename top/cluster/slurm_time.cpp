#include "top/cluster/slurm_time.h"

#include <charconv>
#include <vector>

namespace heddle {

namespace {

constexpr double kMinute = 60;
constexpr double kHour = 60 * kMinute;
constexpr double kDay = 24 * kHour;

/// Whole numbers with colons between them; {} when it is something else.
std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    unsigned number = 0;
    const auto [rest, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return {};
    numbers.push_back(number);
    if (rest == end) return numbers;
    if (*rest != ':') return {};
    at = rest + 1;
  }
}

/// The numbers in these units, the first ones.
double sum_of(const std::vector<double>& numbers, const std::vector<double>& units) {
  double sum = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) sum += numbers[i] * units[i];
  return sum;
}

}  // namespace

std::optional<double> slurm_seconds(const std::string& text) {
  const std::size_t dash = text.find('-');
  const bool has_days = dash != std::string::npos;
  const std::vector<double> days = has_days ? numbers_in(text.substr(0, dash)) : std::vector<double>{0};
  const std::vector<double> times = numbers_in(has_days ? text.substr(dash + 1) : text);
  if (days.size() != 1 || times.empty() || times.size() > 3) return std::nullopt;
  const bool has_hours = has_days || times.size() == 3;
  const double seconds = days.front() * kDay + sum_of(times, has_hours ? std::vector{kHour, kMinute, 1.0}
                                                                       : std::vector{kMinute, 1.0});
  return seconds > 0 ? std::optional(seconds) : std::nullopt;
}

}  // namespace heddle
