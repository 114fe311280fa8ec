#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void convolution_3d(ReferenceMemory& memory);

namespace {

struct Tap {
  int plane, row, column;
  double weight;
};

constexpr Tap kTaps[] = {{0, 0, 0, 6},   {0, -1, 0, -3}, {0, 1, 0, -9},  {-1, -1, -1, -2},
                         {-1, -1, 1, 2}, {-1, 0, 1, 5},  {-1, 1, 1, -6}, {1, -1, -1, 7},
                         {1, -1, 1, 4},  {1, 0, 1, 8},   {1, 1, 1, 10}};

}  // namespace

void convolution_3d(ReferenceMemory& memory) {
  const auto in = memory.view<float>("in");
  const auto out = memory.view<float>("out");
  const int planes = static_cast<int>(memory.size("planes"));
  const int rows = static_cast<int>(memory.size("rows"));
  const int columns = static_cast<int>(memory.size("columns"));
  const auto at = [&](int plane, int row, int column) {
    return (static_cast<std::size_t>(plane) * static_cast<std::size_t>(rows) +
            static_cast<std::size_t>(row)) *
               static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column);
  };
  for (int plane = 1; plane < planes - 1; ++plane) {
    for (int row = 1; row < rows - 1; ++row) {
      for (int column = 1; column < columns - 1; ++column) {
        double sum = 0.0;
        for (const Tap& tap : kTaps)
          sum += tap.weight * in[at(plane + tap.plane, row + tap.row, column + tap.column)];
        out[at(plane, row, column)] = static_cast<float>(sum);
      }
    }
  }
}

}  // namespace heddle::references
