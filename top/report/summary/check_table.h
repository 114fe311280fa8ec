#pragma once

#include <vector>

#include "top/text/table.h"
#include "workloads/checks/output_check.h"

namespace heddle {

/// The outcome of checks, for programs.
Table check_table(const std::vector<CheckResult>& checks);

}  // namespace heddle
