// One operation many times, by one warp: its latency when each needs the result before, its issue interval
// when they are independent. The loops are written in PTX, so that 16 or 32 operations stand beside a
// count-down, a comparison and a taken branch. Dependent operations hide these three, independent ones do
// not.
#include "../cuda_subset.h"

#define REPEAT4(x) x x x x
#define REPEAT8(x) REPEAT4(x) REPEAT4(x)
#define REPEAT16(x) REPEAT8(x) REPEAT8(x)

#define LOOP(first_half, second_half)                                                                    \
  "{ .reg .pred again; .reg .pred less;\n"                                                               \
  "LOOP: sub.s32 %[rounds], %[rounds], 1;\n" first_half "setp.gt.s32 again, %[rounds], 0;\n" second_half \
  "@again bra LOOP; }"

// Operations of a round on one value.
#define CHAIN_OF(half, name, type, constraint, operation)                  \
  extern "C" __global__ void name(const type* in, type* out, int rounds) { \
    type value = in[threadIdx.x];                                          \
    const type other = in[threadIdx.x + 32];                               \
    asm volatile(LOOP(half(operation "\n"), half(operation "\n"))          \
                 : [value] "+" constraint(value), [rounds] "+r"(rounds)    \
                 : [other] constraint(other));                             \
    out[threadIdx.x] = value;                                              \
  }

#define CHAIN(name, type, constraint, operation) CHAIN_OF(REPEAT8, name, type, constraint, operation)

// 32 operations a round, into 8 registers in turn, which are read at the end: what nobody reads shares a
// register.
#define INTO8(operation, from)                                                                     \
  operation " %0, " from ";\n" operation " %1, " from ";\n" operation " %2, " from ";\n" operation \
            " %3, " from ";\n" operation " %4, " from ";\n" operation " %5, " from ";\n" operation \
            " %6, " from ";\n" operation " %7, " from ";\n"
#define INTO16(operation, from) INTO8(operation, from) INTO8(operation, from)
#define INDEPENDENT(name, type, constraint, operation, from)                                       \
  extern "C" __global__ void name(const type* in, type* out, int rounds) {                         \
    const type other = in[threadIdx.x + 32];                                                       \
    type a, b, c, d, e, f, g, h;                                                                   \
    asm volatile(LOOP(INTO16(operation, from), INTO16(operation, from))                            \
                 : "=&" constraint(a), "=&" constraint(b), "=&" constraint(c), "=&" constraint(d), \
                   "=&" constraint(e), "=&" constraint(f), "=&" constraint(g),                     \
                   "=&" constraint(h), [rounds] "+r"(rounds)                                       \
                 : [other] constraint(other));                                                     \
    out[threadIdx.x] = a + b + c + d + e + f + g + h;                                              \
  }

CHAIN(fma_f32, float, "f", "fma.rn.f32 %[value], %[value], %[other], %[other];")
CHAIN(add_f32, float, "f", "add.f32 %[value], %[value], %[other];")
CHAIN(mul_f32, float, "f", "mul.f32 %[value], %[value], %[other];")
CHAIN(add_s32, int, "r", "add.s32 %[value], %[value], %[other];")
CHAIN(mad_s32, int, "r", "mad.lo.s32 %[value], %[value], %[other], %[other];")
CHAIN(xor_b32, int, "r", "xor.b32 %[value], %[value], %[other];")
CHAIN(setp_selp, int, "r",
      "setp.lt.s32 less, %[value], %[other]; selp.b32 %[value], %[value], %[other], less;")
CHAIN(add_f64, double, "d", "add.f64 %[value], %[value], %[other];")
CHAIN(ex2_f32, float, "f", "ex2.approx.f32 %[value], %[value];")
CHAIN(div_full_f32, float, "f", "div.full.f32 %[value], %[value], %[other];")

INDEPENDENT(fma_f32_independent, float, "f", "fma.rn.f32", "%[other], %[other], %[other]")
INDEPENDENT(add_s32_independent, int, "r", "add.s32", "%[other], %[other]")
INDEPENDENT(ex2_f32_independent, float, "f", "ex2.approx.f32", "%[other]")

// These wait for nothing, as independent operations.
CHAIN_OF(REPEAT16, barrier, int, "r", "bar.sync 0;")
CHAIN_OF(REPEAT16, branch, int, "r", "{ bra.uni NEXT; NEXT: }")
