#include "../cuda_subset.h"

#include "../aes_encrypt/aes_tables.h"

constexpr int kThreads = 256;
constexpr int kRounds = 10;

static __constant__ AesTable kTable = make_table(make_inverse_s_box(), 14, 9, 13, 11);
static __constant__ AesBytes kInverse = make_inverse_s_box();

// AES-128 backwards, as ERCBench's aesDecrypt128: the equivalent inverse cipher of FIPS 197, 5.3.5, whose
// rounds look as those of the cipher with other tables. A thread is a column of a block, a TB decrypts 1024
// bytes. The last round takes the inverse S-box itself, also in shared memory.
extern "C" __global__ void aes_decrypt(const unsigned* cipher, unsigned* text, const unsigned* round_keys) {
  __shared__ unsigned table0[256];
  __shared__ unsigned table1[256];
  __shared__ unsigned table2[256];
  __shared__ unsigned table3[256];
  __shared__ unsigned char inverse[256];
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
  inverse[t] = static_cast<unsigned char>(kInverse.byte[t]);
  columns[0][t] = cipher[at] ^ round_keys[column];
  __syncthreads();

#pragma unroll
  for (int round = 1; round < kRounds; ++round) {
    const unsigned* from = columns[(round + 1) % 2];
    columns[round % 2][t] = table0[from[t] & 255u] ^ table1[from[previous] >> 8 & 255u] ^
                            table2[from[opposite] >> 16 & 255u] ^ table3[from[next] >> 24] ^
                            round_keys[4 * round + column];
    __syncthreads();
  }
  const unsigned* last = columns[(kRounds + 1) % 2];
  const unsigned row0 = inverse[last[t] & 255u];
  const unsigned row1 = inverse[last[previous] >> 8 & 255u];
  const unsigned row2 = inverse[last[opposite] >> 16 & 255u];
  const unsigned row3 = inverse[last[next] >> 24];
  text[at] = (row0 | row1 << 8 | row2 << 16 | row3 << 24) ^ round_keys[4 * kRounds + column];
}
