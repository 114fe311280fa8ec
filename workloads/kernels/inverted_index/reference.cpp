#include <map>
#include <string_view>
#include <vector>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void inverted_index(ReferenceMemory& memory);

// A dictionary of all links, in the order of their letters, with the places of each.
void inverted_index(ReferenceMemory& memory) {
  const auto text = memory.view<std::uint8_t>("text");
  const auto places = memory.view<std::uint32_t>("places");
  const auto starts = memory.view<std::uint32_t>("starts");
  constexpr std::string_view kMark = "href=\"";
  const std::string_view letters(reinterpret_cast<const char*>(text.data), text.size);
  std::map<std::string_view, std::vector<std::uint32_t>> dictionary;
  for (std::size_t at = letters.find(kMark); at != std::string_view::npos; at = letters.find(kMark, at + 1)) {
    const std::size_t begin = at + kMark.size();
    dictionary[letters.substr(begin, letters.find('"', begin) - begin)].push_back(
        static_cast<std::uint32_t>(begin));
  }
  std::uint32_t links = 0;
  std::uint32_t different = 0;
  for (const auto& [link, of_link] : dictionary) {
    starts[different++] = links;
    for (const std::uint32_t place : of_link) places[links++] = place;
  }
  memory.view<std::uint32_t>("links")[0] = links;
  memory.view<std::uint32_t>("different")[0] = different;
}

}  // namespace heddle::references
