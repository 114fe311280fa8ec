// AES-128 byte by byte, as FIPS 197 says it, for the CPU references.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::references {

/// Four columns of four bytes, one after the other: byte 4 * c + r is row r of column c.
using AesBlock = std::array<std::uint8_t, 16>;

class Aes {
 public:
  explicit Aes(const AesBlock& key);

  void encrypt(AesBlock& block) const;
  void decrypt(AesBlock& block) const;

 private:
  static constexpr std::size_t kRounds = 10;

  static std::uint8_t product(unsigned a, unsigned b) {
    unsigned sum = 0;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((b >> bit & 1U) != 0) sum ^= a << bit;
    }
    for (unsigned bit = 15; bit >= 8; --bit) {
      if ((sum >> bit & 1U) != 0) sum ^= 0x11bU << (bit - 8);
    }
    return static_cast<std::uint8_t>(sum);
  }
  /// Each column times the circulant matrix whose first row is `row`.
  static void mix(AesBlock& block, const std::array<std::uint8_t, 4>& row);
  void add_key(AesBlock& block, std::size_t round) const {
    for (std::size_t i = 0; i < 16; ++i) block[i] ^= keys_[16 * round + i];
  }

  std::array<std::uint8_t, 256> s_box_{};
  std::array<std::uint8_t, 256> inverse_{};
  std::array<std::uint8_t, 16 * (kRounds + 1)> keys_{};
};

inline Aes::Aes(const AesBlock& key) {
  for (unsigned a = 0; a < 256; ++a) {
    unsigned inverse = 0;  // of 0 too
    for (unsigned b = 1; b < 256 && inverse == 0; ++b) {
      if (product(a, b) == 1) inverse = b;
    }
    unsigned substitute = 0x63;
    for (unsigned shift = 0; shift < 5; ++shift) {
      substitute ^= (inverse << shift | inverse >> (8 - shift)) & 0xffU;
    }
    s_box_[a] = static_cast<std::uint8_t>(substitute);
    inverse_[substitute] = static_cast<std::uint8_t>(a);
  }
  for (std::size_t i = 0; i < 16; ++i) keys_[i] = key[i];
  std::uint8_t round_constant = 1;
  for (std::size_t i = 16; i < keys_.size(); i += 4) {
    std::array<std::uint8_t, 4> word{keys_[i - 4], keys_[i - 3], keys_[i - 2], keys_[i - 1]};
    if (i % 16 == 0) {
      word = {s_box_[word[1]], s_box_[word[2]], s_box_[word[3]], s_box_[word[0]]};
      word[0] ^= round_constant;
      round_constant = product(round_constant, 2);
    }
    for (std::size_t r = 0; r < 4; ++r) keys_[i + r] = keys_[i - 16 + r] ^ word[r];
  }
}

inline void Aes::mix(AesBlock& block, const std::array<std::uint8_t, 4>& row) {
  const AesBlock from = block;
  for (std::size_t column = 0; column < 16; column += 4) {
    for (std::size_t r = 0; r < 4; ++r) {
      std::uint8_t sum = 0;
      for (std::size_t i = 0; i < 4; ++i) sum ^= product(from[column + i], row[(i + 4 - r) % 4]);
      block[column + r] = sum;
    }
  }
}

inline void Aes::encrypt(AesBlock& block) const {
  add_key(block, 0);
  for (std::size_t round = 1; round <= kRounds; ++round) {
    const AesBlock from = block;
    for (std::size_t i = 0; i < 16; ++i) block[i] = s_box_[from[(i + 4 * (i % 4)) % 16]];
    if (round < kRounds) mix(block, {2, 3, 1, 1});
    add_key(block, round);
  }
}

inline void Aes::decrypt(AesBlock& block) const {
  for (std::size_t round = kRounds; round >= 1; --round) {
    add_key(block, round);
    if (round < kRounds) mix(block, {14, 11, 13, 9});
    const AesBlock from = block;
    for (std::size_t i = 0; i < 16; ++i) block[(i + 4 * (i % 4)) % 16] = inverse_[from[i]];
  }
  add_key(block, 0);
}

/// The 16 bytes of four words from number `first` on, the lowest byte of a word first.
template <typename Words>
AesBlock aes_block(const Words& words, std::size_t first) {
  AesBlock block{};
  for (std::size_t i = 0; i < 16; ++i)
    block[i] = static_cast<std::uint8_t>(words[first + i / 4] >> 8 * (i % 4));
  return block;
}

template <typename Words>
void put_aes_block(const AesBlock& block, const Words& words, std::size_t first) {
  for (std::size_t i = 0; i < 16; i += 4) {
    words[first + i / 4] = block[i] | std::uint32_t{block[i + 1]} << 8 | std::uint32_t{block[i + 2]} << 16 |
                           std::uint32_t{block[i + 3]} << 24;
  }
}

}  // namespace heddle::references
