#pragma once

#include <cstdint>
#include <string>

#include "workloads/description/workload.h"
#include "workloads/host/bindings.h"

namespace heddle {

/// Writes the first contents of a buffer, one of `buffers`, to `target`, which holds zeros, or for a buffer
/// in a symbol what the PTX has there. Throws WorkloadError (unreadable file, wrong size, value out of the
/// type's range, index out of the buffer).
void initialise_buffer(const BufferSpec& buffer, const Scope& scope, const Bindings& buffers,
                       std::uint8_t* target);

/// Evaluates and performs one write to the buffer at `place`, whose elements lie at `target`; `buffer` names
/// it in messages. Returns the index written. Throws WorkloadError.
std::uint64_t write_element(const ElementWrite& write, const Scope& scope, const std::string& buffer,
                            const Binding& place, std::uint8_t* target);

}  // namespace heddle
