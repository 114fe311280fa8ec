#include "../cuda_subset.h"

// The bitonic sorting network of the CUDA SDK (sortingNetworks), keys with values. Stages whose stride fits
// in a tile of 1024 pairs run in shared memory, with a barrier a stage; the wider ones are a launch each in
// global memory.
constexpr unsigned kThreads = 512;
constexpr unsigned kTile = 2 * kThreads;

struct Tile {
  unsigned* key;
  unsigned* value;
};

// Leaves the pair (low, high) in ascending or descending order of keys.
static __device__ __forceinline__ void compare_exchange(Tile tile, unsigned low, unsigned high,
                                                        bool ascending) {
  const unsigned first = tile.key[low];
  const unsigned second = tile.key[high];
  if ((first > second) == ascending) {
    tile.key[low] = second;
    tile.key[high] = first;
    const unsigned value = tile.value[low];
    tile.value[low] = tile.value[high];
    tile.value[high] = value;
  }
}

static __device__ __forceinline__ void merge_strides(Tile tile, unsigned stride, bool ascending) {
  const unsigned t = threadIdx.x;
#pragma unroll 1
  for (; stride > 0; stride /= 2) {
    __syncthreads();
    const unsigned low = 2 * t - (t & (stride - 1));
    compare_exchange(tile, low, low + stride, ascending);
  }
}

static __device__ __forceinline__ void load_tile(Tile tile, const unsigned* keys, const unsigned* values) {
  const unsigned at = blockIdx.x * kTile + threadIdx.x;
  tile.key[threadIdx.x] = keys[at];
  tile.value[threadIdx.x] = values[at];
  tile.key[threadIdx.x + kThreads] = keys[at + kThreads];
  tile.value[threadIdx.x + kThreads] = values[at + kThreads];
}

static __device__ __forceinline__ void store_tile(Tile tile, unsigned* keys, unsigned* values) {
  const unsigned at = blockIdx.x * kTile + threadIdx.x;
  __syncthreads();
  keys[at] = tile.key[threadIdx.x];
  values[at] = tile.value[threadIdx.x];
  keys[at + kThreads] = tile.key[threadIdx.x + kThreads];
  values[at + kThreads] = tile.value[threadIdx.x + kThreads];
}

// Sorts each tile, even ones upwards and odd ones downwards: two in a row are bitonic.
extern "C" __global__ void sort_shared(unsigned* keys, unsigned* values) {
  __shared__ unsigned key[kTile];
  __shared__ unsigned value[kTile];
  const Tile tile{key, value};
  load_tile(tile, keys, values);
#pragma unroll 1
  for (unsigned size = 2; size < kTile; size *= 2) {
    merge_strides(tile, size / 2, (threadIdx.x & (size / 2)) == 0);
  }
  merge_strides(tile, kTile / 2, blockIdx.x % 2 == 0);
  store_tile(tile, keys, values);
}

// Whether the merge of sequences of 2^size_log goes upwards for the pair `number` of all pairs of neighbours.
static __device__ __forceinline__ bool upwards(unsigned number, int size_log, int array_log) {
  return ((number & ((1u << (array_log - 1)) - 1)) >> (size_log - 1)) % 2 == 0;
}

// One stage of a stride of a tile or more, in the merge of sequences of 2^size_log.
extern "C" __global__ void merge_global(unsigned* keys, unsigned* values, int size_log, int stride_log,
                                        int array_log) {
  const unsigned pair = static_cast<unsigned>(global_thread_x());
  const unsigned stride = 1u << stride_log;
  const unsigned low = 2 * pair - (pair & (stride - 1));
  compare_exchange({keys, values}, low, low + stride, upwards(pair, size_log, array_log));
}

// All stages of strides below a tile.
extern "C" __global__ void merge_shared(unsigned* keys, unsigned* values, int size_log, int array_log) {
  __shared__ unsigned key[kTile];
  __shared__ unsigned value[kTile];
  const Tile tile{key, value};
  load_tile(tile, keys, values);
  merge_strides(tile, kTile / 2, upwards(blockIdx.x * kThreads, size_log, array_log));
  store_tile(tile, keys, values);
}
