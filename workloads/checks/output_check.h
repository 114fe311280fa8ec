#pragma once

#include <cstdint>
#include <string>

#include "workloads/expression/element_type.h"

namespace heddle {

/// The outcome of one check of one buffer.
struct CheckResult {
  std::string buffer;
  std::string against;  ///< "reference atax", "file out.bin", "sum"
  bool passed = false;
  std::uint64_t elements = 0;
  std::uint64_t mismatches = 0;
  /// The element that is furthest from what was expected, in units of its tolerance.
  std::uint64_t worst_index = 0;
  std::string got;       ///< the worst element's value
  std::string expected;  ///< what it should have been
  double absolute = 0.0;
  double relative = 0.0;

  /// One line: "y: 512 of 512 elements agree with reference atax (worst: ...)".
  std::string message() const;
};

struct Tolerance {
  double absolute = 0.0;
  double relative = 0.0;
};

/// Compares `count` elements: an element passes when it equals the expected one (NaN equals NaN) or
/// |got - expected| <= absolute + relative * |expected|.
CheckResult compare_elements(ElementType type, const std::uint8_t* got, const std::uint8_t* expected,
                             std::uint64_t count, Tolerance tolerance);

/// Compares the sum of all elements, added up in doubles, in the same way.
CheckResult compare_sum(ElementType type, const std::uint8_t* got, std::uint64_t count, double expected,
                        Tolerance tolerance);

}  // namespace heddle
