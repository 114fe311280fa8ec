#include "top/waves/cycle_lines.h"

#include <fmt/format.h>

namespace heddle {

bool CycleLines::begin_anew(std::uint64_t units) {
  const std::uint64_t millions = units / kMillion;
  if (millions == 0 || units % kMillion == 0) return false;
  begin_ = millions * kMillion;
  const std::string begin = fmt::format("#{}", millions);
  const std::string text = fmt::format("{0}000500\n0{1}{0}000000\n1{1}", begin, code_);
  digits_at_ = begin.size();
  length_ = text.copy(lines_.data(), lines_.size());
  return true;
}

}  // namespace heddle
