#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workloads/expression/element_type.h"
#include "workloads/expression/expression.h"

namespace heddle {

/// The elements of one buffer.
template <typename T>
struct View {
  T* data = nullptr;
  std::size_t size = 0;
  T& operator[](std::size_t index) const { return data[index]; }
  T* begin() const { return data; }
  T* end() const { return data + size; }
};

/// A private copy of all buffers' first contents, which a CPU reference turns into the expected last
/// contents, and the workload's parameters.
class ReferenceMemory {
 public:
  explicit ReferenceMemory(Scope parameters) : parameters_(std::move(parameters)) {}

  /// Adds a buffer of zeros and returns its bytes.
  std::uint8_t* add(const std::string& name, ElementType type, std::size_t count);

  /// The elements of buffer `name`, whose type must be T. Throws std::invalid_argument otherwise.
  template <typename T>
  View<T> view(const std::string& name) {
    Buffer& buffer = typed(name, element_type_of<T>());
    return {reinterpret_cast<T*>(buffer.words.data()), buffer.count};
  }

  /// Throws std::invalid_argument when there is no such parameter.
  std::int64_t parameter(const std::string& name) const;
  /// The same as an index or count; throws std::invalid_argument when it is negative.
  std::size_t size(const std::string& name) const;

  const std::uint8_t* bytes(const std::string& name) const;
  std::size_t count(const std::string& name) const;

 private:
  struct Buffer {
    ElementType type = ElementType::kF32;
    std::size_t count = 0;
    std::vector<std::uint64_t> words;  ///< 64-bit words, so that every type is aligned
  };
  Buffer& typed(const std::string& name, ElementType type);
  const Buffer& at(const std::string& name) const;

  Scope parameters_;
  std::map<std::string, Buffer> buffers_;
};

}  // namespace heddle
