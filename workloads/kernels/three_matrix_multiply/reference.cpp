#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void three_matrix_multiply(ReferenceMemory& memory);

namespace {

/// The product of a (rows x inner) and b (inner x columns).
Scratch<double> product(Scratch<double>& a, Scratch<double>& b, std::size_t rows, std::size_t inner,
                        std::size_t columns) {
  Scratch<double> result(rows * columns);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < inner; ++k) {
      for (std::size_t column = 0; column < columns; ++column) {
        result[row * columns + column] += a[row * inner + k] * b[k * columns + column];
      }
    }
  }
  return result;
}

Scratch<double> matrix(ReferenceMemory& memory, const char* name) {
  const auto elements = memory.view<float>(name);
  return {elements.begin(), elements.end()};
}

void store(ReferenceMemory& memory, const char* name, Scratch<double>& values) {
  const auto elements = memory.view<float>(name);
  for (std::size_t i = 0; i < values.size(); ++i) elements[i] = static_cast<float>(values[i]);
}

}  // namespace

void three_matrix_multiply(ReferenceMemory& memory) {
  const std::size_t ni = memory.size("ni");
  const std::size_t nj = memory.size("nj");
  const std::size_t nl = memory.size("nl");
  Scratch<double> a = matrix(memory, "a");
  Scratch<double> b = matrix(memory, "b");
  Scratch<double> c = matrix(memory, "c");
  Scratch<double> d = matrix(memory, "d");
  Scratch<double> e = product(a, b, ni, memory.size("nk"), nj);
  Scratch<double> f = product(c, d, nj, memory.size("nm"), nl);
  Scratch<double> g = product(e, f, ni, nj, nl);
  store(memory, "e", e);
  store(memory, "f", f);
  store(memory, "g", g);
}

}  // namespace heddle::references
