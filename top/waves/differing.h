#pragma once

#include <cstdint>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace heddle {

/// Which of four values differ: bit i, a[i] and b[i] do.
inline unsigned differing(const std::uint64_t* a, const std::uint64_t* b) {
#ifdef __AVX2__
  const auto load = [](const std::uint64_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  };
  const __m256i equal = _mm256_cmpeq_epi64(load(a), load(b));
  return ~static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(equal))) & 0xFU;
#else
  unsigned bits = 0;
  for (unsigned i = 0; i < 4; ++i) bits |= static_cast<unsigned>(a[i] != b[i]) << i;
  return bits;
#endif
}

}  // namespace heddle
