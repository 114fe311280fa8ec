#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sc_tests/support/kernel_generator.h"
#include "workloads/host/host_program.h"

namespace heddle::fuzz {

/// The workload of a generated kernel, in a file beside its PTX in the scratch folder.
Workload workload_of(const test::GeneratedKernel& kernel);

/// What the buffers `out` and `sums` hold.
std::string outputs_of(const HostProgram& program);

}  // namespace heddle::fuzz
