#include "workloads/ptx/nearest.h"

#include <algorithm>
#include <numeric>

namespace heddle::ptx {

namespace {

/// Insertions, deletions and replacements that turn one into the other.
std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, diagonal + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view found, const std::vector<std::string_view>& candidates) {
  std::string_view best;
  std::size_t best_edits = std::max<std::size_t>(1, found.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edits(found, candidate);
    if (distance < best_edits) {
      best_edits = distance;
      best = candidate;
    }
  }
  return best.empty() ? "" : "; did you mean '" + std::string(best) + "'?";
}

}  // namespace heddle::ptx
