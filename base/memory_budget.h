#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace heddle {

/// More memory is needed than the budget has. what() says what for, and the figures.
class MemoryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The most bytes that this process may have resident; 0, as at first: no budget.
void set_memory_budget(std::uint64_t bytes) noexcept;
std::uint64_t memory_budget() noexcept;

/// Of this process; 0 when it can't be known. May be called by a signal's handler.
std::uint64_t resident_bytes() noexcept;

/// To be called before that much memory is taken at once for `what` ("buffers"): throws MemoryError when the
/// budget does not have it.
void require_memory(std::uint64_t bytes, const char* what);

/// "512 MiB", rounded up.
std::string memory_text(std::uint64_t bytes);

}  // namespace heddle
