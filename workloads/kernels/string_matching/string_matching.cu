#include "../cuda_subset.h"

// Maximal matches of short reads in a text's tree of suffixes, as MUMmerGPU finds them: a thread walks down the
// tree along its read; where there is no way on, it notes how far it came, follows the node's suffix link and
// goes on with the next position. Every step is a load that depends on the one before, at places that the lanes
// do not share, and reads take unequally many.
extern "C" __global__ void string_matching(const unsigned* children, const unsigned* suffix_links,
                                           const unsigned char* reads, unsigned char* matches, int count,
                                           int length) {
  const int read = global_thread_x();
  if (read >= count) {
    return;
  }
  const unsigned char* text = reads + read * length;
  unsigned char* matched = matches + read * length;
  unsigned node = 0;
  int depth = 0;
  int position = 0;
#pragma unroll 1
  while (position < length) {
    unsigned child = 0;
    if (position + depth < length) {
      child = children[4 * node + text[position + depth]];
    }
    if (child != 0) {
      node = child;
      ++depth;
    } else {
      matched[position] = static_cast<unsigned char>(depth);
      ++position;
      if (depth > 0) {
        node = suffix_links[node];
        --depth;
      }
    }
  }
}
