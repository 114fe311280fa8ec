#include "../cuda_subset.h"

#include "../sha1/sha1_block.h"

constexpr int kThreads = 128;
constexpr int kStepWords = 8;     // from one window to the next
constexpr int kWindowWords = 32;  // 128 bytes, the least whose blocks slide over each other
constexpr int kStagedWords = kThreads * kStepWords + kWindowWords;

// A thread's words of the schedule lie kThreads words apart: lanes never meet in a bank. Volatile, so that
// the compiler leaves them in shared memory, where StoreGPU keeps them.
struct SharedSchedule {
  volatile unsigned* own;
  __device__ __forceinline__ volatile unsigned& operator[](int i) const { return own[i * kThreads]; }
};

// The sliding hash of StoreGPU (STO in GPGPU-Sim's suite, sha1_overlap): SHA-1 of overlapping windows of the
// data, one per thread, of which each begins a step after the one before. A TB copies its piece of the data
// to shared memory, where the threads' schedules lie too: 12 KB a TB, so that an SM holds few.
extern "C" __global__ void store_gpu(const unsigned* data, unsigned* digests) {
  __shared__ unsigned staged[kStagedWords];
  __shared__ unsigned schedules[16 * kThreads];
  const int t = static_cast<int>(threadIdx.x);
  const unsigned* piece = data + blockIdx.x * (kThreads * kStepWords);
#pragma unroll 1
  for (int i = t; i < kStagedWords; i += kThreads) {
    staged[i] = reverse_bytes(piece[i]);
  }
  __syncthreads();

  const SharedSchedule w{schedules + t};
  Sha1State state = sha1_first_state();
#pragma unroll 1
  for (int block = 0; block <= kWindowWords / 16; ++block) {
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      w[i] = block < kWindowWords / 16 ? staged[t * kStepWords + 16 * block + i] : i == 0 ? 0x80000000u : 0u;
    }
    if (block == kWindowWords / 16) {
      w[15] = kWindowWords * 32;
    }
    sha1_block(state, w);
  }
  // Digests leave by way of shared memory, so that the TB writes whole lines.
  __syncthreads();
  staged[5 * t] = state.a;
  staged[5 * t + 1] = state.b;
  staged[5 * t + 2] = state.c;
  staged[5 * t + 3] = state.d;
  staged[5 * t + 4] = state.e;
  __syncthreads();
  unsigned* own = digests + blockIdx.x * (5 * kThreads);
#pragma unroll 1
  for (int i = t; i < 5 * kThreads; i += kThreads) {
    own[i] = staged[i];
  }
}
