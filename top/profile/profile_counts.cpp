#include "top/profile/profile_counts.h"

namespace heddle {

namespace {

void add(StateCycles& to, const StateCycles& cycles) {
  for (unsigned s = 0; s < kNumWarpStates; ++s) to[s] += cycles[s];
}

}  // namespace

std::uint64_t WarpAccount::eligible() const {
  std::uint64_t sum = 0;
  for (unsigned s = 0; s < kNumWarpStates; ++s) {
    if (is_eligible(static_cast<WarpState>(s))) sum += cycles[s];
  }
  return sum;
}

WarpAccount& WarpAccount::operator+=(const WarpAccount& other) {
  add(cycles, other.cycles);
  scheduler_cycles += other.scheduler_cycles;
  no_eligible_cycles += other.no_eligible_cycles;
  return *this;
}

LineCounts& LineCounts::operator+=(const LineCounts& other) {
  add(cycles, other.cycles);
  for (const auto figure :
       {&LineCounts::issued, &LineCounts::path_lanes, &LineCounts::lanes, &LineCounts::access_lanes,
        &LineCounts::accesses, &LineCounts::moved_bytes, &LineCounts::bank_cycles,
        &LineCounts::bank_conflict_cycles, &LineCounts::constants, &LineCounts::texture_lines,
        &LineCounts::texture_hits, &LineCounts::texture_pending, &LineCounts::texture_misses,
        &LineCounts::l1d_hits, &LineCounts::l1d_merged, &LineCounts::l1d_misses, &LineCounts::results,
        &LineCounts::result_cycles}) {
    this->*figure += other.*figure;
  }
  return *this;
}

}  // namespace heddle
