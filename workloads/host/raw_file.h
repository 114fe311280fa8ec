#pragma once

#include <cstdint>
#include <string>

#include "workloads/description/workload_error.h"

namespace heddle {

/// Whether the file can be read and is exactly `bytes` long; errors are WorkloadErrors at `mark`.
void expect_raw_file(const std::string& path, std::uint64_t bytes, const SourceMark& mark);

/// Reads the raw contents of a file that must be exactly `bytes` long to `target`; errors are WorkloadErrors
/// at `mark`.
void read_raw_file(const std::string& path, std::uint64_t bytes, const SourceMark& mark,
                   std::uint8_t* target);

}  // namespace heddle
