#include <array>
#include <cmath>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void estimate_pi(ReferenceMemory& memory);

namespace {

// Marsaglia's xorwow as he writes it: x, y, z, w, v, d.
class Xorwow {
 public:
  explicit Xorwow(std::uint32_t seed) {
    for (std::uint32_t& word : state_) {
      seed = seed * 1664525U + 1013904223U;
      word = (seed ^ seed >> 15) | 1U;
    }
    for (int i = 0; i < 16; ++i) next();
  }
  std::uint32_t next() {
    auto& [x, y, z, w, v] = state_;
    const std::uint32_t t = x ^ (x >> 2);
    x = y;
    y = z;
    z = w;
    w = v;
    v = (v ^ (v << 4)) ^ (t ^ (t << 1));
    return (d_ += 362437U) + v;
  }
  const std::array<std::uint32_t, 5>& state() const { return state_; }
  std::uint32_t counter() const { return d_; }

 private:
  std::array<std::uint32_t, 5> state_{};
  std::uint32_t d_ = 6615241U;
};

}  // namespace

void estimate_pi(ReferenceMemory& memory) {
  constexpr std::size_t kThreads = 256;
  const auto generators = memory.view<std::uint32_t>("generators");
  const auto inside = memory.view<std::uint32_t>("inside");
  for (std::size_t tb = 0; tb < inside.size; ++tb) {
    std::uint32_t met = 0;
    for (std::size_t thread = tb * kThreads; thread < (tb + 1) * kThreads; ++thread) {
      Xorwow generator(static_cast<std::uint32_t>(thread) ^ 1234U);
      for (std::size_t i = 0; i < 5; ++i) generators[12 * thread + i] = generator.state()[i];
      generators[12 * thread + 5] = generator.counter();
      for (std::size_t i = 0; i < memory.size("rounds"); ++i) {
        const float x = static_cast<float>((generator.next() >> 8) + 1) / 16777216.0F;
        const float y = static_cast<float>((generator.next() >> 8) + 1) / 16777216.0F;
        met += std::fma(x, x, y * y) <= 1.0F ? 1 : 0;  // rounded as the kernel does it
      }
    }
    inside[tb] = met;
  }
}

}  // namespace heddle::references
