// AES's tables, computed by the compiler in the field of 256 elements (FIPS 197, 4.2 and 5.1.1).
#pragma once

struct AesBytes {
  unsigned byte[256];
};

struct AesTable {
  unsigned word[256];
};

constexpr unsigned field_double(unsigned a) { return ((a << 1) ^ ((a & 0x80u) != 0 ? 0x11bu : 0u)) & 0xffu; }

constexpr unsigned field_product(unsigned a, unsigned b) {
  unsigned product = 0;
  for (; b != 0; b >>= 1) {
    product ^= (b & 1u) != 0 ? a : 0u;
    a = field_double(a);
  }
  return product;
}

// Goes through the field by the generator 3 and its inverse, so that `p` and `q` are always inverse to each
// other.
constexpr AesBytes make_s_box() {
  AesBytes box{};
  unsigned p = 1;
  unsigned q = 1;
  do {
    p = field_product(p, 3);
    q = field_product(q, 0xf6);
    unsigned bits = q | q << 8;
    bits ^= bits >> 4 ^ bits >> 5 ^ bits >> 6 ^ bits >> 7;
    box.byte[p] = (bits ^ 0x63u) & 0xffu;
  } while (p != 1);
  box.byte[0] = 0x63;
  return box;
}

constexpr AesBytes make_inverse_s_box() {
  const AesBytes box = make_s_box();
  AesBytes inverse{};
  for (unsigned i = 0; i < 256; ++i) {
    inverse.byte[box.byte[i]] = i;
  }
  return inverse;
}

// A byte after the S-box `box`, times the column (a, b, c, d) of a matrix of columns; row 0 in the lowest
// byte.
constexpr AesTable make_table(const AesBytes& box, unsigned a, unsigned b, unsigned c, unsigned d) {
  AesTable table{};
  for (unsigned i = 0; i < 256; ++i) {
    const unsigned s = box.byte[i];
    table.word[i] = field_product(s, a) | field_product(s, b) << 8 | field_product(s, c) << 16 |
                    field_product(s, d) << 24;
  }
  return table;
}

static __device__ __forceinline__ unsigned rotate_left(unsigned word, int bits) {
  return word << bits | word >> (32 - bits);
}
