#include "../cuda_subset.h"

#include "aes_tables.h"

constexpr int kThreads = 256;
constexpr int kRounds = 10;

static __constant__ AesTable kTable = make_table(make_s_box(), 2, 1, 1, 3);

// AES-128 as ERCBench's and GPGPU-Sim's aesEncrypt128: a thread is a column (4 bytes) of a block of 16, a TB
// encrypts 1024 bytes. The four tables that join S-box and column mixing are copied to shared memory; two
// buffers in shared memory hand the columns from round to round, with a barrier after each.
extern "C" __global__ void aes_encrypt(const unsigned* text, unsigned* cipher, const unsigned* round_keys) {
  __shared__ unsigned table0[256];
  __shared__ unsigned table1[256];
  __shared__ unsigned table2[256];
  __shared__ unsigned table3[256];
  __shared__ unsigned columns[2][kThreads];

  const unsigned t = threadIdx.x;
  const unsigned column = t & 3u;
  const unsigned first = t - column;
  const unsigned next = first + ((column + 1) & 3u);
  const unsigned opposite = first + ((column + 2) & 3u);
  const unsigned previous = first + ((column + 3) & 3u);
  const unsigned at = blockIdx.x * kThreads + t;

  const unsigned word = kTable.word[t];
  table0[t] = word;
  table1[t] = rotate_left(word, 8);
  table2[t] = rotate_left(word, 16);
  table3[t] = rotate_left(word, 24);
  columns[0][t] = text[at] ^ round_keys[column];
  __syncthreads();

#pragma unroll
  for (int round = 1; round < kRounds; ++round) {
    const unsigned* from = columns[(round + 1) % 2];
    columns[round % 2][t] = table0[from[t] & 255u] ^ table1[from[next] >> 8 & 255u] ^
                            table2[from[opposite] >> 16 & 255u] ^ table3[from[previous] >> 24] ^
                            round_keys[4 * round + column];
    __syncthreads();
  }
  // The last round mixes no columns: the S-box alone is the second byte of a table's word.
  const unsigned* last = columns[(kRounds + 1) % 2];
  const unsigned substituted = (table0[last[t] & 255u] >> 8 & 255u) |
                               (table0[last[next] >> 8 & 255u] & 0xff00u) |
                               (table0[last[opposite] >> 16 & 255u] << 8 & 0xff0000u) |
                               (table0[last[previous] >> 24] << 16 & 0xff000000u);
  cipher[at] = substituted ^ round_keys[4 * kRounds + column];
}
