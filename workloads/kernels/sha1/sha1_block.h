// SHA-1 of one block of 64 bytes (FIPS 180-4, 6.1.2), its schedule of 16 words updated in place.
#pragma once

struct Sha1State {
  unsigned a, b, c, d, e;
};

static __device__ __forceinline__ unsigned rotate_left(unsigned word, int bits) {
  return word << bits | word >> (32 - bits);
}

// The bytes of a word in reverse: messages are big-endian.
static __device__ __forceinline__ unsigned reverse_bytes(unsigned word) {
  return word << 24 | (word << 8 & 0xff0000u) | (word >> 8 & 0xff00u) | word >> 24;
}

static __device__ __forceinline__ Sha1State sha1_first_state() {
  return {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
}

static __device__ __forceinline__ unsigned sha1_mix(int step, unsigned b, unsigned c, unsigned d) {
  if (step < 20) {
    return (b & c) | (~b & d);
  }
  if (step >= 40 && step < 60) {
    return (b & c) | (b & d) | (c & d);
  }
  return b ^ c ^ d;
}

static __device__ __forceinline__ unsigned sha1_constant(int step) {
  return step < 20 ? 0x5a827999u : step < 40 ? 0x6ed9eba1u : step < 60 ? 0x8f1bbcdcu : 0xca62c1d6u;
}

// `Schedule` gives word i of the block, i = 0..15, by operator[].
template <typename Schedule>
static __device__ __forceinline__ void sha1_block(Sha1State& state, Schedule& w) {
  Sha1State s = state;
#pragma unroll
  for (int step = 0; step < 80; ++step) {
    unsigned word = w[step % 16];
    if (step >= 16) {
      word = rotate_left(w[(step + 13) % 16] ^ w[(step + 8) % 16] ^ w[(step + 2) % 16] ^ word, 1);
      w[step % 16] = word;
    }
    const unsigned next =
        rotate_left(s.a, 5) + sha1_mix(step, s.b, s.c, s.d) + s.e + word + sha1_constant(step);
    s = {next, s.a, rotate_left(s.b, 30), s.c, s.d};
  }
  state = {state.a + s.a, state.b + s.b, state.c + s.c, state.d + s.d, state.e + s.e};
}
