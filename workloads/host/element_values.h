#pragma once

#include <cstdint>
#include <string>

#include "workloads/description/workload.h"
#include "workloads/host/bindings.h"

namespace heddle {

/// Writes the elements at `place`, a buffer or a part of one, to `target` as `init` says; `buffer` names them
/// in messages. `buffers` are what the names in `init` refer to. Throws WorkloadError (unreadable file, wrong
/// size, value out of the type's range, address out of its buffer).
void write_elements(const BufferInit& init, const std::string& buffer, const Binding& place,
                    const Scope& scope, const Bindings& buffers, std::uint8_t* target);

}  // namespace heddle
