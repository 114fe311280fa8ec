#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heddle {

/// "1,234,567"
std::string grouped(std::uint64_t value);
/// The value with so many significant digits, and never as a power of ten: "0.123", "12.3", "12,300".
std::string rounded(double value, int digits);
/// "12.3%", or "-" when there is no value.
std::string percent(std::optional<double> share);
/// "12 s", "3 min", "1.5 h".
std::string duration_text(double seconds);
/// A bar of at most `width` characters for a share of 0 to 1; a share that is not 0 has at least a dot.
std::string bar(double share, unsigned width);

}  // namespace heddle
