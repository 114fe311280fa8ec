#include "../cuda_subset.h"

constexpr int kThreadsX = 16;
constexpr int kPoints = 8;  // of a thread, kThreadsX apart, so that a warp's stores are whole lines
constexpr int kMostAtoms = 4000;

struct Atom {
  float x;
  float y;
  float z_squared;
  float charge;
};

__constant__ Atom c_atoms[kMostAtoms];

static __device__ __forceinline__ float approx_inverse_sqrt(float x) {
  float result;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

// The electrostatic potential in a plane, as GPGPU-Sim's suite has it (CP): each thread adds up what all atoms
// in constant memory give to eight points of a row. All lanes read the same atom; the special function unit
// is busy in half of the cycles. Launched once for as many atoms as constant memory holds.
extern "C" __global__ void coulombic_potential(float* energy, int columns, int atoms, float spacing) {
  const int column = static_cast<int>(blockIdx.x) * (kThreadsX * kPoints) + static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const float x = spacing * static_cast<float>(column);
  const float y = spacing * static_cast<float>(row);
  float sums[kPoints] = {};
#pragma unroll 1
  for (int a = 0; a < atoms; ++a) {
    const Atom atom = c_atoms[a];
    const float to_row = y - atom.y;
    const float off_row = to_row * to_row + atom.z_squared;
    const float to_first = x - atom.x;
#pragma unroll
    for (int p = 0; p < kPoints; ++p) {
      const float to_point = to_first + static_cast<float>(p * kThreadsX) * spacing;
      sums[p] += atom.charge * approx_inverse_sqrt(to_point * to_point + off_row);
    }
  }
  float* points = energy + row * columns + column;
#pragma unroll
  for (int p = 0; p < kPoints; ++p) {
    points[p * kThreadsX] += sums[p];
  }
}
