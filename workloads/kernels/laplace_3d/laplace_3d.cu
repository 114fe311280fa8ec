#include "../cuda_subset.h"

constexpr int kX = 32;
constexpr int kY = 4;
constexpr int kPitch = kX + 2;
constexpr int kPlane = kPitch * (kY + 2);
constexpr int kRimCells = 2 * kPitch + 2 * kY;

// One Jacobi step of Laplace's equation in a box: every inner cell becomes the mean of its six neighbours,
// cells on the faces stay. A thread block has a column of 32 x 4 cells with a rim of one cell, of which three
// planes at a time lie in shared memory; 76 of its 128 threads also move a cell of the rim. Shape: LPS of
// GPGPU-Sim's suite.
extern "C" __global__ void laplace_3d(const float* before, float* after, int nx, int ny, int nz) {
  __shared__ float planes[3 * kPlane];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int thread = y * kX + x;
  const int column = static_cast<int>(blockIdx.x) * kX + x;
  const int row = static_cast<int>(blockIdx.y) * kY + y;
  const bool owner = column < nx && row < ny;
  const bool inner = column > 0 && column < nx - 1 && row > 0 && row < ny - 1;
  const int own = (y + 1) * kPitch + x + 1;

  int rim_x = thread % kPitch;
  int rim_y = thread < kPitch ? 0 : kY + 1;
  if (thread >= 2 * kPitch) {
    const int side = thread - 2 * kPitch;
    rim_x = side < kY ? 0 : kX + 1;
    rim_y = side % kY + 1;
  }
  const int rim = rim_y * kPitch + rim_x;
  const int rim_column = static_cast<int>(blockIdx.x) * kX - 1 + rim_x;
  const int rim_row = static_cast<int>(blockIdx.y) * kY - 1 + rim_y;
  const bool rim_owner =
      thread < kRimCells && rim_column >= 0 && rim_column < nx && rim_row >= 0 && rim_row < ny;

  const int plane = nx * ny;
  int cell = row * nx + column;
  int rim_cell = rim_row * nx + rim_column;
  if (owner) {
    planes[own + 2 * kPlane] = before[cell];
  }
  if (rim_owner) {
    planes[rim + 2 * kPlane] = before[rim_cell];
  }
#pragma unroll 1
  for (int z = 0; z < nz; ++z) {
    if (owner) {
      planes[own] = planes[own + kPlane];
      planes[own + kPlane] = planes[own + 2 * kPlane];
      if (z < nz - 1) {
        planes[own + 2 * kPlane] = before[cell + plane];
      }
    }
    if (rim_owner) {
      planes[rim] = planes[rim + kPlane];
      planes[rim + kPlane] = planes[rim + 2 * kPlane];
      if (z < nz - 1) {
        planes[rim + 2 * kPlane] = before[rim_cell + plane];
      }
    }
    __syncthreads();
    if (owner) {
      const float* here = planes + own + kPlane;
      float value = *here;
      if (inner && z > 0 && z < nz - 1) {
        value = (here[-1] + here[1] + here[-kPitch] + here[kPitch] + here[-kPlane] + here[kPlane]) *
                (1.0f / 6.0f);
      }
      after[cell] = value;
    }
    __syncthreads();
    cell += plane;
    rim_cell += plane;
  }
}
