#include "workloads/checks/reference_memory.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/limits.h"
#include "base/nearest_name.h"

namespace heddle {

void detail::fail_index(std::size_t index, std::size_t size) {
  throw std::invalid_argument(
      fmt::format("it reaches for element {} of a buffer that has {}: parameters and buffers do not fit it",
                  index, size));
}

std::uint8_t* ReferenceMemory::add(const std::string& name, ElementType type, std::size_t count) {
  Buffer& buffer = buffers_[name];
  buffer.type = type;
  buffer.count = count;
  buffer.words.assign((count * element_bytes(type) + 7) / 8, 0);
  return reinterpret_cast<std::uint8_t*>(buffer.words.data());
}

std::int64_t ReferenceMemory::parameter(const std::string& name) const {
  const std::int64_t* value = parameters_.find(name);
  if (value == nullptr) {
    throw std::invalid_argument(
        fmt::format("the reference reads parameter '{}', which the workload does not have{}", name,
                    name_hint(name, parameters_.names(), "parameters")));
  }
  return *value;
}

std::size_t ReferenceMemory::size(const std::string& name) const {
  const std::int64_t value = parameter(name);
  if (value < 0 || value > std::int64_t{limits::kElements}) {
    throw std::invalid_argument(
        fmt::format("parameter '{}' is {}, expected 0..{}", name, value, limits::kElements));
  }
  return static_cast<std::size_t>(value);
}

std::size_t ReferenceMemory::positive(const std::string& name) const {
  const std::size_t value = size(name);
  if (value == 0) {
    throw std::invalid_argument(fmt::format("parameter '{}' is 0, expected 1..{}", name, limits::kElements));
  }
  return value;
}

const std::uint8_t* ReferenceMemory::bytes(const std::string& name) const {
  return reinterpret_cast<const std::uint8_t*>(at(name).words.data());
}

std::size_t ReferenceMemory::count(const std::string& name) const { return at(name).count; }

ReferenceMemory::Buffer& ReferenceMemory::typed(const std::string& name, ElementType type) {
  const Buffer& buffer = at(name);
  if (buffer.type != type) {
    throw std::invalid_argument(fmt::format("the reference reads buffer '{}' as {}, but it is {}", name,
                                            element_name(type), element_name(buffer.type)));
  }
  return buffers_.find(name)->second;
}

const ReferenceMemory::Buffer& ReferenceMemory::at(const std::string& name) const {
  const auto found = buffers_.find(name);
  if (found == buffers_.end()) {
    std::vector<std::string> known;
    for (const auto& entry : buffers_) {
      known.push_back(entry.first);
    }
    throw std::invalid_argument(
        fmt::format("the reference reads buffer '{}', which the workload does not have{}", name,
                    name_hint(name, known, "buffers")));
  }
  return found->second;
}

}  // namespace heddle
