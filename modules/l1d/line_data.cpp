#include "modules/l1d/line_data.h"

#include <cstring>

namespace heddle {

LineData::LineData(unsigned lines, unsigned line_bytes)
    : line_bytes_(line_bytes), held_(lines), bytes_(std::size_t{lines} * line_bytes) {}

void LineData::keep(unsigned line, const unsigned char* bytes) {
  std::memcpy(&bytes_[std::size_t{line} * line_bytes_], bytes, line_bytes_);
  held_[line] = true;
}

}  // namespace heddle
