#include "../cuda_subset.h"

// Level-synchronous breadth-first search of a graph in compressed rows. Within a level every writer of an
// element writes the same value, so the result does not depend on the order of the threads.

// Marks the unvisited neighbours of the frontier and gives them their level.
extern "C" __global__ void bfs_expand(const int* row_start, const int* neighbour, const int* frontier,
                                      const int* visited, int* next, int* level, int depth, int nodes) {
  const int node = global_thread_x();
  if (node < nodes && frontier[node] != 0) {
    const int end = row_start[node + 1];
#pragma unroll 1
    for (int edge = row_start[node]; edge < end; ++edge) {
      const int other = neighbour[edge];
      if (visited[other] == 0) {
        level[other] = depth + 1;
        next[other] = 1;
      }
    }
  }
}

// Makes the marked nodes the frontier and tells the host whether there are any.
extern "C" __global__ void bfs_advance(int* frontier, int* visited, int* next, int* found, int nodes) {
  const int node = global_thread_x();
  if (node < nodes) {
    const int marked = next[node];
    frontier[node] = marked;
    if (marked != 0) {
      visited[node] = 1;
      next[node] = 0;
      *found = 1;
    }
  }
}
