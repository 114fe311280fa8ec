#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ticks.h"
#include "modules/counts/warp_state.h"
#include "top/support/cycle_window.h"

namespace heddle {

/// Whose life a slot holds: a launch, one of its thread blocks, or a warp of that.
struct LifeOwner {
  std::uint64_t launch = 0;
  std::uint64_t tb = 0;
  unsigned warp = 0;  ///< in its TB
};

/// What lives in one slot, one after the other, inside a window of cycles, and, of warps, in which states.
/// Lives and states are cut at the window's ends. The states of a life tile it.
///
/// coarsen() bounds what is kept: no more than about three lives and two states for each quantum of cycles.
class SlotTrack {
 public:
  /// A slot without a warp, between lives that were merged.
  static constexpr unsigned kNoWarp = kNumWarpStates;
  static constexpr unsigned kStates = kNumWarpStates + 1;

  struct Slice {
    Cycle cycles = 0;
    Cycle held = 0;      ///< of these, in `state`: all of them unless states were merged
    unsigned state = 0;  ///< below kStates; of merged ones the one that held longest, the first of equal ones
  };
  struct Life {
    LifeOwner owner;
    Cycle start = 0;
    Cycle end = 0;
    std::uint64_t lives = 1;    ///< more than 1: so many were merged, of which the first was the owner's
    bool began_before = false;  ///< the window's begin
    bool goes_on = false;       ///< after the window's end, or that of the run
    std::size_t first_slice = 0;
  };

  /// `window`: in core cycles.
  explicit SlotTrack(CycleWindow window) : window_(window) {}

  /// `lives` above 1: so many that were merged, of which `owner`'s was the first.
  void begin(Cycle cycle, const LifeOwner& owner, std::uint64_t lives = 1);
  /// The life is in `state` from `cycle` on.
  void enter(Cycle cycle, unsigned state) {
    const Cycle now = clip(cycle);
    if (open_) append(now);
    since_ = now;
    state_ = state;
    told_ = true;
  }
  void end(Cycle cycle) { close(cycle, cycle > window_.to); }
  /// The recording ends before `cycle`: a life that goes on is cut.
  void stop(Cycle cycle) { close(cycle, true); }

  /// Merges lives shorter than `quantum` with those beside them that are likewise, and in each life states
  /// likewise, each time until they reach it; those that are there and those that will come. Gaps of
  /// `quantum` and more stay.
  void coarsen(Cycle quantum);

  /// Lives and states that it keeps.
  std::size_t size() const {
    return lives_.size() + slices_.size() + (open_ ? 1 : 0) + (group_.cycles != 0 ? 1 : 0);
  }
  const std::vector<Life>& lives() const { return lives_; }
  /// Of the life at `index`, whose states follow each other from its start on.
  std::size_t first_slice(std::size_t index) const { return lives_[index].first_slice; }
  std::size_t end_slice(std::size_t index) const {
    return index + 1 < lives_.size() ? lives_[index + 1].first_slice
           : open_                   ? open_->first_slice
                                     : slices_.size();
  }
  Slice slice(std::size_t index) const {
    const Kept& kept = slices_[index];
    const Cycle held = kept.shares == kPure ? kept.cycles : shares_[kept.shares - 1][kept.state];
    return {kept.cycles, held, kept.state};
  }
  /// Cycles by state.
  using Shares = std::array<Cycle, kStates>;
  /// Of all lives: exact, whatever was merged.
  Shares state_cycles() const;

 private:
  static constexpr std::uint32_t kPure = 0;
  struct Kept {
    Cycle cycles;
    std::uint32_t shares;  ///< kPure, or its place in shares_ and 1
    std::uint8_t state;
  };
  /// States that are being merged.
  struct Group {
    Cycle cycles = 0;
    bool mixed = false;      ///< of several states
    std::uint8_t state = 0;  ///< the last one
    Shares sum{};            ///< of a mixed one
  };

  Cycle clip(Cycle cycle) const {
    return cycle < window_.from ? window_.from : cycle > window_.to ? window_.to : cycle;
  }
  /// The present state up to `now`, which is inside the window.
  void append(Cycle now) {
    if (now != since_) add_state(now - since_, state_);
  }
  void add_state(Cycle cycles, unsigned state) {
    if (cycles < quantum_) {
      add_to_group(cycles, state);
      return;
    }
    flush();
    slices_.push_back({cycles, kPure, static_cast<std::uint8_t>(state)});
  }
  void add_to_group(Cycle cycles, unsigned state);
  void add_to_group(Cycle cycles, const Shares& shares);
  /// A slice that was kept before, with the shares of then.
  void add_again(const Kept& kept, const std::vector<Shares>& shares);
  /// Ends what is being merged.
  void flush() {
    if (group_.cycles != 0) keep_group();
  }
  void keep_group();
  void close(Cycle cycle, bool goes_on);
  /// The life's states have all come.
  void add_life(const Life& life);
  bool joins(const Life& before, const Life& life) const;
  void join(Life& before, const Life& life);

  CycleWindow window_;
  Cycle quantum_ = 1;
  std::optional<Life> open_;
  Cycle since_ = 0;  ///< when the present state began, or the window
  unsigned state_ = kNoWarp;
  bool told_ = false;  ///< `state_`, of the present life
  Group group_;        ///< the last states of the present life
  std::vector<Life> lives_;
  std::vector<Kept> slices_;
  std::vector<Shares> shares_;
};

}  // namespace heddle
