#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void spmv(ReferenceMemory& memory);

void spmv(ReferenceMemory& memory) {
  const auto row_start = memory.view<std::int32_t>("row_start");
  const auto column = memory.view<std::int32_t>("column");
  const auto value = memory.view<float>("value");
  const auto x = memory.view<float>("x");
  const auto y = memory.view<float>("y");
  for (std::size_t row = 0; row < y.size; ++row) {
    double sum = 0.0;
    const auto end = static_cast<std::size_t>(row_start[row + 1]);
    for (auto k = static_cast<std::size_t>(row_start[row]); k < end; ++k) {
      sum += double{value[k]} * x[static_cast<std::size_t>(column[k])];
    }
    y[row] = static_cast<float>(sum);
  }
}

}  // namespace heddle::references
