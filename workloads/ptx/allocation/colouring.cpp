#include "workloads/ptx/allocation/colouring.h"

#include <algorithm>

namespace heddle::ptx {

namespace {

constexpr unsigned kStackPointer = 1;
constexpr unsigned kUnseen = 0xFFFFFFFFU;

}  // namespace

unsigned Colouring::run() const {
  std::vector<unsigned> first(slots_.size(), kUnseen);
  unsigned used = kStackPointer + 1;
  std::vector<bool> taken;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const unsigned slots = slots_[i];
    taken.assign(used + 2 * slots, false);
    taken[kStackPointer] = true;
    for (const std::uint32_t neighbour : neighbours_[i]) {
      if (first[neighbour] == kUnseen) continue;
      for (unsigned slot = 0; slot < slots_[neighbour]; ++slot) taken[first[neighbour] + slot] = true;
    }
    unsigned place = 0;
    while (taken[place] || taken[place + slots - 1]) place += slots;
    first[i] = place;
    used = std::max(used, place + slots);
  }
  return used;
}

}  // namespace heddle::ptx
