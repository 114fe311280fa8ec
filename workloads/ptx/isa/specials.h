#pragma once

#include <optional>
#include <string_view>

#include "workloads/ptx/isa/operation.h"

namespace heddle::ptx {

/// The special register named `name` without its '%': kTidX for "tid.x".
std::optional<Special> special_named(std::string_view name);

}  // namespace heddle::ptx
