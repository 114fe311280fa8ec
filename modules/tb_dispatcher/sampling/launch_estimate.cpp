#include "modules/tb_dispatcher/sampling/launch_estimate.h"

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

/// Of the differences between groups. That of one or two would make an interval of anything; what windows say
/// of chance is looked at as well.
constexpr std::size_t kLeastFreedom = 3;

double sum_of_squares(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

}  // namespace

void LaunchEstimate::add_stretch(Stretch stretch) {
  if (stretch.use == Use::kMeasured) {
    stretch.group = groups_.size() - 1;
    groups_.back().windows.push_back(stretches_.size());
  }
  stretches_.push_back(stretch);
}

void LaunchEstimate::add_section(std::size_t phase, std::uint64_t warp_instructions) {
  sections_.push_back({phase, warp_instructions, groups_.size(), stretches_.size(), 0});
}

void LaunchEstimate::forget_windows(std::size_t count) {
  std::vector<std::size_t>& windows = groups_.back().windows;
  const auto kept = windows.begin() + static_cast<std::ptrdiff_t>(count);
  for (auto window = windows.begin(); window != kept; ++window) stretches_[*window].use = Use::kCounted;
  windows.erase(windows.begin(), kept);
}

std::size_t LaunchEstimate::windows() const {
  std::size_t count = 0;
  for (const Group& group : groups_) count += group.windows.size();
  return count;
}

std::vector<std::size_t> LaunchEstimate::windows_of(std::size_t phase) const {
  std::vector<std::size_t> windows;
  for (const Group& group : groups_) {
    if (group.phase == phase) windows.insert(windows.end(), group.windows.begin(), group.windows.end());
  }
  return windows;
}

std::vector<std::size_t> LaunchEstimate::windows_of(const Pool& pool) const {
  std::vector<std::size_t> windows;
  for (const std::size_t group : pool.groups)
    windows.insert(windows.end(), groups_[group].windows.begin(), groups_[group].windows.end());
  return windows;
}

std::vector<MeasuredWindow> LaunchEstimate::measured(const std::vector<std::size_t>& windows) const {
  std::vector<MeasuredWindow> list;
  list.reserve(windows.size());
  for (const std::size_t w : windows) {
    list.push_back(
        {static_cast<double>(stretches_[w].warp_instructions), static_cast<double>(stretches_[w].cycles)});
  }
  return list;
}

const LaunchEstimate::Group* LaunchEstimate::before_last() const {
  if (groups_.size() < 2) return nullptr;
  const Group& before = groups_[groups_.size() - 2];
  return before.phase == groups_.back().phase && !before.windows.empty() ? &before : nullptr;
}

double LaunchEstimate::work(const std::vector<std::size_t>& windows) const {
  double sum = 0;
  for (const std::size_t w : windows) sum += static_cast<double>(stretches_[w].warp_instructions);
  return sum;
}

/// What a warp instruction takes in the windows.
double LaunchEstimate::rate(const std::vector<std::size_t>& windows, const std::vector<double>& taken) const {
  const double of_all = work(windows);
  double sum = 0;
  for (const std::size_t w : windows) sum += taken[w];
  return of_all == 0 ? 0 : sum / of_all;
}

bool LaunchEstimate::differ(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) const {
  const std::vector<double> cycles = cycles_of_stretches();
  const double rate_a = rate(a, cycles);
  const double rate_b = rate(b, cycles);
  const double expected = deviation_in_groups() *
                          std::sqrt(1 / static_cast<double>(a.size()) + 1 / static_cast<double>(b.size()));
  return std::abs(rate_a - rate_b) > (rate_a + rate_b) / 2 * std::max(drift_, 2 * expected);
}

bool LaunchEstimate::halves_differ() const {
  const std::vector<std::size_t>& windows = groups_.back().windows;
  const auto half = static_cast<std::ptrdiff_t>(windows.size() / 2);
  return half != 0 &&
         differ({windows.begin(), windows.begin() + half}, {windows.end() - half, windows.end()});
}

