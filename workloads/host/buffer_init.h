#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/description/workload.h"

namespace heddle {

/// Writes the first contents of a buffer of `count` elements at the simulated `address` to `target`, which
/// holds zeros. Throws WorkloadError (unreadable file, wrong size, value out of the type's range, index out
/// of the buffer).
void initialise_buffer(const BufferSpec& buffer, const Scope& scope, std::uint64_t count,
                       std::uint64_t address, std::uint8_t* target);

/// Evaluates and performs one write of `count` elements at `target`; `buffer` names it in messages. Returns
/// the index written. Throws WorkloadError.
std::uint64_t write_element(const ElementWrite& write, const Scope& scope, const std::string& buffer,
                            ElementType type, std::uint64_t count, std::uint8_t* target);

/// Reads the raw contents of a file that must be exactly `bytes` long to `target`; errors are WorkloadErrors
/// at `mark`.
void read_raw_file(const std::string& path, std::uint64_t bytes, const SourceMark& mark,
                   std::uint8_t* target);

}  // namespace heddle
