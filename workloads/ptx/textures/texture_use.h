#pragma once

#include <string>

#include "workloads/launch/texture.h"
#include "workloads/ptx/isa/operation.h"

namespace heddle::ptx {

/// What is wrong with reading `texture` by the tex instruction `operation`: what was found and what was
/// expected; "" when it can be read. An unbound texture can't.
std::string texture_problem(const Operation& operation, const Texture& texture);

}  // namespace heddle::ptx
