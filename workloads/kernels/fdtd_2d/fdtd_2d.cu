#include "../cuda_subset.h"

// A time step of electromagnetic fields in a plane by finite differences, a kernel for each component. Shape:
// PolyBench's FDTD-2D. hz has rows x columns cells, ey a row more, ex a column more.

extern "C" __global__ void fdtd_ey(const float* sources, float* ey, const float* hz, int step, int rows,
                                   int columns) {
  const int column = global_thread_x();
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (row < rows && column < columns) {
    const int cell = row * columns + column;
    ey[cell] = row == 0 ? sources[step] : ey[cell] - 0.5f * (hz[cell] - hz[cell - columns]);
  }
}

extern "C" __global__ void fdtd_ex(float* ex, const float* hz, int rows, int columns) {
  const int column = global_thread_x();
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (row < rows && column > 0 && column < columns) {
    const int cell = row * columns + column;
    ex[cell + row] -= 0.5f * (hz[cell] - hz[cell - 1]);
  }
}

extern "C" __global__ void fdtd_hz(const float* ex, const float* ey, float* hz, int rows, int columns) {
  const int column = global_thread_x();
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (row < rows && column < columns) {
    const int cell = row * columns + column;
    hz[cell] -= 0.7f * (ex[cell + row + 1] - ex[cell + row] + ey[cell + columns] - ey[cell]);
  }
}
