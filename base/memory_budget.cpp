#include "base/memory_budget.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>

namespace heddle {

namespace {

std::atomic<std::uint64_t> budget_bytes{0};

}  // namespace

void set_memory_budget(std::uint64_t bytes) noexcept { budget_bytes = bytes; }

std::uint64_t memory_budget() noexcept { return budget_bytes; }

std::uint64_t resident_bytes() noexcept {
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 128> text{};
  const ssize_t size = read(file, text.data(), text.size());
  close(file);
  // "SIZE RESIDENT ...", in pages.
  ssize_t at = 0;
  while (at < size && text[static_cast<std::size_t>(at)] != ' ') ++at;
  std::uint64_t pages = 0;
  for (++at; at < size; ++at) {
    const char digit = text[static_cast<std::size_t>(at)];
    if (digit < '0' || digit > '9') break;
    pages = 10 * pages + static_cast<std::uint64_t>(digit - '0');
  }
  return pages * static_cast<std::uint64_t>(getpagesize());
}

void require_memory(std::uint64_t bytes, const char* what) {
  const std::uint64_t budget = budget_bytes;
  if (budget == 0) return;
  const std::uint64_t used = resident_bytes();
  if (used <= budget && bytes <= budget - used) return;
  throw MemoryError(fmt::format("{}: need {} of memory, but {} of {} are used (--max-memory)", what,
                                memory_text(bytes), memory_text(used), memory_text(budget)));
}

std::string memory_text(std::uint64_t bytes) {
  constexpr unsigned kMebibyteBits = 20;
  const std::uint64_t last = (std::uint64_t{1} << kMebibyteBits) - 1;
  return fmt::format("{} MiB", (bytes >> kMebibyteBits) + ((bytes & last) != 0 ? 1 : 0));
}

}  // namespace heddle