/// Standard deviation of a window's rate about that of its group, over it.
double LaunchEstimate::deviation_in_groups() const {
  const std::vector<double> cycles = cycles_of_stretches();
  double squares = 0;
  double freedom = 0;
  for (const Group& group : groups_) {
    const double of_group = rate(group.windows, cycles);
    for (const std::size_t w : group.windows) {
      const double expected = of_group * static_cast<double>(stretches_[w].warp_instructions);
      if (expected > 0) squares += std::pow(cycles[w] / expected - 1, 2);
    }
    if (!group.windows.empty()) freedom += static_cast<double>(group.windows.size() - 1);
  }
  return freedom == 0 ? 0 : std::sqrt(squares / freedom);
}

void LaunchEstimate::give_weights() {
  for (Stretch& stretch : stretches_) stretch.weight = stretch.use == Use::kLeftOut ? 0 : 1;
  find_transients();
  make_pools();
  for (Section& section : sections_) {
    const double before = cycles();
    give_weight(section);
    section.cycles = cycles() - before;
  }
  const std::vector<double> taken = cycles_of_stretches();
  for (Pool& pool : pools_) {
    std::vector<double> of_windows;
    std::vector<double> of_groups;
    deviations_of_windows(pool, taken, of_windows);
    deviations_of_groups(pool, taken, of_groups);
    pool.by_groups = sum_of_squares(of_groups) > sum_of_squares(of_windows);
  }
}

/// Groups in which the rate settled at first, and that are unlike the next one of their phase.
void LaunchEstimate::find_transients() {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (!groups_[g].settling || groups_[g].windows.empty()) continue;
    const auto next = std::find_if(
        groups_.begin() + static_cast<std::ptrdiff_t>(g) + 1, groups_.end(),
        [&](const Group& group) { return group.phase == groups_[g].phase && !group.windows.empty(); });
    if (next != groups_.end() && differ(groups_[g], *next))
      transients_.push_back({g, static_cast<std::size_t>(next - groups_.begin()), 0});
  }
}

bool LaunchEstimate::is_transient(std::size_t group) const {
  return std::any_of(transients_.begin(), transients_.end(),
                     [group](const Transient& transient) { return transient.before == group; });
}

bool LaunchEstimate::is_left_out(std::size_t group) const {
  if (!groups_[group].settling) return false;
  const auto later = std::count_if(
      groups_.begin() + static_cast<std::ptrdiff_t>(group) + 1, groups_.end(),
      [&](const Group& other) { return other.phase == groups_[group].phase && !other.windows.empty(); });
  return later >= 2;
}

void LaunchEstimate::make_pools() {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].windows.empty() || is_transient(g) || is_left_out(g)) continue;
    if (groups_[g].phase >= pools_.size()) pools_.resize(groups_[g].phase + 1);
    pools_[groups_[g].phase].groups.push_back(g);
  }
  for (Pool& pool : pools_) pool.between = variance_between(pool);
}

double LaunchEstimate::variance_between(const Pool& pool) const {
  if (pool.groups.size() < 2) return 0;
  const std::vector<double> cycles = cycles_of_stretches();
  const double mean = rate(windows_of(pool), cycles);
  double count = 0;
  double squares_of_counts = 0;
  double squares = 0;
  for (const std::size_t group : pool.groups) {
    const auto windows = static_cast<double>(groups_[group].windows.size());
    count += windows;
    squares_of_counts += windows * windows;
    squares += windows * std::pow(rate(groups_[group].windows, cycles) / std::max(mean, 1e-9) - 1, 2);
  }
  const double by_chance = static_cast<double>(pool.groups.size() - 1) * std::pow(deviation_in_groups(), 2);
  return std::max(squares - by_chance, 0.0) / (count - squares_of_counts / count);
}

