#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "workloads/description/workload.h"
#include "workloads/ptx/isa/operation.h"

namespace heddle {

/// Checks every launch of the statements against the PTX: the kernel exists, and number, size and kind of
/// the arguments fit its parameters. Throws WorkloadError at the launch or argument.
void check_launches(const std::vector<Statement>& statements, const ptx::Module& module);

/// The kernel's parameter block. `address_of` gives the address that a buffer's name refers to. The launch
/// has passed check_launches(). Throws WorkloadError when a value does not fit its parameter.
std::vector<std::uint8_t> pack_arguments(const LaunchStatement& launch, const ptx::Code& kernel,
                                         const Scope& scope,
                                         const std::function<std::uint64_t(const std::string&)>& address_of);

}  // namespace heddle
