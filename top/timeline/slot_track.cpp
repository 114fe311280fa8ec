#include "top/timeline/slot_track.h"

#include <algorithm>
#include <utility>

namespace heddle {

void SlotTrack::begin(Cycle cycle, const LifeOwner& owner, std::uint64_t lives) {
  Life life;
  life.owner = owner;
  life.start = clip(cycle);
  life.lives = lives;
  life.began_before = cycle < window_.from;
  life.first_slice = slices_.size();
  open_ = life;
  since_ = life.start;
  state_ = kNoWarp;
  told_ = false;
}

void SlotTrack::close(Cycle cycle, bool goes_on) {
  if (!open_) return;
  Life life = *open_;
  life.end = clip(cycle);
  life.goes_on = goes_on;
  open_.reset();
  if (life.end == life.start) return;
  if (told_) append(life.end);
  add_life(life);
}

SlotTrack::Shares SlotTrack::state_cycles() const {
  Shares sum{};
  const auto add = [&sum](const Shares& shares) {
    for (unsigned s = 0; s < kStates; ++s) sum[s] += shares[s];
  };
  for (const Kept& kept : slices_) {
    if (kept.shares == kPure) {
      sum[kept.state] += kept.cycles;
    } else {
      add(shares_[kept.shares - 1]);
    }
  }
  if (group_.mixed) {
    add(group_.sum);
  } else {
    sum[group_.state] += group_.cycles;
  }
  return sum;
}

void SlotTrack::add_to_group(Cycle cycles, unsigned state) {
  if (group_.cycles != 0 && !group_.mixed && group_.state != state) {
    group_.mixed = true;
    group_.sum.fill(0);
    group_.sum[group_.state] = group_.cycles;
  }
  if (group_.mixed) group_.sum[state] += cycles;
  group_.state = static_cast<std::uint8_t>(state);
  group_.cycles += cycles;
  if (group_.cycles >= quantum_) keep_group();
}

void SlotTrack::add_to_group(Cycle cycles, const Shares& shares) {
  if (!group_.mixed) {
    group_.mixed = true;
    group_.sum.fill(0);
    group_.sum[group_.state] = group_.cycles;
  }
  for (unsigned s = 0; s < kStates; ++s) group_.sum[s] += shares[s];
  group_.cycles += cycles;
  if (group_.cycles >= quantum_) keep_group();
}

void SlotTrack::keep_group() {
  if (group_.mixed) {
    const auto longest = std::max_element(group_.sum.begin(), group_.sum.end()) - group_.sum.begin();
    shares_.push_back(group_.sum);
    slices_.push_back(
        {group_.cycles, static_cast<std::uint32_t>(shares_.size()), static_cast<std::uint8_t>(longest)});
  } else {
    slices_.push_back({group_.cycles, kPure, group_.state});
  }
  group_.cycles = 0;
  group_.mixed = false;
}

void SlotTrack::add_again(const Kept& kept, const std::vector<Shares>& shares) {
  if (kept.shares == kPure) {
    add_state(kept.cycles, kept.state);
  } else if (kept.cycles < quantum_) {
    add_to_group(kept.cycles, shares[kept.shares - 1]);
  } else {
    flush();
    shares_.push_back(shares[kept.shares - 1]);
    slices_.push_back({kept.cycles, static_cast<std::uint32_t>(shares_.size()), kept.state});
  }
}

void SlotTrack::add_life(const Life& life) {
  if (!lives_.empty() && joins(lives_.back(), life)) {
    join(lives_.back(), life);
  } else {
    flush();
    lives_.push_back(life);
  }
}

bool SlotTrack::joins(const Life& before, const Life& life) const {
  return life.end - life.start < quantum_ && before.end - before.start < quantum_ &&
         life.start - before.end < quantum_;
}

/// All states of `life` are in the group: they are shorter than a quantum.
void SlotTrack::join(Life& before, const Life& life) {
  const Group states = std::exchange(group_, Group());
  if (slices_.size() > before.first_slice && slices_.back().cycles < quantum_) {
    const Kept last = slices_.back();
    slices_.pop_back();
    if (last.shares == kPure) {
      add_to_group(last.cycles, last.state);
    } else {
      const Shares shares = shares_.back();
      shares_.pop_back();
      add_to_group(last.cycles, shares);
    }
  }
  // Of thread blocks and launches, which have no states, there is no gap to tell.
  if (states.cycles != 0) {
    if (life.start > before.end) add_to_group(life.start - before.end, kNoWarp);
    if (states.mixed) {
      add_to_group(states.cycles, states.sum);
    } else {
      add_to_group(states.cycles, states.state);
    }
  }
  flush();
  before.end = life.end;
  before.lives += life.lives;
  before.goes_on = life.goes_on;
}

void SlotTrack::coarsen(Cycle quantum) {
  if (quantum <= quantum_) return;
  // All is told again, to what merges more.
  const Group last = std::exchange(group_, Group());
  const std::vector<Life> lives = std::exchange(lives_, {});
  const std::vector<Kept> slices = std::exchange(slices_, {});
  const std::vector<Shares> shares = std::exchange(shares_, {});
  quantum_ = quantum;
  std::size_t next = 0;
  const auto tell_until = [&](std::size_t end) {
    for (; next < end; ++next) add_again(slices[next], shares);
  };
  for (std::size_t i = 0; i < lives.size(); ++i) {
    Life life = lives[i];
    life.first_slice = slices_.size();
    tell_until(i + 1 < lives.size() ? lives[i + 1].first_slice : open_ ? open_->first_slice : slices.size());
    add_life(life);
  }
  if (!open_) return;
  open_->first_slice = slices_.size();
  tell_until(slices.size());
  if (last.mixed) {
    add_to_group(last.cycles, last.sum);
  } else if (last.cycles != 0) {
    add_to_group(last.cycles, last.state);
  }
}

}  // namespace heddle
