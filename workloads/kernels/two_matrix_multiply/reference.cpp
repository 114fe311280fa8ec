#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void two_matrix_multiply(ReferenceMemory& memory);

void two_matrix_multiply(ReferenceMemory& memory) {
  const std::size_t ni = memory.size("ni");
  const std::size_t nj = memory.size("nj");
  const std::size_t nk = memory.size("nk");
  const std::size_t nl = memory.size("nl");
  const auto a = memory.view<float>("a");
  const auto b = memory.view<float>("b");
  const auto c = memory.view<float>("c");
  const auto d = memory.view<float>("d");
  const auto e = memory.view<float>("e");
  for (std::size_t i = 0; i < ni; ++i) {
    Scratch<double> between(nj);  // row i of a b
    for (std::size_t k = 0; k < nk; ++k) {
      for (std::size_t j = 0; j < nj; ++j) between[j] += double{a[i * nk + k]} * b[k * nj + j];
    }
    Scratch<double> sums(nl);
    for (std::size_t j = 0; j < nj; ++j) {
      c[i * nj + j] = static_cast<float>(between[j]);
      for (std::size_t l = 0; l < nl; ++l) sums[l] += between[j] * d[j * nl + l];
    }
    for (std::size_t l = 0; l < nl; ++l) e[i * nl + l] = static_cast<float>(sums[l]);
  }
}

}  // namespace heddle::references
