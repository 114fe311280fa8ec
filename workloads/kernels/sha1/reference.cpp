#include "workloads/checks/reference_memory.h"
#include "workloads/kernels/sha1/sha1_bytes.h"

namespace heddle::references {

void sha1(ReferenceMemory& memory);

void sha1(ReferenceMemory& memory) {
  const auto messages = memory.view<std::uint32_t>("messages");
  const auto digests = memory.view<std::uint32_t>("digests");
  const std::size_t message_words = memory.positive("message_words");
  for (std::size_t i = 0; i < digests.size / 5; ++i) {
    const auto digest = sha1_digest(message_bytes(messages, i * message_words, message_words));
    for (std::size_t word = 0; word < 5; ++word) digests[5 * i + word] = digest[word];
  }
}

}  // namespace heddle::references
