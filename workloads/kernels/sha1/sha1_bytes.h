// SHA-1 byte by byte, as FIPS 180-4 says it, for the CPU references.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::references {

/// The five words of the digest of `message`.
inline std::array<std::uint32_t, 5> sha1_digest(std::vector<std::uint8_t> message) {
  const auto rotated = [](std::uint32_t word, unsigned bits) { return word << bits | word >> (32 - bits); };
  const std::uint64_t bits = 8 * std::uint64_t{message.size()};
  message.push_back(0x80);
  while (message.size() % 64 != 56) message.push_back(0);
  for (unsigned shift = 64; shift > 0; shift -= 8)
    message.push_back(static_cast<std::uint8_t>(bits >> (shift - 8)));

  std::array<std::uint32_t, 5> digest{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  for (std::size_t block = 0; block < message.size(); block += 64) {
    std::array<std::uint32_t, 80> w{};
    for (std::size_t t = 0; t < 80; ++t) {
      if (t < 16) {
        for (std::size_t i = 0; i < 4; ++i) w[t] = w[t] << 8 | message[block + 4 * t + i];
      } else {
        w[t] = rotated(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
      }
    }
    auto [a, b, c, d, e] = digest;
    for (std::size_t t = 0; t < 80; ++t) {
      std::uint32_t f = b ^ c ^ d;
      if (t < 20) f = (b & c) ^ (~b & d);
      if (t >= 40 && t < 60) f = (b & c) ^ (b & d) ^ (c & d);
      constexpr std::array<std::uint32_t, 4> kConstants{0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
      const std::uint32_t sum = rotated(a, 5) + f + e + kConstants[t / 20] + w[t];
      e = d;
      d = c;
      c = rotated(b, 30);
      b = a;
      a = sum;
    }
    digest = {digest[0] + a, digest[1] + b, digest[2] + c, digest[3] + d, digest[4] + e};
  }
  return digest;
}

/// The bytes of `count` words from number `first` on, the lowest byte of a word first.
template <typename Words>
std::vector<std::uint8_t> message_bytes(const Words& words, std::size_t first, std::size_t count) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < 4 * count; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(words[first + i / 4] >> 8 * (i % 4)));
  }
  return bytes;
}

}  // namespace heddle::references
