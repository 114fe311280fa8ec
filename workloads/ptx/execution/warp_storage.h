#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace heddle::ptx {

/// Allocator of memory aligned for vector instructions.
template <class T>
struct VectorAligned {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};
  VectorAligned() = default;
  template <class U>
  explicit VectorAligned(const VectorAligned<U>& /*other*/) {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
  void deallocate(T* memory, std::size_t /*count*/) { ::operator delete(memory, kAlignment); }
  friend bool operator==(VectorAligned /*a*/, VectorAligned /*b*/) { return true; }
  friend bool operator!=(VectorAligned /*a*/, VectorAligned /*b*/) { return false; }
};

using AlignedBytes = std::vector<std::uint8_t, VectorAligned<std::uint8_t>>;

/// Zeros, of which a page takes memory when it is first written: what threads declare is often much more than
/// what they use.
class ZeroedPages {
 public:
  /// Throws std::length_error when there is no room for that in the address space.
  explicit ZeroedPages(std::size_t bytes);
  ~ZeroedPages();
  ZeroedPages(const ZeroedPages&) = delete;
  ZeroedPages& operator=(const ZeroedPages&) = delete;

  std::uint8_t* data() { return data_; }
  const std::uint8_t* data() const { return data_; }
  /// All zeros again. Large memory is given back.
  void clear();

 private:
  std::uint8_t* data_ = nullptr;
  std::size_t bytes_;
};

}  // namespace heddle::ptx
