#include "../cuda_subset.h"

// The searches of Rodinia's b+tree: a TB answers one query, and on each level all its threads compare a key
// of the node with the query at once. A node holds up to 508 keys in ascending order, each the first of a
// child or a record's, then keys beyond all; nodes lie kStride apart.
// Volatile: clang takes it that a barrier leaves variables alone whose address nobody has.
constexpr int kStride = 512;

// The record whose key is the query's, -1 when there is none.
extern "C" __global__ void find_k(const int* keys, const int* children, const int* records,
                                  const int* queries, int* answers, int height) {
  __shared__ volatile int node;
  __shared__ volatile int next;
  const int t = static_cast<int>(threadIdx.x);
  const int query = queries[blockIdx.x];
  if (t == 0) {
    node = 0;
    next = 0;
    answers[blockIdx.x] = -1;
  }
  __syncthreads();
#pragma unroll 1
  for (int level = 0; level < height; ++level) {
    const int at = node * kStride + t;
    if (keys[at] <= query && keys[at + 1] > query) {
      next = children[at];
    }
    __syncthreads();
    if (t == 0) {
      node = next;
    }
    __syncthreads();
  }
  const int at = node * kStride + t;
  if (keys[at] == query) {
    answers[blockIdx.x] = records[children[at]];
  }
}

// The first record of a range of keys and how many there are: two paths down the tree at the same time.
extern "C" __global__ void find_range_k(const int* keys, const int* children, const int* starts,
                                        const int* ends, int* first_records, int* lengths, int height) {
  __shared__ volatile int node[2];
  __shared__ volatile int next[2];
  const int t = static_cast<int>(threadIdx.x);
  const int start = starts[blockIdx.x];
  const int end = ends[blockIdx.x];
  if (t == 0) {
    node[0] = 0;
    node[1] = 0;
    next[0] = 0;
    next[1] = 0;
    first_records[blockIdx.x] = 0;
  }
  __syncthreads();
#pragma unroll 1
  for (int level = 0; level < height; ++level) {
    const int from = node[0] * kStride + t;
    if (keys[from] <= start && keys[from + 1] > start) {
      next[0] = children[from];
    }
    const int to = node[1] * kStride + t;
    if (keys[to] <= end && keys[to + 1] > end) {
      next[1] = children[to];
    }
    __syncthreads();
    if (t == 0) {
      node[0] = next[0];
      node[1] = next[1];
    }
    __syncthreads();
  }
  const int from = node[0] * kStride + t;
  if (keys[from] == start) {
    first_records[blockIdx.x] = children[from];
  }
  __syncthreads();
  const int to = node[1] * kStride + t;
  if (keys[to] == end) {
    lengths[blockIdx.x] = children[to] - first_records[blockIdx.x] + 1;
  }
}
