#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void fdtd_2d(ReferenceMemory& memory);

void fdtd_2d(ReferenceMemory& memory) {
  const std::size_t rows = memory.size("rows");
  const std::size_t columns = memory.size("columns");
  const auto sources = memory.view<float>("sources");
  const auto ex_out = memory.view<float>("ex");
  const auto ey_out = memory.view<float>("ey");
  const auto hz_out = memory.view<float>("hz");
  Scratch<double> ex(ex_out.begin(), ex_out.end());
  Scratch<double> ey(ey_out.begin(), ey_out.end());
  Scratch<double> hz(hz_out.begin(), hz_out.end());
  for (std::size_t step = 0; step < memory.size("steps"); ++step) {
    for (std::size_t column = 0; column < columns; ++column) ey[column] = sources[step];
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t cell = row * columns + column;
        if (row > 0) ey[cell] -= 0.5 * (hz[cell] - hz[cell - columns]);
        if (column > 0) ex[row * (columns + 1) + column] -= 0.5 * (hz[cell] - hz[cell - 1]);
      }
    }
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t e = row * (columns + 1) + column;
        const std::size_t cell = row * columns + column;
        hz[cell] -= 0.7 * (ex[e + 1] - ex[e] + ey[cell + columns] - ey[cell]);
      }
    }
  }
  for (std::size_t i = 0; i < ex.size(); ++i) ex_out[i] = static_cast<float>(ex[i]);
  for (std::size_t i = 0; i < ey.size(); ++i) ey_out[i] = static_cast<float>(ey[i]);
  for (std::size_t i = 0; i < hz.size(); ++i) hz_out[i] = static_cast<float>(hz[i]);
}

}  // namespace heddle::references
