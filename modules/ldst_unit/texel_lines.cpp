#include "modules/ldst_unit/texel_lines.h"

#include <algorithm>

namespace heddle {

void TexelLines::find(const TexelAddresses& texels) {
  size_ = 0;
  const std::uint64_t* next = texels.address.data();
  for (unsigned first_lane = 0; first_lane < kWarpSize; first_lane += lanes_) {
    const unsigned group = size_;
    for (unsigned lane = first_lane; lane < std::min(first_lane + lanes_, kWarpSize); ++lane) {
      for (unsigned i = 0; i < texels.of_lane[lane]; ++i) {
        const std::uint64_t line = *next++ / line_bytes_ * line_bytes_;
        const auto end = lines_.begin() + size_;
        if (std::find(lines_.begin() + group, end, line) == end) lines_[size_++] = line;
      }
    }
  }
}

}  // namespace heddle
