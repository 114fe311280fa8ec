#include "workloads/checks/output_check.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/stop.h"

namespace heddle {

namespace {

template <typename T>
T element_at(const ElementRow& row, std::uint64_t index) {
  T value{};
  std::memcpy(&value, row.first + index * row.stride * sizeof(T), sizeof(T));
  return value;
}

// Distance from the expected value in units of the tolerance: 0 is equal, up to 1 passes. Computed in long
// doubles, which hold every 64-bit integer here.
template <typename T>
long double error_of(T got, T expected, Tolerance tolerance) {
  if (got == expected) {
    return 0.0L;
  }
  constexpr long double kInfinity = std::numeric_limits<long double>::infinity();
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(got) && std::isnan(expected)) {
      return 0.0L;
    }
    if (!std::isfinite(got) || !std::isfinite(expected)) {
      return kInfinity;
    }
  }
  const auto x = static_cast<long double>(expected);
  const long double allowed = tolerance.absolute + tolerance.relative * std::fabs(x);
  const long double difference = std::fabs(static_cast<long double>(got) - x);
  return allowed > 0.0L ? difference / allowed : kInfinity;
}

template <typename T>
std::string text_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return fmt::format("{}", value);
  } else {
    return std::to_string(value);
  }
}

}  // namespace

CheckResult compare_elements(ElementType type, ElementRow got, ElementRow expected, std::uint64_t count,
                             Tolerance tolerance) {
  CheckResult result;
  result.elements = count;
  result.absolute = tolerance.absolute;
  result.relative = tolerance.relative;
  with_element_type(type, [&](auto zero) {
    using T = decltype(zero);
    long double worst = -1.0L;
    for (std::uint64_t i = 0; i < count; ++i) {
      throw_if_stopped();
      const long double error = error_of(element_at<T>(got, i), element_at<T>(expected, i), tolerance);
      result.mismatches += error > 1.0L ? 1 : 0;
      if (error > worst) {
        worst = error;
        result.worst_index = i;
      }
    }
    if (count > 0) {
      result.got = text_of(element_at<T>(got, result.worst_index));
      result.expected = text_of(element_at<T>(expected, result.worst_index));
    }
  });
  result.passed = result.mismatches == 0;
  return result;
}

CheckResult compare_sum(ElementType type, ElementRow got, std::uint64_t count, double expected,
                        Tolerance tolerance) {
  double sum = 0.0;
  with_element_type(type, [&](auto zero) {
    using T = decltype(zero);
    for (std::uint64_t i = 0; i < count; ++i) {
      throw_if_stopped();
      sum += static_cast<double>(element_at<T>(got, i));
    }
  });
  CheckResult result;
  result.against = "sum";
  result.elements = 1;
  result.absolute = tolerance.absolute;
  result.relative = tolerance.relative;
  result.passed = error_of(sum, expected, tolerance) <= 1.0L;
  result.mismatches = result.passed ? 0 : 1;
  result.got = text_of(sum);
  result.expected = text_of(expected);
  return result;
}

std::string CheckResult::message() const {
  if (against == "sum") {
    return fmt::format("{}: sum is {}, expected {} (absolute {}, relative {}): {}", buffer, got, expected,
                       absolute, relative, passed ? "passed" : "FAILED");
  }
  const std::string worst =
      elements == 0 ? "" : fmt::format("; worst element {}: got {}, expected {}", worst_index, got, expected);
  return fmt::format("{}: {} of {} elements agree with {} (absolute {}, relative {}){}: {}", buffer,
                     elements - mismatches, elements, against, absolute, relative, worst,
                     passed ? "passed" : "FAILED");
}

}  // namespace heddle
