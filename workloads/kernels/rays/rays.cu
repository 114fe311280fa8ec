#include "../cuda_subset.h"

// Follows rays through a square scene of cells until they leave it, have met so many walls or took so many steps.
// Positions have 8 fractional bits. The scene has walls on one side only: neighbouring warps differ.
extern "C" __global__ void rays(const unsigned char* wall, unsigned* met_and_steps, int width, int size,
                                int most_walls, int most_steps) {
  const int ray = global_thread_x();
  const int column = ray % width;
  int x = column * (size * 256 / width);
  int y = 0;
  int dx = column % 32 * 4 - 62;
  int dy = 96 + ray / width % 64;
  int met = 0;
  int steps = 0;
#pragma unroll 1
  for (; steps < most_steps && met < most_walls; ++steps) {
    x += dx;
    y += dy;
    const int cell_x = x >> 8;
    const int cell_y = y >> 8;
    if (cell_x < 0 || cell_y < 0 || cell_x >= size || cell_y >= size) {
      break;
    }
    const unsigned kind = wall[cell_y * size + cell_x];
    if (kind != 0) {
      ++met;
      if (kind == 1) {
        dx = -dx;
      } else {
        dy = -dy;
      }
    }
  }
  met_and_steps[ray] = static_cast<unsigned>(met * 65536 + steps);
}
