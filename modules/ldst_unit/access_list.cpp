#include "modules/ldst_unit/access_list.h"

#include <algorithm>

namespace heddle {

void AccessList::descend() {
  const auto end = accesses_.begin() + size_;
  const auto below = [](const Access& a, const Access& b) { return a.address < b.address; };
  // In place, and at once done when lanes follow addresses, as they mostly do.
  for (auto next = accesses_.begin(); next != end; ++next) {
    const auto place = std::upper_bound(accesses_.begin(), next, *next, below);
    if (place != next) std::rotate(place, next, next + 1);
  }
  std::reverse(accesses_.begin(), end);
}

}  // namespace heddle
