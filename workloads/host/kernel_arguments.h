#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "workloads/description/workload.h"
#include "workloads/host/bindings.h"
#include "workloads/ptx/isa/operation.h"

namespace heddle {

/// Checks that number, size and kind of the launch's arguments fit the kernel's parameters. Throws
/// WorkloadError at the launch (`mark`) or argument.
void check_arguments(const LaunchStatement& launch, const SourceMark& mark, const ptx::Code& kernel);

using HandleOf = std::function<std::uint64_t(const std::string&)>;

/// The kernel's parameter block. `buffers` are what the names of buffers refer to, `handle_of` gives the
/// handle of a texture. The launch has passed check_arguments(). Throws WorkloadError when a value does not
/// fit its parameter.
std::vector<std::uint8_t> pack_arguments(const LaunchStatement& launch, const ptx::Code& kernel,
                                         const Scope& scope, const Bindings& buffers,
                                         const HandleOf& handle_of);

}  // namespace heddle