/// By the groups of its phase next to it, or of any phase when it has none.
void LaunchEstimate::give_weight(const Section& section) {
  std::size_t before = groups_.size();
  std::size_t after = groups_.size();
  for (const bool of_phase : {true, false}) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].windows.empty() || (of_phase && groups_[g].phase != section.phase)) continue;
      if (g < section.groups_before) {
        before = g;
      } else if (after == groups_.size()) {
        after = g;
      }
    }
    if (before != groups_.size() || after != groups_.size()) break;
  }
  const auto work = static_cast<double>(section.warp_instructions);
  if (before != groups_.size() && after != groups_.size()) {
    for (Transient& transient : transients_) {
      if (transient.before == before) transient.warp_instructions += work;
    }
    if (is_transient(before) || is_left_out(before)) before = groups_.size();
  }
  const double share = before == groups_.size() || after == groups_.size() ? 1 : 0.5;
  if (before != groups_.size()) give_weight(before, share * work);
  if (after != groups_.size()) give_weight(after, share * work);
}

/// Of what a group stands for, that its own windows do.
double LaunchEstimate::own_share(const Pool& pool, const Group& group) const {
  if (pool.between == 0) return 0;
  const double by_chance = std::pow(deviation_in_groups(), 2) / static_cast<double>(group.windows.size());
  return pool.between / (pool.between + by_chance);
}

void LaunchEstimate::give_weight(std::size_t group, double warp_instructions) {
  const std::vector<std::size_t>& windows = groups_[group].windows;
  if (is_transient(group) || is_left_out(group)) return give_weight(windows, warp_instructions);
  const Pool& pool = pools_[groups_[group].phase];
  const double own = own_share(pool, groups_[group]);
  give_weight(windows, own * warp_instructions);
  give_weight(windows_of(pool), (1 - own) * warp_instructions);
}

void LaunchEstimate::give_weight(const std::vector<std::size_t>& windows, double warp_instructions) {
  const double of_all = work(windows);
  if (of_all == 0) return;
  for (const std::size_t w : windows) stretches_[w].weight += warp_instructions / of_all;
}

double LaunchEstimate::cycles() const {
  double cycles = 0;
  for (const Stretch& stretch : stretches_) cycles += stretch.weight * static_cast<double>(stretch.cycles);
  return cycles;
}

double LaunchEstimate::cycles_not_simulated_after(std::size_t stretch) const {
  double cycles = 0;
  for (const Section& section : sections_) {
    if (section.stretches_before > stretch) cycles += section.cycles;
  }
  for (std::size_t s = stretch + 1; s < stretches_.size(); ++s) {
    if (stretches_[s].use == Use::kLeftOut) cycles -= static_cast<double>(stretches_[s].cycles);
  }
  return std::max(cycles, 0.0);
}

void LaunchEstimate::shorten_last(double cycles) {
  Stretch& last = stretches_.back();
  if (last.cycles != 0) last.weight -= cycles / static_cast<double>(last.cycles);
}

std::vector<double> LaunchEstimate::cycles_of_stretches() const {
  std::vector<double> cycles;
  for (const Stretch& stretch : stretches_) cycles.push_back(static_cast<double>(stretch.cycles));
  return cycles;
}

/// The warp instructions beyond its own for which a group's windows stand.
double LaunchEstimate::stands_for(const Group& group) const {
  double sum = 0;
  for (const std::size_t w : group.windows)
    sum += (stretches_[w].weight - 1) * static_cast<double>(stretches_[w].warp_instructions);
  return sum;
}

std::vector<double> LaunchEstimate::deviations(const std::vector<double>& taken) const {
  std::vector<double> deviations;
  for (const Pool& pool : pools_) {
    if (pool.by_groups) {
      deviations_of_groups(pool, taken, deviations);
    } else {
      deviations_of_windows(pool, taken, deviations);
    }
    deviations.push_back(deviation_after_sections(pool, taken));
  }
  for (const Transient& transient : transients_) {
    const double difference =
        rate(groups_[transient.before].windows, taken) - rate(groups_[transient.after].windows, taken);
    deviations.push_back(difference * transient.warp_instructions / 2);
  }
  double alike = 0;
  for (const Pool& pool : pools_) {
    double stand_for = 0;
    for (const std::size_t group : pool.groups) stand_for += stands_for(groups_[group]);
    alike += drift_ * stand_for * rate(windows_of(pool), taken);
  }
  deviations.push_back(alike);
  return deviations;
}

