#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "workloads/launch/functional_tb.h"

namespace heddle {

/// What a launch does, whatever the timing.
struct LaunchWork {
  TbWork executed;
  std::uint64_t sectors = 0;  ///< of 32 bytes, that its memory instructions access, one by one

  /// How much, how divergent in control and in memory, and which instructions, as TBPoint compares launches;
  /// each within a fiftieth.
  bool is_like(const LaunchWork& other) const;
};

/// Launches of the same kernel with the same grid: which of them need not be simulated, as others that were
/// did the same and took the same. Plain C++.
///
/// Those that do the same are a group. When the last two of a group that were simulated take the same per
/// warp instruction, to a fiftieth, the next two are skipped, and one is simulated to see whether that still
/// holds; if so four are skipped, and so on, 64 at most. If not, two have to agree anew. After eight launches
/// of which none could be skipped there is no further try.
class LaunchRepeats {
 public:
  static constexpr double kDistance = 0.02;
  static constexpr std::size_t kMostSkipped = 64;
  static constexpr std::size_t kFirstSkipped = 2;
  static constexpr std::size_t kMostTries = 8;
  /// Simulated launches that stand for a skipped one: the last ones of its group.
  static constexpr std::size_t kMostWindows = 4;

  /// What the next launch does is worth to be known: one was simulated, and they are not all different.
  bool wants_work() const { return seen_ != 0 && !given_up_; }
  /// A launch that does that is skipped. Otherwise it is simulated, and simulated() is told.
  bool skips(const LaunchWork& work);
  /// The launch that is called `id`. `work`: nothing when it was not wanted.
  void simulated(std::size_t id, const std::optional<LaunchWork>& work, std::uint64_t cycles);
  /// No further launch is to be executed beforehand.
  void give_up() { given_up_ = true; }

  /// Of the launch that was skipped last: those that stand for it, by their ids.
  const std::vector<std::size_t>& windows() const { return windows_; }

 private:
  struct Simulated {
    std::size_t id = 0;
    double cycles_per_instruction = 0;
  };
  struct Group {
    LaunchWork work;                  ///< of its last one
    std::deque<Simulated> simulated;  ///< that agree, kMostWindows at most
    std::size_t allowed = 0;          ///< to be skipped, one after the other
    std::size_t skipped = 0;          ///< since the last simulated one
  };
  Group* group_of(const LaunchWork& work);

  std::vector<Group> groups_;
  std::vector<std::size_t> windows_;
  std::size_t seen_ = 0;
  std::size_t tries_ = 0;  ///< since the last one that was skipped
  bool given_up_ = false;
};

}  // namespace heddle
