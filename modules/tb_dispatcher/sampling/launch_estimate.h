#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "modules/tb_dispatcher/sampling/rate_error.h"

namespace heddle {

/// What was measured of a launch of which TBs are fast-forwarded, and what it says of the whole. Plain C++.
///
/// The detailed simulation falls into stretches of time. Those that are measured are windows; windows without
/// a section of fast-forwarded TBs between them are a group. Whatever is counted, the estimate is the sum
/// over the stretches of what was counted in them times the stretch's weight: 1, 0 for those that count for
/// nothing, more for windows, which stand for the sections of their phase.
///
/// For a section stand the group before it and the group after it, half each. The group in which the rate
/// settled stands for none when two others of its phase follow: TBs that have begun together may go on to
/// drift apart. Groups differ by chance, as their windows do, and because the rate drifts. The more of it is
/// chance, the more do all windows of the phase stand for what a group stands for: by the variance between
/// groups that the windows' own does not explain (random effects, by DerSimonian and Laird's moments).
class LaunchEstimate {
 public:
  enum class Use : std::uint8_t { kCounted, kMeasured, kLeftOut };
  struct Stretch {
    Use use = Use::kCounted;
    std::uint64_t cycles = 0;
    std::uint64_t warp_instructions = 0;
    std::size_t group = 0;  ///< of a window
    double weight = 1;      ///< after give_weights()
  };
  struct Group {
    std::size_t phase = 0;
    bool settling = false;             ///< windows in which the rate of a phase settled for the first time
    std::vector<std::size_t> windows;  ///< stretches
  };

  /// `drift`: by how much of it the rate differs between groups of which one is not like the other.
  explicit LaunchEstimate(double drift) : drift_(drift) {}

  /// A window is of the last group.
  void add_stretch(Stretch stretch);
  void add_group(std::size_t phase, bool settling) { groups_.push_back({phase, settling, {}}); }
  /// That were fast-forwarded, or left out, after the last group and are of one phase.
  void add_section(std::size_t phase, std::uint64_t warp_instructions);
  /// The first windows of the last group are none: they count for themselves alone.
  void forget_windows(std::size_t count);

  const std::vector<Stretch>& stretches() const { return stretches_; }
  const std::vector<Group>& groups() const { return groups_; }
  std::size_t windows() const;
  std::vector<std::size_t> windows_of(std::size_t phase) const;
  /// Their work and cycles.
  std::vector<MeasuredWindow> measured(const std::vector<std::size_t>& windows) const;
  /// The group before the last one, when it has windows of the same phase; or nullptr.
  const Group* before_last() const;
  /// The earlier and the later half of the last group's windows differ likewise (differ()).
  bool halves_differ() const;
  /// Their rates differ by more than `drift`, and by more than twice the standard error of the difference.
  bool differ(const Group& a, const Group& b) const { return differ(a.windows, b.windows); }

  /// Nothing is added any more.
  void give_weights();
  double cycles() const;
  /// After give_weights(): what was fast-forwarded or left out after that stretch takes, beyond what was
  /// simulated of it.
  double cycles_not_simulated_after(std::size_t stretch) const;
  /// After give_weights(): the last stretch counts for so many cycles less.
  void shorten_last(double cycles);
  /// After give_weights(): how far the estimate of something of which `taken` was counted in each stretch
  /// may be off for causes that are independent. The root of the sum of their squares is half the 95%
  /// confidence interval. The last one is that rates which differ by no more than `drift` count as alike:
  /// what windows don't show may be the same in all launches.
  std::vector<double> deviations(const std::vector<double>& taken) const;
  std::vector<double> cycles_of_stretches() const;

 private:
  struct Section {
    std::size_t phase = 0;
    std::uint64_t warp_instructions = 0;
    std::size_t groups_before = 0;
    std::size_t stretches_before = 0;
    double cycles = 0;  ///< after give_weights()
  };
  /// Groups of a phase that stand for its sections.
  struct Pool {
    std::vector<std::size_t> groups;
    double between = 0;      ///< variance of groups' rates, that of windows apart, over the rate's square
    bool by_groups = false;  ///< groups differ by more than their windows let expect
  };
  /// A group in which the rate had not settled, it seems: what follows stands for it.
  struct Transient {
    std::size_t before = 0;  ///< groups
    std::size_t after = 0;
    double warp_instructions = 0;  ///< of sections next to it
  };

  double rate(const std::vector<std::size_t>& windows, const std::vector<double>& taken) const;
  double work(const std::vector<std::size_t>& windows) const;
  bool differ(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) const;
  double deviation_in_groups() const;
  void find_transients();
  bool is_transient(std::size_t group) const;
  bool is_left_out(std::size_t group) const;
  void make_pools();
  double variance_between(const Pool& pool) const;
  double own_share(const Pool& pool, const Group& group) const;
  std::vector<std::size_t> windows_of(const Pool& pool) const;
  double stands_for(const Group& group) const;
  void give_weight(const Section& section);
  void give_weight(std::size_t group, double warp_instructions);
  void give_weight(const std::vector<std::size_t>& windows, double warp_instructions);
  void deviations_of_windows(const Pool& pool, const std::vector<double>& taken,
                             std::vector<double>& deviations) const;
  void deviations_of_groups(const Pool& pool, const std::vector<double>& taken,
                            std::vector<double>& deviations) const;
  double deviation_after_sections(const Pool& pool, const std::vector<double>& taken) const;

  double drift_;
  std::vector<Stretch> stretches_;
  std::vector<Group> groups_;
  std::vector<Section> sections_;
  std::vector<Transient> transients_;
  std::vector<Pool> pools_;  ///< by phase
};

}  // namespace heddle
