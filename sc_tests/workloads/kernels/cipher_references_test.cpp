// The CPU references of the ciphers and hashes give what the standards' examples say.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "workloads/checks/references.h"

namespace heddle {
namespace {

using Words = std::vector<std::uint32_t>;

Words little_endian(const std::string& hex) {
  Words words(hex.size() / 8);
  for (std::size_t i = 0; i < hex.size() / 2; ++i) {
    const auto byte = static_cast<std::uint32_t>(std::stoul(hex.substr(2 * i, 2), nullptr, 16));
    words[i / 4] |= byte << 8 * (i % 4);
  }
  return words;
}

void put(ReferenceMemory& memory, const std::string& name, const Words& words, std::size_t first = 0) {
  const auto view = memory.view<std::uint32_t>(name);
  for (std::size_t i = 0; i < words.size(); ++i) view[first + i] = words[i];
}

Words get(ReferenceMemory& memory, const std::string& name) {
  const auto view = memory.view<std::uint32_t>(name);
  return {view.begin(), view.end()};
}

struct AesExample {
  std::string key;
  std::string text;
  std::string cipher;
};

// FIPS 197, B and C.1.
const std::array<AesExample, 2> kAesExamples{
    AesExample{"2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734",
               "3925841d02dc09fbdc118597196a0b32"},
    AesExample{"000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff",
               "69c4e0d86a7b0430d8cdb78070b4c55a"}};

TEST(AesReference, EncryptsTheStandardsExamples) {
  for (const AesExample& example : kAesExamples) {
    ReferenceMemory memory{Scope{}};
    memory.add("text", ElementType::kU32, 4);
    memory.add("cipher", ElementType::kU32, 4);
    memory.add("round_keys", ElementType::kU32, 44);
    put(memory, "text", little_endian(example.text));
    put(memory, "round_keys", little_endian(example.key));
    find_reference("aes_encrypt")(memory);
    EXPECT_EQ(get(memory, "cipher"), little_endian(example.cipher));
  }
}

TEST(AesReference, DecryptsTheStandardsExamples) {
  for (const AesExample& example : kAesExamples) {
    ReferenceMemory memory{Scope{}};
    memory.add("cipher", ElementType::kU32, 4);
    memory.add("text", ElementType::kU32, 4);
    memory.add("round_keys", ElementType::kU32, 44);
    put(memory, "cipher", little_endian(example.cipher));
    put(memory, "round_keys", little_endian(example.key), 40);
    find_reference("aes_decrypt")(memory);
    EXPECT_EQ(get(memory, "text"), little_endian(example.text));
  }
}

// FIPS 180's example of 448 bits, which takes a second block for the length.
TEST(Sha1Reference, HashesTheStandardsExample) {
  const std::string message = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  Words words(message.size() / 4);
  for (std::size_t i = 0; i < message.size(); ++i) {
    words[i / 4] |= static_cast<std::uint32_t>(message[i]) << 8 * (i % 4);
  }
  Scope scope;
  scope.push("message_words", static_cast<std::int64_t>(words.size()));
  ReferenceMemory memory{scope};
  memory.add("messages", ElementType::kU32, words.size());
  memory.add("digests", ElementType::kU32, 5);
  put(memory, "messages", words);
  find_reference("sha1")(memory);
  EXPECT_EQ(get(memory, "digests"), (Words{0x84983e44, 0x1c3bd26e, 0xbaae4aa1, 0xf95129e5, 0xe54670f1}));
}

}  // namespace
}  // namespace heddle
