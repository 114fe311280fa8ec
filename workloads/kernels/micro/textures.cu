// Latency and rate of texture fetches. `table` is linear memory, `picture` a two-dimensional array.
#include "../cuda_subset.h"
#include "../cuda_textures.h"

#define REPEAT8(x) x x x x x x x x

TEXTURE_REFERENCE(table);
TEXTURE_REFERENCE(picture);

// 8 fetches a round, each of the element whose number the one before has fetched.
extern "C" __global__ void chase_texture(int* cursor, int rounds) {
  int index = *cursor;
  asm volatile(
      "{ .reg .pred again;\n"
      "LOOP: sub.s32 %1, %1, 1;\n"
      "setp.gt.s32 again, %1, 0;\n" REPEAT8("tex.1d.v4.s32.s32 {%0, _, _, _}, [table, {%0}];\n") "@again bra LOOP; }"
      : "+r"(index), "+r"(rounds));
  *cursor = index;
}

// 8 fetches a round by each warp, all of the same 32 neighbouring elements.
extern "C" __global__ void fetch_stream(int* out, int rounds) {
  int a, b, c, d, e, f, g, h;
  const int index = threadIdx.x % 32;
  asm volatile(
      "{ .reg .pred again;\n"
      "LOOP: sub.s32 %8, %8, 1;\n"
      "setp.gt.s32 again, %8, 0;\n"
      "tex.1d.v4.s32.s32 {%0, _, _, _}, [table, {%9}];\n"
      "tex.1d.v4.s32.s32 {%1, _, _, _}, [table, {%9}];\n"
      "tex.1d.v4.s32.s32 {%2, _, _, _}, [table, {%9}];\n"
      "tex.1d.v4.s32.s32 {%3, _, _, _}, [table, {%9}];\n"
      "tex.1d.v4.s32.s32 {%4, _, _, _}, [table, {%9}];\n"
      "tex.1d.v4.s32.s32 {%5, _, _, _}, [table, {%9}];\n"
      "tex.1d.v4.s32.s32 {%6, _, _, _}, [table, {%9}];\n"
      "tex.1d.v4.s32.s32 {%7, _, _, _}, [table, {%9}];\n"
      "@again bra LOOP; }"
      : "=&r"(a), "=&r"(b), "=&r"(c), "=&r"(d), "=&r"(e), "=&r"(f), "=&r"(g), "=&r"(h), "+r"(rounds)
      : "r"(index));
  out[global_thread_x()] = a + b + c + d + e + f + g + h;
}

// The picture turned by an angle whose cosine and sine are c and s, about its middle: four texels a point,
// from rows that differ by lane.
extern "C" __global__ void turn(float* out, int width, int height, float c, float s) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= height) return;
  const float u = static_cast<float>(x) + 0.5f - 0.5f * static_cast<float>(width);
  const float v = static_cast<float>(y) + 0.5f - 0.5f * static_cast<float>(height);
  const TexelF32 texel = sample_2d_f32(picture, c * u - s * v + 0.5f * static_cast<float>(width),
                                       s * u + c * v + 0.5f * static_cast<float>(height));
  out[y * width + x] = texel.x;
}
