#include <cmath>
#include <complex>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void fft(ReferenceMemory& memory);

// The sums by which Fourier transforms are defined.
void fft(ReferenceMemory& memory) {
  constexpr std::size_t kPoints = 256;
  const auto data = memory.view<float>("data");
  Scratch<std::complex<double>> turns(kPoints);
  for (std::size_t i = 0; i < kPoints; ++i) {
    turns[i] = std::polar(1.0, -2.0 * std::acos(-1.0) * static_cast<double>(i) / kPoints);
  }
  for (std::size_t first = 0; first + 2 * kPoints <= data.size; first += 2 * kPoints) {
    Scratch<std::complex<double>> points(kPoints);
    for (std::size_t i = 0; i < kPoints; ++i) points[i] = {data[first + 2 * i], data[first + 2 * i + 1]};
    for (std::size_t k = 0; k < kPoints; ++k) {
      std::complex<double> sum = 0.0;
      for (std::size_t i = 0; i < kPoints; ++i) sum += points[i] * turns[i * k % kPoints];
      data[first + 2 * k] = static_cast<float>(sum.real());
      data[first + 2 * k + 1] = static_cast<float>(sum.imag());
    }
  }
}

}  // namespace heddle::references
