#include "base/nearest_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

namespace heddle {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> table((a.size() + 1) * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return table[i * columns + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = i + j;
        continue;
      }
      const std::size_t replaced = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
      }
    }
  }
  return table.back();
}

/// Nobody mistypes more, and comparing takes time that goes with the square.
constexpr std::size_t kMostLetters = 128;
constexpr std::size_t kMostNames = 4096;

template <class Name>
std::string_view nearest_of(std::string_view name, const std::vector<Name>& known) {
  std::string_view best;
  if (name.empty() || name.size() > kMostLetters) {
    return best;
  }
  // A third of the letters may be wrong, one of a short name, but never all.
  const std::size_t allowed = std::min(std::max<std::size_t>(1, name.size() / 3), name.size() - 1);
  std::size_t best_distance = allowed + 1;
  std::size_t compared = 0;
  for (const Name& candidate : known) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    const std::size_t shorter = std::min(name.size(), candidate.size());
    if (longer - shorter >= best_distance) continue;  // so many edits at least
    if (++compared > kMostNames) break;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string question(std::string_view nearest) {
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
  return std::string(nearest_of(name, known));
}

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& known) {
  return question(nearest_of(name, known));
}

std::string name_hint(const std::string& name, std::vector<std::string> known, const std::string& what) {
  if (known.empty()) {
    return "; there are no " + what;
  }
  std::sort(known.begin(), known.end());
  return fmt::format("{} ({}: {})", question(nearest_of(name, known)), what, fmt::join(known, ", "));
}

}  // namespace heddle
