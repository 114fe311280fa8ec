#include "../cuda_subset.h"

// One plane of a convolution of a volume with 11 of the 27 cells around each, from global memory: three of
// the own plane, four of each neighbouring one. The host launches a plane after the other. Shape: PolyBench's
// 3DCONV.
extern "C" __global__ void convolution_3d(const float* in, float* out, int plane, int rows, int columns) {
  const int column = global_thread_x();
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (row > 0 && row < rows - 1 && column > 0 && column < columns - 1) {
    const int next_plane = rows * columns;
    const int cell = plane * next_plane + row * columns + column;
    const float* below = in + cell - next_plane;
    const float* here = in + cell;
    const float* above = in + cell + next_plane;
    out[cell] = -2.0f * below[-columns - 1] + 7.0f * above[-columns - 1] - 3.0f * here[-columns] +
                6.0f * here[0] - 9.0f * here[columns] + 2.0f * below[-columns + 1] +
                4.0f * above[-columns + 1] + 5.0f * below[1] + 8.0f * above[1] - 6.0f * below[columns + 1] +
                10.0f * above[columns + 1];
  }
}
