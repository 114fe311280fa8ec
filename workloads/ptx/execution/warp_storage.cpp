#include "workloads/ptx/execution/warp_storage.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>
#include <stdexcept>

namespace heddle::ptx {

namespace {

constexpr std::size_t kWrittenBytes = std::size_t{1} << 20U;  ///< up to here writing zeros is faster

}  // namespace

ZeroedPages::ZeroedPages(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  void* const reserved =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) {
    throw std::length_error(
        fmt::format("no {} bytes of address space for the local memory of a thread block", bytes));
  }
  data_ = static_cast<std::uint8_t*>(reserved);
}

ZeroedPages::~ZeroedPages() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

void ZeroedPages::clear() {
  if (bytes_ == 0) return;
  if (bytes_ <= kWrittenBytes || madvise(data_, bytes_, MADV_DONTNEED) != 0) std::memset(data_, 0, bytes_);
}

}  // namespace heddle::ptx
