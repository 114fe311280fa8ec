#pragma once

#include <algorithm>
#include <vector>

#include "workloads/host/host_program.h"

namespace heddle::test {

/// All checks of the program pass.
inline bool correct(const HostProgram& program) {
  const std::vector<CheckResult> checks = program.check();
  return std::all_of(checks.begin(), checks.end(), [](const CheckResult& check) { return check.passed; });
}

}  // namespace heddle::test
