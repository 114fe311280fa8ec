#pragma once

#include <string_view>
#include <vector>

#include "workloads/checks/references.h"

namespace heddle {

struct ReferenceRow {
  std::string_view name;
  Reference reference;
};

/// A row per folder NAME of workloads/kernels/ that holds a reference.cpp, by name in ascending order, with
/// its function heddle::references::NAME. The build writes it (heddle_references() in
/// cmake/HeddleTargets.cmake).
const std::vector<ReferenceRow>& reference_rows();

}  // namespace heddle
