#include "../cuda_subset.h"

constexpr int kRadius = 4;
constexpr int kX = 32;
constexpr int kY = 16;

__constant__ float weights[kRadius + 1] = {0.25f, 0.0625f, 0.03125f, 0.015625f, 0.015625f};

// One time step of a finite difference of radius 4 in three dimensions. A thread goes through the planes of
// one column with the cells before and after its own in registers; the plane's other neighbours come from a
// tile in shared memory with a rim of four cells. Shape: FDTD3d of the CUDA SDK. `in` and `out` have nx + 8
// by ny + 8 by nz + 8 cells, of which the outer four on every side stay.
extern "C" __global__ void fdtd_3d(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float tile[kY + 2 * kRadius][kX + 2 * kRadius];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int column = static_cast<int>(blockIdx.x) * kX + x;
  const int row = static_cast<int>(blockIdx.y) * kY + y;
  const bool inside = column < nx && row < ny;
  const bool readable_row = row < ny + 2 * kRadius;
  const int pitch = nx + 2 * kRadius;
  const int plane = pitch * (ny + 2 * kRadius);
  const int cell = (row + kRadius) * pitch + column + kRadius;
  const bool readable = readable_row && cell < plane;
  const int tile_x = x + kRadius;
  const int tile_y = y + kRadius;

  float behind[kRadius];
  float ahead[kRadius];
  int load = cell;
#pragma unroll
  for (int k = kRadius - 1; k >= 0; --k) {
    behind[k] = readable ? in[load] : 0.0f;
    load += plane;
  }
  float current = readable ? in[load] : 0.0f;
  int store = load;
  load += plane;
#pragma unroll
  for (int k = 0; k < kRadius; ++k) {
    ahead[k] = readable ? in[load] : 0.0f;
    load += plane;
  }
#pragma unroll 1
  for (int z = 0; z < nz; ++z) {
    if (z > 0) {
#pragma unroll
      for (int k = kRadius - 1; k > 0; --k) {
        behind[k] = behind[k - 1];
      }
      behind[0] = current;
      current = ahead[0];
#pragma unroll
      for (int k = 0; k < kRadius - 1; ++k) {
        ahead[k] = ahead[k + 1];
      }
      ahead[kRadius - 1] = readable ? in[load] : 0.0f;
      load += plane;
      store += plane;
    }
    __syncthreads();
    const bool rim_row = row < ny + kRadius;  // the last TB's rows beyond the volume have no rim
    if (y < kRadius) {
      tile[y][tile_x] = inside ? in[store - kRadius * pitch] : 0.0f;
      tile[y + kY + kRadius][tile_x] = column < nx && row + kY < ny + kRadius ? in[store + kY * pitch] : 0.0f;
    }
    if (x < kRadius) {
      tile[tile_y][x] = inside ? in[store - kRadius] : 0.0f;
      tile[tile_y][x + kX + kRadius] = row < ny && column + kX < nx + kRadius ? in[store + kX] : 0.0f;
    }
    tile[tile_y][tile_x] = rim_row && column < nx + kRadius ? current : 0.0f;
    __syncthreads();
    if (inside) {
      float value = weights[0] * current;
#pragma unroll
      for (int k = 1; k <= kRadius; ++k) {
        value +=
            weights[k] * (ahead[k - 1] + behind[k - 1] + tile[tile_y - k][tile_x] + tile[tile_y + k][tile_x] +
                          tile[tile_y][tile_x - k] + tile[tile_y][tile_x + k]);
      }
      out[store] = value;
    }
  }
}
