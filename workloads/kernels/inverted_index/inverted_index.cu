#include "../cuda_subset.h"
#include "../prefix_sum.h"

// Mars' inverted index: where in a text each link stands. Every thread looks through a chunk of the text of
// its own, twice: to count its links, and, when prefix sums have told their numbers, to note their places. A
// bitonic network puts the places in the order of the links' letters, which it compares in the text itself;
// then each link's first place is found. Nearly all loads are of a thread's own part of the text.

constexpr unsigned kNone = 0xffffffffu;
constexpr int kMarkLength = 6;

// Whether a link begins after place `at`: the text goes on with href=" there.
static __device__ __forceinline__ bool is_mark(const unsigned char* text, int at, int length) {
  return text[at] == 'h' && at + kMarkLength < length && text[at + 1] == 'r' && text[at + 2] == 'e' &&
         text[at + 3] == 'f' && text[at + 4] == '=' && text[at + 5] == '"';
}

extern "C" __global__ void count_links(const unsigned char* text, unsigned* counts, int chunks, int chunk,
                                       int length) {
  const int own = global_thread_x();
  if (own >= chunks) {
    return;
  }
  unsigned count = 0;
#pragma unroll 1
  for (int at = own * chunk; at < (own + 1) * chunk; ++at) {
    if (is_mark(text, at, length)) {
      ++count;
    }
  }
  counts[own] = count;
}

// `numbers` become the numbers of links before each chunk's.
extern "C" __global__ void write_links(const unsigned char* text, const unsigned* numbers, unsigned* places,
                                       int chunks, int chunk, int length, int capacity) {
  const int own = global_thread_x();
  if (own >= chunks) {
    return;
  }
  unsigned number = numbers[own];
#pragma unroll 1
  for (int at = own * chunk; at < (own + 1) * chunk; ++at) {
    if (is_mark(text, at, length)) {
      if (number < static_cast<unsigned>(capacity)) {
        places[number] = static_cast<unsigned>(at + kMarkLength);
      }
      ++number;
    }
  }
}

// Sums before each, by blocks of 512, whose sums go to `sums`.
extern "C" __global__ void scan(unsigned* values, unsigned* sums, int n) {
  __shared__ unsigned elements[kScanWords];
  const int thread = static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.x) * kScanElements + thread;
  const int second = first + kScanThreads;
  elements[scan_place(thread)] = first < n ? values[first] : 0;
  elements[scan_place(thread + kScanThreads)] = second < n ? values[second] : 0;
  const unsigned total = scan_block(elements);
  if (thread == 0) {
    sums[blockIdx.x] = total;
  }
  if (first < n) {
    values[first] = elements[scan_place(thread)];
  }
  if (second < n) {
    values[second] = elements[scan_place(thread + kScanThreads)];
  }
}

extern "C" __global__ void add_sums(unsigned* values, const unsigned* sums, int n) {
  const int i = global_thread_x();
  if (i < n) {
    values[i] += sums[blockIdx.x];
  }
}

// How the links at two places compare by their letters: below 0, 0 or above. None comes last.
static __device__ __forceinline__ int compare(const unsigned char* text, unsigned a, unsigned b) {
  if (a == kNone || b == kNone) {
    return a == b ? 0 : a == kNone ? 1 : -1;
  }
#pragma unroll 1
  while (true) {
    const int x = text[a];
    const int y = text[b];
    if (x != y || x == '"') {
      return x - y;
    }
    ++a;
    ++b;
  }
}

// One stage of the network, in the merge of sequences of 2^size_log.
extern "C" __global__ void sort_places(const unsigned char* text, unsigned* places, int size_log,
                                       int stride_log) {
  const unsigned pair = static_cast<unsigned>(global_thread_x());
  const unsigned stride = 1u << stride_log;
  const unsigned low = 2 * pair - (pair & (stride - 1));
  const unsigned first = places[low];
  const unsigned second = places[low + stride];
  const int order = compare(text, first, second);
  const bool descends = order > 0 || (order == 0 && first > second);
  const bool upwards = (pair >> (size_log - 1)) % 2 == 0;
  if (descends == upwards) {
    places[low] = second;
    places[low + stride] = first;
  }
}

extern "C" __global__ void mark_first(const unsigned char* text, const unsigned* places, unsigned* marks,
                                      int links) {
  const int i = global_thread_x();
  if (i < links) {
    marks[i] = i == 0 || compare(text, places[i - 1], places[i]) != 0;
  }
}

// `numbers` is how many different links begin before each place.
extern "C" __global__ void write_starts(const unsigned* numbers, unsigned different, unsigned* starts,
                                        int links) {
  const int i = global_thread_x();
  if (i >= links) {
    return;
  }
  const unsigned next = i + 1 < links ? numbers[i + 1] : different;
  if (next != numbers[i]) {
    starts[numbers[i]] = static_cast<unsigned>(i);
  }
}
