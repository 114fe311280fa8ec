#include "top/timeline/slot_track.h"

#include <algorithm>
#include <utility>

namespace heddle {

void SlotTrack::begin(Cycle cycle, const LifeOwner& owner) {
  Life life;
  life.owner = owner;
  life.start = clip(cycle);
  life.began_before = cycle < window_.from;
  life.first_slice = slices_.size();
  open_ = life;
  since_ = life.start;
  state_ = kNoWarp;
}

void SlotTrack::close(Cycle cycle, bool goes_on) {
  if (!open_) return;
  Life life = *open_;
  life.end = clip(cycle);
  life.goes_on = goes_on;
  if (life.end > life.start) {
    if (state_ != kNoWarp) append(life.end);
    lives_.push_back(life);
  }
  open_.reset();
}

SlotTrack::Slice SlotTrack::slice(std::size_t index) const {
  const Kept& kept = slices_[index];
  const Cycle held = kept.shares == kPure ? kept.cycles : shares_[kept.shares - 1][kept.state];
  return {kept.cycles, held, kept.state};
}

SlotTrack::Shares SlotTrack::state_cycles() const {
  Shares sum{};
  for (const Kept& kept : slices_) {
    if (kept.shares == kPure) {
      sum[kept.state] += kept.cycles;
    } else {
      for (unsigned s = 0; s < kStates; ++s) sum[s] += shares_[kept.shares - 1][s];
    }
  }
  return sum;
}

/// Goes through a track from its begin and writes it anew.
class SlotTrack::Coarser {
 public:
  Coarser(const SlotTrack& from, Cycle quantum) : from_(from), quantum_(quantum) {}

  void run() {
    for (std::size_t i = 0; i < from_.lives_.size(); ++i) add_life(i);
    finish_life();
    if (from_.open_) {
      open_ = *from_.open_;
      open_->first_slice = slices_.size();
      for (std::size_t s = from_.open_->first_slice; s < from_.slices_.size(); ++s)
        add_state(from_.slices_[s]);
      flush();
    }
  }

  std::optional<Life> open_;
  std::vector<Life> lives_;
  std::vector<Kept> slices_;
  std::vector<Shares> shares_;

 private:
  void add_life(std::size_t index) {
    const Life& life = from_.lives_[index];
    if (life_ && !joins(life)) finish_life();
    if (life_) {
      // Of thread blocks and launches, which have no states, there is no gap to tell.
      if (life.start > life_->end && from_.end_slice(index) != life.first_slice) {
        add_state({life.start - life_->end, kPure, kNoWarp});
      }
      life_->end = life.end;
      life_->lives += life.lives;
      life_->goes_on = life.goes_on;
    } else {
      life_ = life;
      life_->first_slice = slices_.size();
    }
    for (std::size_t s = life.first_slice; s < from_.end_slice(index); ++s) add_state(from_.slices_[s]);
  }

  bool joins(const Life& life) const {
    return life.end - life.start < quantum_ && life_->end - life_->start < quantum_ &&
           life.start - life_->end < quantum_;
  }

  void finish_life() {
    flush();
    if (life_) lives_.push_back(*life_);
    life_.reset();
  }

  void add_state(const Kept& kept) {
    if (kept.cycles >= quantum_) {
      flush();
      keep(kept);
      return;
    }
    if (parts_ == 0) {
      sum_ = Shares{};
      cycles_ = 0;
      mixed_ = false;
    }
    mixed_ = mixed_ || kept.shares != kPure || (parts_ != 0 && kept.state != only_);
    only_ = kept.state;
    ++parts_;
    cycles_ += kept.cycles;
    if (kept.shares == kPure) {
      sum_[kept.state] += kept.cycles;
    } else {
      const Shares& shares = from_.shares_[kept.shares - 1];
      for (unsigned s = 0; s < kStates; ++s) sum_[s] += shares[s];
    }
    if (cycles_ >= quantum_) flush();
  }

  /// Ends what is being merged.
  void flush() {
    if (parts_ == 0) return;
    parts_ = 0;
    if (!mixed_) {
      slices_.push_back({cycles_, kPure, only_});
      return;
    }
    const auto longest = static_cast<std::uint8_t>(std::max_element(sum_.begin(), sum_.end()) - sum_.begin());
    shares_.push_back(sum_);
    slices_.push_back({cycles_, static_cast<std::uint32_t>(shares_.size()), longest});
  }

  void keep(Kept kept) {
    if (kept.shares != kPure) {
      shares_.push_back(from_.shares_[kept.shares - 1]);
      kept.shares = static_cast<std::uint32_t>(shares_.size());
    }
    slices_.push_back(kept);
  }

  const SlotTrack& from_;
  const Cycle quantum_;
  std::optional<Life> life_;  ///< being merged
  // The states being merged.
  std::size_t parts_ = 0;
  Cycle cycles_ = 0;
  Shares sum_{};
  bool mixed_ = false;
  std::uint8_t only_ = 0;
};

void SlotTrack::coarsen(Cycle quantum) {
  Coarser coarser(*this, quantum);
  coarser.run();
  lives_ = std::move(coarser.lives_);
  slices_ = std::move(coarser.slices_);
  shares_ = std::move(coarser.shares_);
  open_ = coarser.open_;
}

}  // namespace heddle
