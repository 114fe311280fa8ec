#include "workloads/checks/reference_memory.h"
#include "workloads/kernels/aes_encrypt/aes_bytes.h"

namespace heddle::references {

void aes_encrypt(ReferenceMemory& memory);

// Takes no more of the round keys than the first, which is the cipher's key.
void aes_encrypt(ReferenceMemory& memory) {
  const auto text = memory.view<std::uint32_t>("text");
  const auto cipher = memory.view<std::uint32_t>("cipher");
  const Aes aes(aes_block(memory.view<std::uint32_t>("round_keys"), 0));
  for (std::size_t word = 0; word + 4 <= text.size; word += 4) {
    AesBlock block = aes_block(text, word);
    aes.encrypt(block);
    put_aes_block(block, cipher, word);
  }
}

}  // namespace heddle::references
