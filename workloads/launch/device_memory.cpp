#include "workloads/launch/device_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace heddle {

DeviceMemory::DeviceMemory(std::uint64_t capacity_bytes) : capacity_bytes_(capacity_bytes) {
  void* const reserved = mmap(nullptr, capacity_bytes_, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) {
    throw std::system_error(
        errno, std::generic_category(),
        fmt::format("device memory: cannot reserve {} bytes of address space", capacity_bytes_));
  }
  arena_ = static_cast<std::uint8_t*>(reserved);
}

DeviceMemory::~DeviceMemory() { munmap(arena_, capacity_bytes_); }

const DeviceMemory::Buffer& DeviceMemory::allocate(const std::string& name, std::uint64_t bytes,
                                                   bool is_constant) {
  if (bytes == 0) throw std::invalid_argument(fmt::format("device memory: buffer '{}' has no bytes", name));
  if (find(name) != nullptr) {
    throw std::invalid_argument(fmt::format("device memory: there is a buffer '{}' already", name));
  }
  const std::uint64_t free_bytes = capacity_bytes_ - (next_ - kBase);
  if (bytes > free_bytes) {
    throw std::length_error(fmt::format("device memory: buffer '{}' needs {} bytes, {} of {} are free", name,
                                        bytes, free_bytes, capacity_bytes_));
  }
  places_.emplace(name, buffers_.size());
  buffers_.push_back({name, next_, bytes, is_constant});
  const std::uint64_t used = next_ - kBase + bytes;
  next_ = kBase + std::min((used + kAlignment - 1) / kAlignment * kAlignment, capacity_bytes_);
  return buffers_.back();
}

const DeviceMemory::Buffer* DeviceMemory::find(const std::string& name) const {
  const auto at = places_.find(name);
  return at == places_.end() ? nullptr : &buffers_[at->second];
}

const DeviceMemory::Buffer* DeviceMemory::find(std::uint64_t address) const {
  const Buffer* const buffer = nearest_below(address);
  return buffer != nullptr && address < buffer->end() ? buffer : nullptr;
}

const DeviceMemory::Buffer* DeviceMemory::nearest_below(std::uint64_t address) const {
  const auto above =
      std::upper_bound(buffers_.begin(), buffers_.end(), address,
                       [](std::uint64_t value, const Buffer& buffer) { return value < buffer.address; });
  return above == buffers_.begin() ? nullptr : &*(above - 1);
}

}  // namespace heddle
