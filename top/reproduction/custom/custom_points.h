#pragma once

#include <string>

#include "top/reproduction/definition/figure_definition.h"
#include "top/reproduction/points/result_points.h"

namespace heddle {

/// The point that the definition of a custom figure calls `name`; nullptr when it is not there or not
/// complete. Throws WorkloadError when the definition has no such point.
const ResultPoint* custom_point(const FigureDefinition& figure, const PaperPoints& results,
                                const std::string& name);

/// A whole number of the definition's `with`. Throws WorkloadError.
std::uint64_t custom_number(const FigureDefinition& figure, const std::string& key);

}  // namespace heddle
