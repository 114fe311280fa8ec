#pragma once

#include <memory>
#include <string>

#include "top/config/config_loader.h"
#include "top/machine/gpu.h"

namespace heddle {

/// Builds the GPU of a configuration. The blocks check what only they know; what they refuse becomes a
/// ConfigError that says where the value they name was given. The module is called `name`; further ones of
/// that name get a number behind it.
std::unique_ptr<Gpu> build_gpu(const LoadedConfig& loaded, const GpuBuild& build = {},
                               const std::string& name = "gpu");

}  // namespace heddle
