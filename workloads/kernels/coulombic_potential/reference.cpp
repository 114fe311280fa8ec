#include <cmath>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void coulombic_potential(ReferenceMemory& memory);

void coulombic_potential(ReferenceMemory& memory) {
  constexpr double kSpacing = 0.5;
  const auto atoms = memory.view<float>("atom_list");
  const auto energy = memory.view<float>("energy");
  const std::size_t columns = memory.positive("columns");
  for (std::size_t point = 0; point < energy.size; ++point) {
    const double x = kSpacing * static_cast<double>(point % columns);
    const double y = kSpacing * static_cast<double>(point / columns);
    double sum = 0;
    for (std::size_t a = 0; a + 3 < atoms.size; a += 4) {
      sum += atoms[a + 3] / std::sqrt((x - atoms[a]) * (x - atoms[a]) +
                                      (y - atoms[a + 1]) * (y - atoms[a + 1]) + atoms[a + 2]);
    }
    energy[point] = static_cast<float>(sum);
  }
}

}  // namespace heddle::references
