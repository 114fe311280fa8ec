#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "workloads/description/workload.h"
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

/// The memory of a part of a buffer, which may have no elements. Throws WorkloadError when it is not all in
/// the buffer.
Binding part_of(const BufferPart& part, const Bindings& buffers, const Scope& scope);

}  // namespace heddle
