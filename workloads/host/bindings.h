#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "workloads/expression/element_type.h"

namespace heddle {

/// The memory that a buffer's name refers to.
struct Binding {
  std::uint64_t address = 0;
  std::uint64_t count = 0;
  ElementType type = ElementType::kF32;

  unsigned element_bytes() const { return heddle::element_bytes(type); }
  std::uint64_t bytes() const { return count * element_bytes(); }
};

/// By the names of a workload's buffers.
using Bindings = std::map<std::string, Binding>;

}  // namespace heddle
