#include "../cuda_subset.h"

extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n) {
  const int i = global_thread_x();
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}
