#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "base/stop.h"
#include "workloads/expression/element_type.h"
#include "workloads/expression/expression.h"

namespace heddle {

namespace detail {
[[noreturn]] void fail_index(std::size_t index, std::size_t size);
}

/// The index that a buffer holds as a floating-point number, without its fraction; beyond every end when it
/// is none: negative, too large, not a number.
inline std::size_t index_of(double number) {
  constexpr double kBeyond = 9007199254740992.0;  // 2^53: all whole numbers below it are doubles
  return number >= 0 && number < kBeyond ? static_cast<std::size_t>(number) : ~std::size_t{0};
}

/// The elements of one buffer. Any workload may name any reference, so that an index is checked: beyond the
/// end it throws std::invalid_argument. Ends when it is asked to (base/stop.h).
template <typename T>
struct View {
  T* data = nullptr;
  std::size_t size = 0;
  T& operator[](std::size_t index) const {
    throw_if_stopped();
    if (index >= size) detail::fail_index(index, size);
    return data[index];
  }
  T* begin() const { return data; }
  T* end() const { return data + size; }
};

/// What a reference computes with beside the buffers: `size` elements, checked as a View's.
template <typename T>
class Scratch {
 public:
  explicit Scratch(std::size_t size)
      : values_((require_memory(size * sizeof(T), "what the reference computes with"), size)) {}
  template <typename Iterator>
  Scratch(Iterator begin, Iterator end) : values_(begin, end) {}
  T& operator[](std::size_t index) {
    if (index >= values_.size()) detail::fail_index(index, values_.size());
    return values_[index];
  }
  std::size_t size() const { return values_.size(); }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  void swap(Scratch& other) { values_.swap(other.values_); }

 private:
  std::vector<T> values_;
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
  /// The same as an index or count; throws std::invalid_argument when it is negative or more than a buffer
  /// can have elements.
  std::size_t size(const std::string& name) const;
  /// As size(), and not 0.
  std::size_t positive(const std::string& name) const;

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
