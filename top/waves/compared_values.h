#pragma once

#include <array>
#include <cstdint>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace heddle {

/// Values that are compared at once.
constexpr unsigned kCompared = 4;

/// Up to kCompared values one after the other in memory, and what they were.
struct ComparedValues {
  ComparedValues(const std::uint64_t* first, unsigned number) : values(first), count(number) {}

  /// Those that are others now: bit i, values[i] is.
  unsigned differing() const {
#ifdef __AVX2__
    const auto load = [](const std::uint64_t* from) {
      return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    };
    static constexpr std::uint64_t kRead = ~std::uint64_t{0};
    static constexpr std::array<std::uint64_t, 2 * kCompared> kMasks{kRead, kRead, kRead, kRead};
    const __m256i mask = load(&kMasks[kCompared - count]);
    const __m256i now = _mm256_maskload_epi64(reinterpret_cast<const long long*>(values), mask);
    const __m256i equal = _mm256_cmpeq_epi64(now, load(were.data()));
    return ~static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(equal))) & 0xFU;
#else
    unsigned bits = 0;
    for (unsigned i = 0; i < count; ++i) bits |= static_cast<unsigned>(values[i] != were[i]) << i;
    return bits;
#endif
  }

  const std::uint64_t* values;
  std::uint64_t count;
  std::array<std::uint64_t, kCompared> were{};  ///< behind the first `count` they are 0
};

}  // namespace heddle