/// As if windows were independent of each other: by how much they differ from what stands for their place.
void LaunchEstimate::deviations_of_windows(const Pool& pool, const std::vector<double>& taken,
                                           std::vector<double>& deviations) const {
  const auto list_of = [&](const std::vector<std::size_t>& windows) {
    std::vector<MeasuredWindow> list;
    list.reserve(windows.size());
    for (const std::size_t w : windows)
      list.push_back({static_cast<double>(stretches_[w].warp_instructions), taken[w]});
    return list;
  };
  const std::vector<std::size_t> windows = windows_of(pool);
  const std::vector<MeasuredWindow> list = list_of(windows);
  // A single window says nothing of how windows differ: as those of all phases do.
  if (windows.size() == 1) {
    std::vector<std::size_t> all;
    for (const Group& group : groups_) all.insert(all.end(), group.windows.begin(), group.windows.end());
    const RateError error = rate_error(list_of(all));
    deviations.push_back(error.t * error.deviation * (stretches_[windows.front()].weight - 1));
    return;
  }
  const auto count = static_cast<double>(windows.size());
  const double scale = student_t(windows.size() - 1) * std::sqrt(count / (count - 1));
  const double of_all = rate(windows, taken);
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const Stretch& stretch = stretches_[windows[i]];
    const Group& group = groups_[stretch.group];
    const double own = own_share(pool, group);
    const double expected = own * rate(group.windows, taken) + (1 - own) * of_all;
    deviations.push_back(scale * (stretch.weight - 1) * (list[i].taken - expected * list[i].work));
  }
}

/// As if groups were independent of each other: windows of a group may be off together. What a group's rate
/// is off, by the differences between groups that follow each other, so that a drift, which lies in the
/// weights, is not taken for chance (von Neumann).
void LaunchEstimate::deviations_of_groups(const Pool& pool, const std::vector<double>& taken,
                                          std::vector<double>& deviations) const {
  if (pool.groups.size() < 2) return;
  const std::size_t differences = pool.groups.size() - 1;
  double squares = 0;
  for (const std::size_t group : pool.groups) squares += std::pow(stands_for(groups_[group]), 2);
  const double t = student_t(std::max(differences, kLeastFreedom));
  const double scale = t * std::sqrt(squares / (2 * static_cast<double>(differences)));
  for (std::size_t i = 0; i < differences; ++i) {
    deviations.push_back(scale * (rate(groups_[pool.groups[i + 1]].windows, taken) -
                                  rate(groups_[pool.groups[i]].windows, taken)));
  }
}

/// What the place of a section's end still makes of the rate, beyond what chance does: when it decays to a
/// third from the earlier half of a group's windows to the later one, the group is off by the halves'
/// difference.
double LaunchEstimate::deviation_after_sections(const Pool& pool, const std::vector<double>& taken) const {
  const std::vector<double> cycles = cycles_of_stretches();
  double of_cycles = 0;
  double of_taken = 0;
  double variance = 0;  // of the sum of differences, over the square of the rate
  double groups = 0;
  double stand_for = 0;
  for (const std::size_t g : pool.groups) {
    const Group& group = groups_[g];
    stand_for += stands_for(group);
    const auto half = static_cast<std::ptrdiff_t>(group.windows.size() / 2);
    if (group.settling || half == 0) continue;
    const std::vector<std::size_t> earlier(group.windows.begin(), group.windows.begin() + half);
    const std::vector<std::size_t> later(group.windows.end() - half, group.windows.end());
    of_cycles += rate(earlier, cycles) - rate(later, cycles);
    of_taken += rate(earlier, taken) - rate(later, taken);
    variance += 2 * std::pow(deviation_in_groups(), 2) / static_cast<double>(half);
    ++groups;
  }
  const double by_chance = std::sqrt(variance) * rate(windows_of(pool), cycles);
  if (groups == 0 || std::abs(of_cycles) <= by_chance) return 0;
  return (1 - by_chance / std::abs(of_cycles)) * of_taken / groups * stand_for;
}

}  // namespace heddle
