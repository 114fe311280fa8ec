#include "../cuda_subset.h"

#include "sha1_block.h"

// SHA-1 of one message per thread, all of equal length and one after the other, as ERCBench's
// sha1_kernel_direct: direct hashing of the data in pieces. Lanes read words that lie a message apart, so
// that each has a line of its own.
extern "C" __global__ void sha1(const unsigned* messages, unsigned* digests, int message_words) {
  const int message = global_thread_x();
  const unsigned* words = messages + message * message_words;
  Sha1State state = sha1_first_state();
  // The message, a bit of 1, zeros and the length in bits, in blocks of 16 words.
  const int blocks = (message_words + 3 + 15) / 16;
#pragma unroll 1
  for (int block = 0; block < blocks; ++block) {
    unsigned w[16];
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const int at = 16 * block + i;
      w[i] = at < message_words ? reverse_bytes(words[at]) : at == message_words ? 0x80000000u : 0u;
    }
    if (block == blocks - 1) {
      w[15] = static_cast<unsigned>(message_words) * 32u;
    }
    sha1_block(state, w);
  }
  unsigned* digest = digests + 5 * message;
  digest[0] = state.a;
  digest[1] = state.b;
  digest[2] = state.c;
  digest[3] = state.d;
  digest[4] = state.e;
}
