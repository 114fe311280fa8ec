#include "../cuda_subset.h"

constexpr int kDirections = 19;
constexpr unsigned kObstacle = 1;
constexpr unsigned kDriven = 2;

// A time step of a lattice-Boltzmann fluid (D3Q19): a thread loads what its cell holds for 19 directions,
// lets it collide, and stores each into the neighbour of its direction; obstacles send everything back. A
// thread block is a row of cells, 120 threads at most, a fourth warp of which has 24. Shape: Parboil's LBM
// with an array per direction.
extern "C" __global__ void lattice_boltzmann(const float* before, float* after, const unsigned* flags,
                                             int pitch, int plane, int stride) {
  // Neighbouring entries are opposites, but for the first.
  constexpr int kX[kDirections] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
  constexpr int kY[kDirections] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
  constexpr int kZ[kDirections] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
  const int cell = static_cast<int>(blockIdx.y) * plane + static_cast<int>(blockIdx.x) * pitch +
                   static_cast<int>(threadIdx.x);
  float f[kDirections];
#pragma unroll
  for (int d = 0; d < kDirections; ++d) {
    f[d] = before[d * stride + cell];
  }
  const unsigned flag = flags[cell];
  if (flag == kObstacle) {
#pragma unroll
    for (int d = 0; d < kDirections; ++d) {
      const int opposite = d == 0 ? 0 : (d % 2 == 1 ? d + 1 : d - 1);
      after[d * stride + cell + kX[d] + kY[d] * pitch + kZ[d] * plane] = f[opposite];
    }
    return;
  }
  float density = 0.0f;
  float x = 0.0f;
  float y = 0.0f;
  float z = 0.0f;
#pragma unroll
  for (int d = 0; d < kDirections; ++d) {
    density += f[d];
    x += static_cast<float>(kX[d]) * f[d];
    y += static_cast<float>(kY[d]) * f[d];
    z += static_cast<float>(kZ[d]) * f[d];
  }
  x /= density;
  y /= density;
  z /= density;
  if (flag == kDriven) {
    x = 0.005f;
    y = 0.002f;
    z = 0.0f;
  }
  constexpr float kRelaxation = 1.95f;
  const float still = 1.0f - 1.5f * (x * x + y * y + z * z);
#pragma unroll
  for (int d = 0; d < kDirections; ++d) {
    const float weight = d == 0 ? 1.0f / 3.0f : (d < 7 ? 1.0f / 18.0f : 1.0f / 36.0f);
    const float along =
        static_cast<float>(kX[d]) * x + static_cast<float>(kY[d]) * y + static_cast<float>(kZ[d]) * z;
    const float balanced = weight * density * (still + 3.0f * along + 4.5f * along * along);
    after[d * stride + cell + kX[d] + kY[d] * pitch + kZ[d] * plane] =
        (1.0f - kRelaxation) * f[d] + kRelaxation * balanced;
  }
}
