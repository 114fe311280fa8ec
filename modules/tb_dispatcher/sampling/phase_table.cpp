#include "modules/tb_dispatcher/sampling/phase_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle {

namespace {

double mix_distance(const TbWork& a, const TbWork& b) {
  if (a.warp_instructions == 0 || b.warp_instructions == 0)
    return a.warp_instructions == b.warp_instructions ? 0 : 1;
  double sum = 0;
  for (unsigned part = 0; part < TbWork::kParts; ++part) {
    sum += std::abs(static_cast<double>(a.of_part[part]) / static_cast<double>(a.warp_instructions) -
                    static_cast<double>(b.of_part[part]) / static_cast<double>(b.warp_instructions));
  }
  return sum / 2;
}

double size_distance(const TbWork& a, const TbWork& b) {
  const double of_a = static_cast<double>(a.warp_instructions) / static_cast<double>(a.tbs);
  const double of_b = static_cast<double>(b.warp_instructions) / static_cast<double>(b.tbs);
  return std::abs(of_a - of_b) / std::max({of_a, of_b, 1.0});
}

}  // namespace

std::size_t PhaseTable::find(const TbWork& work) const {
  std::size_t nearest = kNone;
  double least = std::numeric_limits<double>::max();
  for (std::size_t phase = 0; phase < examples_.size(); ++phase) {
    // In units of what makes a difference.
    const double distance = std::max(mix_distance(work, examples_[phase]) / kMixDistance,
                                     size_distance(work, examples_[phase]) / kSizeDistance);
    if (distance >= least) continue;
    least = distance;
    nearest = phase;
  }
  return least <= 1 || examples_.size() == kMost ? nearest : kNone;
}

std::size_t PhaseTable::add(const TbWork& work) {
  examples_.push_back(work);
  return examples_.size() - 1;
}

}  // namespace heddle
