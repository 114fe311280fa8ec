// The part of the CUDA dialect that the kernels here use, for clang without a CUDA toolkit. nvcc brings
// its own, so there this header only adds the approximate functions.
#pragma once

#if defined(__clang__)

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))

// Members read special registers, as CUDA's built-in variables do; the objects themselves never exist.
#define HEDDLE_COORDINATE(member, builtin)                  \
  __declspec(property(get = get_##member)) unsigned member; \
  static __device__ __forceinline__ unsigned get_##member() { return static_cast<unsigned>(builtin()); }
#define HEDDLE_COORDINATES(type, builtin) \
  struct type {                           \
    HEDDLE_COORDINATE(x, builtin##_x)     \
    HEDDLE_COORDINATE(y, builtin##_y)     \
    HEDDLE_COORDINATE(z, builtin##_z)     \
  };

HEDDLE_COORDINATES(ThreadIndex, __nvvm_read_ptx_sreg_tid)
HEDDLE_COORDINATES(BlockIndex, __nvvm_read_ptx_sreg_ctaid)
HEDDLE_COORDINATES(BlockSize, __nvvm_read_ptx_sreg_ntid)
HEDDLE_COORDINATES(GridSize, __nvvm_read_ptx_sreg_nctaid)

extern const __device__ __attribute__((weak)) ThreadIndex threadIdx;
extern const __device__ __attribute__((weak)) BlockIndex blockIdx;
extern const __device__ __attribute__((weak)) BlockSize blockDim;
extern const __device__ __attribute__((weak)) GridSize gridDim;

static __device__ __forceinline__ unsigned atomicAdd(unsigned* address, unsigned value) {
  return static_cast<unsigned>(
      __nvvm_atom_add_gen_i(reinterpret_cast<int*>(address), static_cast<int>(value)));
}

#endif

// Fermi's special function unit: relative errors of about 2^-22, subnormals read as zero.
static __device__ __forceinline__ float approx_exp2(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

static __device__ __forceinline__ float approx_log2(float x) {
  float result;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

static __device__ __forceinline__ float approx_sqrt(float x) {
  float result;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

static __device__ __forceinline__ float approx_divide(float a, float b) {
  float result;
  asm("div.full.ftz.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}

static __device__ __forceinline__ int global_thread_x() {
  return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}
