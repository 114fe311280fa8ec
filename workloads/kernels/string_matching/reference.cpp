#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void string_matching(ReferenceMemory& memory);

// Of each position the longest way down from the root, without suffix links.
void string_matching(ReferenceMemory& memory) {
  const auto children = memory.view<std::uint32_t>("children");
  const auto reads = memory.view<std::uint8_t>("reads");
  const auto matches = memory.view<std::uint8_t>("matches");
  const std::size_t length = memory.positive("length");
  for (std::size_t start = 0; start < reads.size; ++start) {
    const std::size_t end = start - start % length + length;
    std::size_t node = 0;
    std::size_t depth = 0;
    while (start + depth < end) {
      const std::uint32_t child = children[4 * node + reads[start + depth]];
      if (child == 0) break;
      node = child;
      ++depth;
    }
    matches[start] = static_cast<std::uint8_t>(depth);
  }
}

}  // namespace heddle::references
