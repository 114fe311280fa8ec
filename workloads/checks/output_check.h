#pragma once

#include <cstdint>
#include <string>

#include "workloads/expression/element_type.h"

namespace heddle {

/// The outcome of one check of one buffer.
struct CheckResult {
  std::string buffer;   ///< of a part with its elements: "y[4..7]", "y[0..6 by 2]"
  std::string against;  ///< "reference atax", "file out.bin", "sum"
  bool passed = false;
  std::uint64_t elements = 0;
  std::uint64_t mismatches = 0;
  /// The element that is furthest from what was expected, in units of its tolerance.
  std::uint64_t worst_index = 0;  ///< in the buffer
  std::string got;                ///< the worst element's value
  std::string expected;           ///< what it should have been
  double absolute = 0.0;
  double relative = 0.0;

  /// One line: "y: 512 of 512 elements agree with reference atax (worst: ...)".
  std::string message() const;
};

struct Tolerance {
  double absolute = 0.0;
  double relative = 0.0;
};

/// Elements in memory, each `stride` elements after the one before.
struct ElementRow {
  ElementRow(const std::uint8_t* first_element,
             std::uint64_t elements_apart = 1)  // NOLINT: a pointer is a row
      : first(first_element), stride(elements_apart) {}
  const std::uint8_t* first;
  std::uint64_t stride;
};

/// Compares `count` elements: an element passes when it equals the expected one (NaN equals NaN) or
/// |got - expected| <= absolute + relative * |expected|.
CheckResult compare_elements(ElementType type, ElementRow got, ElementRow expected, std::uint64_t count,
                             Tolerance tolerance);

/// Compares the sum of all elements, added up in doubles, in the same way.
CheckResult compare_sum(ElementType type, ElementRow got, std::uint64_t count, double expected,
                        Tolerance tolerance);

}  // namespace heddle
