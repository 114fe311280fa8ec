// Latencies and bandwidths of the memories, one thing each.
#include "../cuda_subset.h"

#define REPEAT8(x) x x x x x x x x

// 8 loads a round, each from the address that the one before has loaded. The first address is *cursor, where
// the last one is left, so that a second launch goes on where the first has ended.
#define POINTER_CHASE(name, load)                                                       \
  extern "C" __global__ void name(unsigned long long* cursor, int rounds) {             \
    unsigned long long address = *cursor;                                               \
    asm volatile(                                                                       \
        "{ .reg .pred again;\n"                                                         \
        "LOOP: sub.s32 %1, %1, 1;\n"                                                    \
        "setp.gt.s32 again, %1, 0;\n" REPEAT8(load " %0, [%0];\n") "@again bra LOOP; }" \
        : "+l"(address), "+r"(rounds));                                                 \
    *cursor = address;                                                                  \
  }

POINTER_CHASE(chase, "ld.global.u64")
POINTER_CHASE(chase_past_l1d, "ld.global.cg.u64")

using SharedWord = __attribute__((address_space(3))) unsigned;

// The same in shared memory: word k holds the address of word k + 1.
extern "C" __global__ void chase_shared(unsigned* out, int rounds) {
  __shared__ unsigned table[1024];
  const unsigned base = static_cast<unsigned>(reinterpret_cast<unsigned long long>((SharedWord*)table));
  for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x) table[k] = base + 4 * ((k + 1) % 1024);
  __syncthreads();
  unsigned address = base + 4 * threadIdx.x;
  asm volatile(
      "{ .reg .pred again;\n"
      "LOOP: sub.s32 %1, %1, 1;\n"
      "setp.gt.s32 again, %1, 0;\n" REPEAT8("ld.shared.u32 %0, [%0];\n") "@again bra LOOP; }"
      : "+r"(address), "+r"(rounds)
      :
      : "memory");
  out[threadIdx.x] = address;
}

#define LOAD8(load, o0, o1, o2, o3, o4, o5, o6, o7)                                                    \
  load " %0, [%9+" o0 "];\n" load " %1, [%9+" o1 "];\n" load " %2, [%9+" o2 "];\n" load " %3, [%9+" o3 \
       "];\n" load " %4, [%9+" o4 "];\n" load " %5, [%9+" o5 "];\n" load " %6, [%9+" o6 "];\n" load    \
       " %7, [%9+" o7 "];\n"

// Runs `rounds` rounds of 8 loads and gives the sum of the last 8 values: what nobody reads would share a
// register, and the loads would wait for each other. `address` moves on by `step` bytes a
// round.
#define LOADS_OF_A_ROUND(loads, step)                                                                 \
  unsigned a, b, c, d, e, f, g, h;                                                                    \
  asm volatile(                                                                                       \
      "{ .reg .pred again;\n"                                                                         \
      "LOOP: sub.s32 %8, %8, 1;\n"                                                                    \
      "setp.gt.s32 again, %8, 0;\n" loads                                                             \
      "add.s64 %9, %9, %10;\n"                                                                        \
      "@again bra LOOP; }"                                                                            \
      : "=&r"(a), "=&r"(b), "=&r"(c), "=&r"(d), "=&r"(e), "=&r"(f), "=&r"(g), "=&r"(h), "+r"(rounds), \
        "+l"(address)                                                                                 \
      : "l"(step)                                                                                     \
      : "memory");                                                                                    \
  out[threadIdx.x] = a + b + c + d + e + f + g + h

// Lane l reads word l * stride of the shared memory: a stride of s has conflicts of degree gcd(s, 32).
extern "C" __global__ void bank_conflicts(unsigned* out, int stride, int rounds) {
  __shared__ unsigned table[1024];
  for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x) table[k] = k;
  __syncthreads();
  const unsigned base = static_cast<unsigned>(reinterpret_cast<unsigned long long>((SharedWord*)table));
  unsigned long long address = base + 4 * ((threadIdx.x % 32 * stride) % 1024);
  LOADS_OF_A_ROUND(LOAD8("ld.shared.u32", "0", "0", "0", "0", "0", "0", "0", "0"), 0ULL);
}

// Lane l reads word l * stride of the buffer: a warp touches `stride` lines, up to 32.
extern "C" __global__ void strided_load(const unsigned* in, unsigned* out, int stride, int rounds) {
  const unsigned* address = in + threadIdx.x % 32 * stride;
  LOADS_OF_A_ROUND(LOAD8("ld.global.u32", "0", "0", "0", "0", "0", "0", "0", "0")
                       LOAD8("ld.global.u32", "0", "0", "0", "0", "0", "0", "0", "0"),
                   0ULL);
}

// Each warp reads 8 lines a round, all of them different.
extern "C" __global__ void miss_stream(const unsigned* in, unsigned* out, int rounds) {
  const unsigned* address = in + threadIdx.x / 32 * 256 + threadIdx.x % 32;
  LOADS_OF_A_ROUND(LOAD8("ld.global.u32", "0", "128", "256", "384", "512", "640", "768", "896"),
                   blockDim.x * 32ULL);
}

// Coalesced: the bandwidth of DRAM when the buffers are larger than the L2.
extern "C" __global__ void stream_read(const unsigned* in, unsigned* out, int n) {
  unsigned sum = 0;
  const int step = static_cast<int>(blockDim.x * gridDim.x);
#pragma clang loop unroll(disable)
  for (int i = global_thread_x(); i < n; i += step) sum += in[i];
  out[global_thread_x()] = sum;
}

extern "C" __global__ void stream_write(unsigned* out, int n) {
  const int step = static_cast<int>(blockDim.x * gridDim.x);
#pragma clang loop unroll(disable)
  for (int i = global_thread_x(); i < n; i += step) out[i] = static_cast<unsigned>(i);
}
