#pragma once

#include <cstdint>

namespace heddle {

constexpr bool power_of_two(std::uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

}  // namespace heddle
