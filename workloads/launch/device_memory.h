#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/limits.h"

namespace heddle {

/// The GPU's global (and constant) memory as the host and the kernels see it: named buffers with real data
/// in one contiguous simulated address range from kBase. Timing never touches it.
class DeviceMemory {
 public:
  static constexpr std::uint64_t kBase = 0xC0000000;
  static constexpr std::uint64_t kAlignment = 256;

  struct Buffer {
    std::string name;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    bool is_constant = false;  ///< kernels only read it
    std::uint64_t end() const { return address + bytes; }
  };

  /// Reserves address space for at most `capacity_bytes`; pages are committed when touched.
  explicit DeviceMemory(std::uint64_t capacity_bytes = limits::kDeviceBytes);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// The next free address, aligned to 256 bytes; contents are zero. Throws std::length_error when the
  /// capacity is exceeded, std::invalid_argument when the name is taken or `bytes` is 0.
  const Buffer& allocate(const std::string& name, std::uint64_t bytes, bool is_constant = false);

  /// Buffers in address order.
  const std::vector<Buffer>& buffers() const { return buffers_; }
  const Buffer* find(const std::string& name) const;
  /// The buffer that holds `address`, or nullptr.
  const Buffer* find(std::uint64_t address) const;
  /// The last buffer that starts at or below `address`, or nullptr: "where did this access run off?"
  const Buffer* nearest_below(std::uint64_t address) const;

  /// Host pointer of a simulated address; the caller has checked that it lies in a buffer.
  std::uint8_t* host(std::uint64_t address) { return arena_ + (address - kBase); }
  const std::uint8_t* host(std::uint64_t address) const { return arena_ + (address - kBase); }

 private:
  std::uint8_t* arena_ = nullptr;
  std::uint64_t capacity_bytes_;
  std::uint64_t next_ = kBase;
  std::vector<Buffer> buffers_;
  std::unordered_map<std::string, std::size_t> places_;  ///< in buffers_, by name
};

}  // namespace heddle
