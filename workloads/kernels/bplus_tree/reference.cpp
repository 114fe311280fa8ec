#include <map>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void bplus_tree(ReferenceMemory& memory);

// Looks up what the leaves hold, without the tree above them.
void bplus_tree(ReferenceMemory& memory) {
  constexpr std::size_t kStride = 512;
  constexpr std::int32_t kBeyond = 0x7fffffff;
  const auto keys = memory.view<std::int32_t>("keys");
  const auto children = memory.view<std::int32_t>("children");
  const auto record_values = memory.view<std::int32_t>("record_values");
  std::map<std::int32_t, std::int32_t> record_of;
  for (std::size_t i = kStride * (1 + memory.size("inner")); i < keys.size; ++i) {
    if (keys[i] != kBeyond) record_of.emplace_hint(record_of.end(), keys[i], children[i]);
  }

  const auto queries = memory.view<std::int32_t>("queries");
  const auto answers = memory.view<std::int32_t>("answers");
  for (std::size_t i = 0; i < queries.size; ++i) {
    const auto found = record_of.find(queries[i]);
    answers[i] = found == record_of.end() ? -1 : record_values[static_cast<std::size_t>(found->second)];
  }
  const auto starts = memory.view<std::int32_t>("starts");
  const auto ends = memory.view<std::int32_t>("ends");
  const auto first_records = memory.view<std::int32_t>("first_records");
  const auto lengths = memory.view<std::int32_t>("lengths");
  for (std::size_t i = 0; i < starts.size; ++i) {
    const auto first = record_of.find(starts[i]);
    const auto last = record_of.find(ends[i]);
    if (first == record_of.end() || last == record_of.end()) continue;
    first_records[i] = first->second;
    lengths[i] = last->second - first->second + 1;
  }
}

}  // namespace heddle::references
