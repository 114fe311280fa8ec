#include "top/waves/fst_check.h"

#include <array>
#include <cstdint>
#include <fstream>

namespace heddle {

namespace {

// Of GTKWave's fstapi.h. A file that gzip has wrapped whole is one block.
constexpr unsigned kGeometry = 3;
constexpr unsigned kHierarchy = 4;
constexpr unsigned kHierarchyLz4 = 6;
constexpr unsigned kHierarchyLz4Twice = 7;
constexpr unsigned kWrapped = 254;
constexpr unsigned kUnfinished = 255;

/// A block is its type, one byte, and its length in bytes without that one, eight bytes, the highest first.
constexpr std::uint64_t kHeadBytes = 9;

}  // namespace

bool is_whole_fst(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return false;
  const auto bytes = static_cast<std::uint64_t>(file.tellg());
  bool has_geometry = false;
  bool has_hierarchy = false;
  for (std::uint64_t at = 0; at != bytes;) {
    std::array<char, kHeadBytes> head{};
    file.seekg(static_cast<std::streamoff>(at));
    if (!file.read(head.data(), head.size())) return false;
    const unsigned type = static_cast<unsigned char>(head[0]);
    std::uint64_t length = 0;
    for (std::size_t i = 1; i < kHeadBytes; ++i) length = length << 8U | static_cast<unsigned char>(head[i]);
    if (type == kUnfinished || length < kHeadBytes - 1 || length > bytes - at - 1) return false;
    has_geometry |= type == kGeometry || type == kWrapped;
    has_hierarchy |=
        type == kHierarchy || type == kHierarchyLz4 || type == kHierarchyLz4Twice || type == kWrapped;
    at += 1 + length;
  }
  return has_geometry && has_hierarchy;
}

}  // namespace heddle
