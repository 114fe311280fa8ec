#pragma once

#include <cstdint>

namespace heddle {

/// The bytes of the memory partitions, for untimed access and for standard initiators. The timing model
/// itself never looks at data.
class BackingStore {
 public:
  virtual ~BackingStore() = default;
  /// Host pointer to [address, address + length), or nullptr when not all of it is there.
  virtual std::uint8_t* bytes(std::uint64_t address, unsigned length) = 0;
};

}  // namespace heddle
