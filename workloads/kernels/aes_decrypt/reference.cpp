#include "workloads/checks/reference_memory.h"
#include "workloads/kernels/aes_encrypt/aes_bytes.h"

namespace heddle::references {

void aes_decrypt(ReferenceMemory& memory);

// Takes no more of the round keys than the last, which is the cipher's key.
void aes_decrypt(ReferenceMemory& memory) {
  const auto cipher = memory.view<std::uint32_t>("cipher");
  const auto text = memory.view<std::uint32_t>("text");
  const auto round_keys = memory.view<std::uint32_t>("round_keys");
  const Aes aes(aes_block(round_keys, round_keys.size < 4 ? 0 : round_keys.size - 4));
  for (std::size_t word = 0; word + 4 <= cipher.size; word += 4) {
    AesBlock block = aes_block(cipher, word);
    aes.decrypt(block);
    put_aes_block(block, text, word);
  }
}

}  // namespace heddle::references
